// Finds the peers on the network, as a sequence of lists.
import Glibc

/// Finds the peers on the network.
///
/// ```swift
/// var known: Set<Peer.ID> = []
/// for await peers in PeerBrowser(types: ["_http._tcp"]).peers {
///     for peer in peers where known.insert(peer.id).inserted {
///         print(peer.name, peer.addresses.first ?? "")
///     }
/// }
/// ```
///
/// Without avahi-daemon, the helper `peerlist-mdns` is started. SwiftPM does not build the helper for a
/// package that uses this library, so such a program names an installed helper:
///
/// ```swift
/// var browser = PeerBrowser(types: ["_http._tcp"])
/// browser.helper = "/usr/libexec/peerlist/peerlist-mdns"
/// ```
///
/// A program that needs each event or difference reads ``LinkBrowser/events`` and applies them to a
/// ``PeerListing``.
public struct PeerBrowser: Sendable {
    /// The time from a failed start to the next attempt.
    var retryInterval = Duration.seconds(2)
    /// Returns the system to browse, with a helper at a path.
    var system: @Sendable (_ helper: String?) -> DiscoverySystem = { .live(helper: $0) }

    /// The types, the interface, the family and the domain to browse.
    public var options: BrowseOptions

    /// The backends that may be asked.
    public var backend = BackendChoice.auto

    /// The path of the helper `peerlist-mdns`, which belongs to root or to the owner of the program; `nil` to
    /// look beside the program and in `../libexec/peerlist`.
    public var helper: String?

    /// Called once for each stream of ``peers`` that has to wait because no backend is available.
    ///
    /// By default it writes a line to standard error, which explains the empty list.
    public var onUnavailable: @Sendable (BackendError) -> Void = { error in
        let line = "no mDNS backend, trying again until there is one: \(error)\n"
        // A failure of standard error cannot be reported anywhere.
        unsafe _ = Array(line.utf8).withUnsafeBytes { bytes in
            unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }

    /// Creates a browser for the peers that offer services of some types.
    ///
    /// - Parameter types: The service types, such as `_ssh._tcp`; all if empty.
    public init(types: [String] = []) {
        options = BrowseOptions()
        options.types = types
    }

    /// The peers whose hosts are known, in the order of their names, as a new list at each change.
    ///
    /// Each stream browses by itself, from its creation until its loop ends. A reader that is slower than the changes
    /// gets only the newest list. While no backend is available, the stream waits, after a call of ``onUnavailable``.
    ///
    /// - Complexity: O(*n*) for each list, where *n* is the number of peers.
    public var peers: AsyncStream<[Peer]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { entry in
            let task = Task {
                var isReported = false
                while !Task.isCancelled {
                    if let error = await browse(entry), !isReported, !Task.isCancelled {
                        isReported = true
                        onUnavailable(error)
                    }
                    try? await Task.sleep(for: retryInterval)
                }
            }
            entry.onTermination = { _ in task.cancel() }
        }
    }

    /// Browses until the task is cancelled; returns the error if browsing cannot begin.
    private func browse(_ entry: AsyncStream<[Peer]>.Continuation) async -> BackendError? {
        let browser = LinkBrowser(options, asking: backend, on: EventLoop(), system(helper))
        return await withTaskCancellationHandler {
            do throws(BackendError) {
                _ = try await browser.start()
            } catch {
                return error
            }
            var listing = PeerListing(
                options: ListOptions(types: options.types), makerOf: MakerRegistry.lookup())
            for await event in browser.events where listing.apply(event).update != nil {
                let peers = listing.sections.flatMap(\.items).map(\.peer)
                entry.yield(peers.filter(\.isResolved))
            }
            return nil
        } onCancel: {
            Task { await browser.stop() }
        }
    }
}
