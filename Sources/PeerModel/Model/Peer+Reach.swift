// The addresses of a peer by whether they can work.

extension Peer {
    /// The addresses in the order in which to try them: addresses that can work come first, among them addresses without a
    /// scope, which every program understands; then their verdicts decide. An address without a verdict counts as ``Reach/here``.
    ///
    /// - Complexity: O(*n* log *n*) for *n* addresses.
    public var addressesByReach: [String] {
        guard addresses.count > 1 else { return addresses }
        let ranked = addresses.enumerated().map { index, address in
            let verdict = reach[address] ?? .here
            let isScoped = address.utf8.contains(UInt8(ascii: "%"))
            return (verdict.canWork ? 0 : 1, isScoped ? 1 : 0, verdict, index)
        }
        return ranked.sorted { $0 < $1 }.map { addresses[$0.3] }
    }

    /// The addresses that may work, the best first.
    public var workingAddresses: [String] {
        addressesByReach.filter { reach[$0]?.canWork ?? true }
    }

    /// Whether the device has addresses, and each has a verdict by which it cannot work.
    public var isUnreachable: Bool {
        !addresses.isEmpty && addresses.allSatisfy { reach[$0]?.canWork == false }
    }
}
