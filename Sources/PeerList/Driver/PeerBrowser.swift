// Finds the peers on the network, as a sequence of lists.

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
/// A program that needs each event or difference reads ``LinkBrowser/events`` and applies them to a
/// ``PeerListing``.
public struct PeerBrowser: Sendable {
    /// The time from a failed start to the next one.
    private static let retryInterval = Duration.seconds(2)

    /// The types, the interface, the family and the domain to browse.
    public var options: BrowseOptions

    /// The backends that may be asked.
    public var backend = BackendChoice.auto

    /// Called when no backend is available, each time before ``peers`` waits for one again.
    public var onUnavailable: @Sendable (BackendError) -> Void = { _ in }

    /// Creates a browser for the peers that offer services of some types.
    ///
    /// - Parameter types: The service types, such as `_ssh._tcp`; all if empty.
    public init(types: [String] = []) {
        options = BrowseOptions()
        options.types = types
    }

    /// The peers whose hosts are known, in the order of their names: a list at each change.
    ///
    /// Each stream browses by itself from its first element until its loop ends. A reader that is slower than
    /// the changes gets the newest list only. While no backend is available the stream waits.
    ///
    /// - Complexity: O(*n*) for each list, where *n* is the number of peers.
    public var peers: AsyncStream<[Peer]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { entry in
            let task = Task {
                while !Task.isCancelled {
                    await browse(entry)
                    try? await Task.sleep(for: Self.retryInterval)
                }
            }
            entry.onTermination = { _ in task.cancel() }
        }
    }

    private func browse(_ entry: AsyncStream<[Peer]>.Continuation) async {
        let browser = LinkBrowser(options, asking: backend)
        await withTaskCancellationHandler {
            do throws(BackendError) {
                _ = try await browser.start()
            } catch {
                return Task.isCancelled ? () : onUnavailable(error)
            }
            let listing = PeerListing(
                options: ListOptions(types: options.types), makerOf: MakerRegistry.lookup())
            for await event in browser.events where listing.apply(event).update != nil {
                let peers = listing.sections.flatMap(\.items).map(\.peer)
                entry.yield(peers.filter(\.isResolved))
            }
        } onCancel: {
            Task { await browser.stop() }
        }
    }
}
