// Recognises two machines that announce one host name.
import FoundationEssentials

/// Two senders of one host's records that are two machines.
///
/// A single machine with two network cards on a link also has two addresses and two MAC addresses, and answers from
/// both. Because the answers are equal, a card may leave an answer to the other card; chance decides which. So two
/// senders count as two machines only if the records of each service came from only one of them, many times.
struct HostConflict: Hashable {
    /// The minimum number of packets that repeat records heard before. If one machine sent them, about half would come
    /// from each card.
    static let leastRepetitions = 10

    /// The addresses of the senders, in order.
    let addresses: [HostAddress]

    /// Finds two machines among the senders of a device's own records; `nil` if there is only one.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - hosts: The senders of the records of its host name.
    ///   - services: The senders of the records of each of its services.
    init?(
        _ device: VouchingHost, hosts: [RecordSender: HeardPackets],
        services: @autoclosure () -> [[RecordSender: HeardPackets]]
    ) {
        guard device.macs.count > 1, !device.isSelf else { return nil }
        let own = hosts.filter {
            $0.key.address.family == .ipv4 && device.addresses.contains($0.key.address)
        }
        guard own.count > 1 else { return nil }
        let services = services()
        let senders = own.keys.sorted { $0.address < $1.address }
        for (index, left) in senders.enumerated() {
            for right in senders[(index + 1)...] where right.interface == left.interface {
                // Both must have sent the records of the host name many times.
                let announced = [left, right].allSatisfy {
                    own[$0]?.reports ?? 0 > Self.leastRepetitions
                }
                let heard = services.map { ($0[left]?.reports ?? 0, $0[right]?.reports ?? 0) }
                let repetitions = heard.reduce(0) { $0 + max(0, $1.0 + $1.1 - 1) }
                guard announced, repetitions >= Self.leastRepetitions,
                    heard.allSatisfy({ $0.0 == 0 || $0.1 == 0 })
                else { continue }
                addresses = [left.address, right.address]
                return
            }
        }
        return nil
    }
}
