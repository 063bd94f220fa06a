// The identifier that this machine announces: the same for as long as the system is installed.
public import FoundationEssentials

/// The identifier that this machine announces in its `_peerlist._tcp` service.
///
/// It outlives a change of the host name. It follows from the system's machine
/// id (machine-id(5)) and does not give that away; a system without one gets a
/// random identifier that is kept in a file.
public struct MachineIdentity: Sendable {
    /// Where the machine id stands: 32 hexadecimal digits.
    var machineIDPath = "/etc/machine-id"

    /// Where the identifier is kept that a system without a machine id gets.
    var statePath: String

    /// The identity of this machine.
    ///
    /// - Parameter environment: The process's environment; `XDG_STATE_HOME` and `HOME` count
    ///   (XDG Base Directory Specification).
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let home = environment["HOME"] ?? "/"
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        statePath = (state ?? home + "/.local/state") + "/peerlist/id"
    }

    /// The identifier.
    ///
    /// - Returns: The identifier, or `nil` where there is no machine id and a
    ///   random identifier could not be kept.
    public func announcedID() -> UUID? {
        if let machine = machineID() {
            return UUID(name: "peerlist", inNamespace: machine)
        }
        if let kept = contents(of: statePath).flatMap(UUID.init(uuidString:)) { return kept }
        let fresh = UUID(name: "peerlist", inNamespace: .randomByKernel())
        return keep(fresh) ? fresh : nil
    }

    private func machineID() -> UUID? {
        guard let digits = contents(of: machineIDPath), digits.utf8.count == 32 else { return nil }
        var text = digits
        for place in [20, 16, 12, 8] {
            text.insert("-", at: text.utf8.index(text.startIndex, offsetBy: place))
        }
        return UUID(uuidString: text)
    }

    private func contents(of path: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    private func keep(_ id: UUID) -> Bool {
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
