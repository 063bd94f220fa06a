// From what the user asks for to what is looked for, listed, and said of the run.
import FoundationEssentials
import Glibc
import PeerList
import PeerRecording

extension Options {
    /// What is listed, how, and in which order.
    var listOptions: ListOptions {
        ListOptions(grouping: grouping, order: sort, types: types.map(\.description))
    }

    /// What is looked for, and where.
    ///
    /// - Parameter announcedID: The identifier that this machine announces.
    /// - Returns: What a browser takes.
    func browseOptions(announcedID: UUID?) -> BrowseOptions {
        var browse = BrowseOptions()
        browse.types = types.map(\.description)
        browse.interface = interface.flatMap { NetworkInterface(named: $0) }
        browse.family = family
        browse.domain = domain
        browse.announcement = announcement.map { announcement in
            let id = announcedID.map { ["id=" + $0.uuidString.lowercased()] } ?? []
            return PeerList.Announcement(
                name: announcement.name, type: LinkBrowser.identityType, port: 0,
                txt: ["txtvers=1"] + id)
        }
        return browse
    }

    /// What the lines begin with.
    ///
    /// - Parameters:
    ///   - host: The name that this machine is known by.
    ///   - backend: Who is asked.
    ///   - announcedID: The identifier that this machine announces, if it does.
    /// - Returns: The header.
    func lineHeader(host: String, backend: Backend, announcedID: UUID?) -> LineHeader {
        LineHeader(
            run: .randomByKernel(), observerHost: host,
            observerID: announcedID ?? Identity.uuid(forName: Identity.canonical(host)),
            backend: backend.rawValue, grouping: grouping,
            filter: LineHeader.Filter(
                types: types.map(\.description), interface: interface, family: family,
                domain: domain))
    }
}

extension Options.Announcement {
    /// The instance name to begin with: the given one, or the host name's first label.
    fileprivate var name: String {
        switch self {
        case .name(let name): name
        case .hostName: hostLabel()
        }
    }
}

/// The first label of this machine's host name, cut to what fits into a DNS label.
private func hostLabel() -> String {
    var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    unsafe gethostname(&name, name.count - 1)
    let bytes = name.prefix { $0 != 0 && $0 != 0x2e }.prefix(63).map(UInt8.init(bitPattern:))
    return bytes.isEmpty ? "peerlist" : String(decoding: bytes, as: UTF8.self)
}
