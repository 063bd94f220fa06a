// A program for tests on the LAN: follows the list, and asks for a peer whenever it is told to.
import Dispatch
import Glibc
import PeerList

/// Writes `HOST PRESENCE` and `HOST offers N` whenever these change; at each SIGUSR1 it asks for the
/// services of the device that it was started with, and writes what came of it.
@main struct VerifyingPeerlist {
    static func main() async throws {
        let browser = LinkBrowser(asking: .daemon)
        _ = try await browser.start()
        let follower = Follower(browser)
        let host = CommandLine.arguments.last ?? ""
        signal(SIGUSR1, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
        source.setEventHandler { @Sendable in Task { await follower.verify(host) } }
        source.resume()
        say("ready")
        for await event in browser.events { await follower.take(event) }
        source.cancel()
    }
}

/// The list, and what has been said of it.
private actor Follower {
    private let browser: LinkBrowser
    private var listing = PeerListing()
    private var presences: [String: Presence] = [:]
    private var counts: [String: Int] = [:]

    init(_ browser: LinkBrowser) { self.browser = browser }

    func take(_ event: DiscoveryEvent) {
        guard listing.apply(event).update != nil else { return }
        for (host, peer) in peers {
            if counts.updateValue(peer.services.count, forKey: host) != peer.services.count {
                say("\(host) offers \(peer.services.count)")
            }
            if presences.updateValue(peer.presence, forKey: host) != peer.presence {
                say("\(host) \(peer.presence.rawValue)")
            }
        }
    }

    func verify(_ host: String) async {
        guard let peer = peers[host] else { return say("nobody is called \(host)") }
        let start = ContinuousClock.now
        let verification = await browser.verify(listing.services(of: peer.id))
        let isInTime = ContinuousClock.now - start < .seconds(5)
        switch verification {
        case .answered(let services, let all): say("answered \(services.count) of \(all)")
        case .unanswered: say(isInTime ? "unanswered" : "unanswered, late")
        case .unavailable(let reason): say("unavailable: \(reason)")
        }
    }

    private var peers: [String: Peer] {
        var peers: [String: Peer] = [:]
        for peer in listing.sections.flatMap(\.items).map(\.peer) {
            if let host = peer.host { peers[host] = peer }
        }
        return peers
    }
}

/// Writes a line at once.
private func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
}
