// An outline in the making: devices and what is shown beneath them.
import DiffCore

/// An outline that is filled device by device.
///
/// Devices over which nothing is shown are appended many at a time.
struct OutlineFilling {
    private var outline = DiffableDataSourceSectionSnapshot<RowID>()
    private var waiting: [RowID] = []
    private var open: [RowID] = []

    /// Appends a device and what is shown beneath it.
    mutating func append(_ device: RowID, over beneath: [RowID]) {
        waiting.append(device)
        guard !beneath.isEmpty else { return }
        flush()
        outline.append(beneath, to: device)
        open.append(device)
    }

    /// The outline with all that has something beneath it expanded.
    mutating func finish() -> DiffableDataSourceSectionSnapshot<RowID> {
        flush()
        outline.expand(open)
        return outline
    }

    private mutating func flush() {
        guard !waiting.isEmpty else { return }
        outline.append(waiting)
        waiting = []
    }
}
