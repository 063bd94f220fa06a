// Recognises two machines that announce one host name.
import FoundationEssentials

/// Two senders of one host's records that are two machines.
///
/// A machine with two network cards on a link has two addresses and two MAC addresses too, and answers from both.
/// Each of its cards may leave an answer to the other one, as the answers are equal, but which one does is left to
/// chance. So two senders are two machines only if each record of a service always came from one of them, many times.
struct HostConflict: Hashable {
    /// The number of packets that must have repeated what was heard before, of which chance would have mixed half.
    static let leastRepetitions = 10

    /// The addresses of the senders, in order.
    let addresses: [HostAddress]

    /// Finds two machines among the senders of a device's own records; `nil` if there is one.
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
                // Both must have announced their addresses again and again.
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
