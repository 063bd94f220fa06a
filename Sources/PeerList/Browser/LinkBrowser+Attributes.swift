// How much is kept of what services say of themselves.
import FoundationEssentials

extension LinkBrowser {
    /// The memory that the TXT records of all services may take, in bytes.
    static let attributeRoom = 16 << 20
    /// A record of no more than this is kept in any case, as honest ones are.
    static let smallRecord = 1_024

    /// What resolving a service gave, as far as it is kept: without its TXT record where the others' leave
    /// no room for it.
    func kept(_ resolution: Resolution, of id: UUID) -> Resolution {
        let size = resolution.txt.footprint
        let others = resolving.attributeSize - (resolving.services[id]?.attributeSize ?? 0)
        guard size <= Self.smallRecord || others + size <= Self.attributeRoom else {
            noteAttributes(0, of: id)
            tellAttributeLimit()
            var resolution = resolution
            resolution.txt = TXTRecord()
            return resolution
        }
        noteAttributes(size, of: id)
        return resolution
    }

    /// Takes note of the memory that a service's TXT record takes.
    func noteAttributes(_ size: Int, of id: UUID) {
        guard let before = resolving.services[id]?.attributeSize else { return }
        resolving.attributeSize += size - before
        resolving.services[id]?.attributeSize = size
    }

    private func tellAttributeLimit() {
        guard !resolving.hasToldAttributeLimit else { return }
        resolving.hasToldAttributeLimit = true
        report(
            .notice(
                .serviceLimit,
                """
                the TXT records of all services take more than \(Self.attributeRoom >> 20) MiB, \
                so large ones are left out; name the types you want with --type
                """))
    }
}

extension TXTRecord {
    /// About how much memory the record takes, in bytes.
    package var footprint: Int {
        pairs.reduce(0) { sum, pair in
            let value =
                switch pair.value {
                case .none: 0
                case .text(let text): text.utf8.count
                case .bytes(let bytes): bytes.count
                }
            return sum + 64 + pair.key.utf8.count + value
        }
    }
}
