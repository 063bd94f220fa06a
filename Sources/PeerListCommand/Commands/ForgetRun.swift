// Runs `peerlist fleet --forget`, which removes what an observer has left at a broker.
import PeerFleet
import PeerModel
import PeerText

extension ForgetOptions {
    /// The time within which the broker has to do everything.
    private static let limit = Duration.seconds(60)

    func run() async throws(UsageError) -> ExitStatus {
        guard let broker = try self.broker.access() else { return .usage }
        let outcome = await ObserverRemoval.remove(
            observer, broker,
            homeAssistant: self.broker.homeAssistant ?? HomeAssistant.standardPrefix,
            within: Self.limit
        ) { name, time in
            complain(
                "the broker has observer \(printable(name.title)) as online; waiting for its next "
                    + "status, up to \(time.components.seconds) s", .notice)
        }
        switch outcome {
        case .removed(let name, let count):
            return printOut("forgot \(printable(name.title)), \(count) messages\n")
        case .unknown:
            complain(
                "no observer \(quoted(observer)) has left anything at the broker that this user may "
                    + "read; 'peerlist doctor --broker \(broker.url)' lists them")
            return .nothingFound
        case .several(let names):
            let list = listed(names.map { quoted($0.title) }, limit: 3)
            complain("there are several observers \(quoted(observer)): \(list); write one of these")
            return .nothingFound
        case .online(let name, let host):
            complain(
                "observer \(printable(name.title)) publishes"
                    + "\(host.isEmpty ? "" : " on \(printable(host))"); end it first")
            return .nothingFound
        case .failed(let reason):
            complain("the broker: \(reason)")
            return .failure
        }
    }
}
