// A list view of GTK 4: a list box with a header for each section.
import CGTK
import DiffCore

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// Performs the steps of each difference on list boxes, so that rows that stay keep their widgets, also when
/// they move to another section.
final class GTKList<Section: Hashable & Sendable, Item: Hashable & Sendable>: DiffableListView {
    /// The boxes of the sections, one below the other.
    let widget: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8)
    private var sections: [SectionBox] = []
    private var content: ListContent<Section, Item, String, String>?

    func attach(_ content: ListContent<Section, Item, String, String>) {
        precondition(self.content == nil, "the view has a data source already")
        self.content = content
    }

    func reloadData(to snapshot: DiffableDataSourceSnapshot<Section, Item>) {
        for section in sections { box_remove(widget, section.box) }
        sections = []
        perform(snapshot.difference(from: .init()), to: snapshot)
    }

    func performBatchUpdates(
        _ difference: SnapshotDifference<Section, Item>,
        to snapshot: DiffableDataSourceSnapshot<Section, Item>, animation: RowAnimation
    ) { perform(difference, to: snapshot) }

    /// The texts of the rows, as GTK has them.
    var rows: [[String]] {
        sections.map { section in
            var texts: [String] = []
            while let row = list_row(section.list, Int32(texts.count)) {
                texts.append(String(cString: row_text(row)))
            }
            return texts
        }
    }

    private func perform(
        _ difference: SnapshotDifference<Section, Item>,
        to snapshot: DiffableDataSourceSnapshot<Section, Item>
    ) {
        func text(_ path: IndexPath) -> String {
            content?.cell(path, snapshot.itemIdentifier(at: path)) ?? ""
        }
        for step in difference.steps {
            switch step {
            case .deleteItem(let path): g_object_unref(take(path))
            case .insertItem(let path, let final):
                list_insert(sections[path.section].list, new_row(text(final)), Int32(path.item))
            case .moveItem(let from, let to):
                let row = take(from)
                list_insert(sections[to.section].list, row, Int32(to.item))
                g_object_unref(row)
            case .insertSection(let index):
                place(SectionBox(), at: index)
            case .moveSection(let from, let to):
                let section = sections.remove(at: from)
                g_object_ref(section.box)
                box_remove(widget, section.box)
                place(section, at: to)
                g_object_unref(section.box)
            case .deleteSection(let index): box_remove(widget, sections.remove(at: index).box)
            case .reloadItem(let path), .reconfigureItem(let path):
                set_row_text(list_row(sections[path.section].list, Int32(path.item)), text(path))
            case .reloadSection(let index):
                for item in rows[index].indices {
                    let path = IndexPath(item: item, section: index)
                    set_row_text(list_row(sections[index].list, Int32(item)), text(path))
                }
            }
        }
        for (index, section) in snapshot.sectionIdentifiers.enumerated() {
            set_label(sections[index].header, content?.header(index, section) ?? "")
        }
    }

    private func take(_ path: IndexPath) -> Widget {
        list_take(sections[path.section].list, Int32(path.item))
    }

    private func place(_ section: SectionBox, at index: Int) {
        box_insert(widget, section.box, index == 0 ? nil : sections[index - 1].box)
        sections.insert(section, at: index)
    }
}

/// The widgets of a section.
private struct SectionBox {
    let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4)
    let header: Widget = new_label("")
    let list: Widget = gtk_list_box_new()

    init() {
        box_append(box, header)
        box_append(box, list)
    }
}
