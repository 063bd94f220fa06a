// Computes the identifier that this machine announces, which is stable for the life of the installation.
public import FoundationEssentials

/// The identifier that this machine announces in its `_peerlist._tcp` service.
///
/// It is a hash of the system's machine id (machine-id(5)), which must not be published; a system
/// without one gets a random identifier that is stored in a file.
public struct MachineIdentity: Sendable {
    /// The path of the machine id, a file of 32 hexadecimal digits.
    package var machineIDPath = "/etc/machine-id"

    /// The path of the identifier of a system without a machine id.
    package var statePath: String

    /// Creates the identity of this machine.
    ///
    /// - Parameter environment: The process's environment, of which `XDG_STATE_HOME` and `HOME` are used
    ///   (XDG Base Directory Specification).
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let home = environment["HOME"] ?? "/"
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        statePath = (state ?? home + "/.local/state") + "/peerlist/id"
    }

    /// Returns the identifier, or `nil` if there is no machine id and a random one could not be stored.
    public func announcedID() -> UUID? {
        if let machine = machineID() {
            return UUID(name: "peerlist", inNamespace: machine)
        }
        if let stored = word(in: statePath).flatMap(UUID.init(uuidString:)) { return stored }
        let fresh = UUID(name: "peerlist", inNamespace: .randomByKernel())
        return store(fresh) ? fresh : nil
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

    private func store(_ id: UUID) -> Bool {
        let directory = statePath.split(separator: "/").dropLast().joined(separator: "/")
        do {
            try FileManager.default.createDirectory(
                atPath: "/" + directory, withIntermediateDirectories: true)
            try (id.uuidString.lowercased() + "\n").write(
                toFile: statePath, atomically: true, encoding: .utf8)
            return true
        } catch {
            return false
        }
    }
}
