// Runs the command and publishes services on the LAN.
import LabSupport

extension Lab {
    /// Starts the built `peerlist` on a machine.
    func peerlist(on host: String, _ options: [String]) throws -> RunningProcess {
        try start(host, [BuiltProducts.peerlist] + options)
    }

    /// Runs the built `peerlist` on a machine to its end.
    func finishedPeerlist(on host: String, _ options: String...) async throws -> FinishedProcess {
        try await run(host, [BuiltProducts.peerlist] + options)
    }

    /// Starts the raw responder on a machine with an act, as the process `stranger`.
    func startStranger(on host: String, _ act: [String]) async throws {
        try await perform(
            [
                "spawn", host, "stranger", "python3",
                BuiltProducts.package + "/Tests/Lab/responder.py",
            ]
                + act)
    }

    /// Starts a responder with one service on a machine, as the process `load`.
    func startLoad(on host: String, _ options: String...) async throws {
        try await perform(
            [
                "spawn", host, "load", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--services", "1",
            ] + options)
    }

    /// Whether the raw responder has sent its act once.
    func strangerHasSpoken(on host: String) async throws -> Bool {
        try await perform("logs", host, "stranger").contains("ready")
    }

    /// Publishes a service while the returned process runs; returns when it is announced.
    func publish(
        _ name: String, _ type: String, _ port: Int, on host: String, txt: String...
    ) async throws -> RunningProcess {
        // avahi-publish reports on standard error that the name is established.
        let script = "exec avahi-publish --service \"$@\" 2>&1"
        let publisher = try start(host, ["sh", "-c", script, "sh", name, type, "\(port)"] + txt)
        try await publisher.line(within: .seconds(60)) { $0.hasPrefix("Established") }
        return publisher
    }

    /// Publishes a service by a file that avahi-daemon watches; an equal name replaces it.
    func publishFile(
        _ file: String, named name: String, _ type: String, _ port: Int, on host: String,
        txt: String...
    ) throws {
        let records = txt.map { "<txt-record>\($0)</txt-record>" }.joined()
        try directory.write(
            """
            <?xml version="1.0" standalone='no'?>
            <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
            <service-group><name>\(name)</name>
            <service><type>\(type)</type><port>\(port)</port>\(records)</service>
            </service-group>
            """, to: "lab/\(host)/services/\(file).service")
    }

    /// Publishes a service that identifies a machine by more than its name.
    func publishEvidence(on host: String) throws {
        try publishFile(
            "light", named: "Light", "_wled._tcp", 80, on: host, txt: "mac=34:94:54:0e:8b:01")
    }

    /// Withdraws a service published by ``publishFile(_:named:_:_:on:txt:)`` with this file name.
    func withdrawFile(_ file: String, on host: String) async throws {
        _ = try await FinishedProcess([
            "rm", "\(directory.path)/lab/\(host)/services/\(file).service",
        ])
    }
}
