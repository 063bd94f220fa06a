// The identifier of this machine, a hash of its machine id or a stored random one.
public import FoundationEssentials
import PeerModel
import PeerSystem

/// The identifier that this machine announces in its `_peerlist._tcp` service.
///
/// It is a hash of the system's machine id (machine-id(5)), which must not be published. A system
/// without a machine id gets a random identifier that is stored in a file.
public struct MachineIdentity: Sendable {
    /// The path of the machine id, a file of 32 hexadecimal digits.
    package var machineIDPath = "/etc/machine-id"

    /// The path of the file with the identifier of a system without a machine id; `nil` if no directory for the file
    /// is known.
    package var statePath: String?
    private let home: String?

    /// Creates the identity of this machine.
    ///
    /// - Parameter environment: The process's environment; `XDG_STATE_HOME` and `HOME` are used (XDG
    ///   Base Directory Specification).
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        statePath = stateDirectory(environment: environment).map { $0 + "/id" }
        home = environment["HOME"]
    }

    /// Returns the identifier, or `nil` if there is no machine id and a random identifier could not be
    /// stored.
    public func announcedID() -> UUID? {
        if let machine = machineID() {
            return UUID(name: "peerlist", inNamespace: machine)
        }
        guard let statePath else { return nil }
        if let stored = word(in: statePath).flatMap(UUID.init(uuidString:)) { return stored }
        let fresh = UUID(name: "peerlist", inNamespace: .randomByKernel())
        return (try? store(fresh, in: statePath)).map { fresh }
    }

    private func machineID() -> UUID? {
        guard var digits = word(in: machineIDPath), digits.utf8.count == 32 else { return nil }
        for index in [20, 16, 12, 8] {
            digits.insert("-", at: digits.utf8.index(digits.startIndex, offsetBy: index))
        }
        return UUID(uuidString: digits)
    }

    /// Returns the first word of a file.
    private func word(in path: String) -> String? {
        readText(path)?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    private func store(_ id: UUID, in path: String) throws(FileRefusal) {
        try makeDirectories(above: path, home: home)
        let text = id.uuidString.lowercased() + "\n"
        try FileEntry(path).replace(by: Array(text.utf8), keepsPermissions: false)
    }
}
