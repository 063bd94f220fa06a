// Plays what devices tell by SSDP and WS-Discovery to a list, with a clock of its own.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import SilentDevices
import SilentMessages

/// A table of silent devices whose events go to a list, beside those of multicast DNS.
final class SilentScript {
    var table = SilentTable()
    let list = EventScript()
    /// The requests that the table made, besides reports.
    private(set) var requests: [SilentTable.Effect] = []
    private(set) var reports: [DiscoveryEvent.Kind] = []
    /// The time in seconds.
    private(set) var now: Int64 = 0

    var rows: [Peer] { list.peers }

    /// Lets time pass, and what is due happen.
    func wait(_ seconds: Int64) {
        now += seconds
        perform(table.advance(to: now * 1_000_000))
    }

    func perform(_ effects: [SilentTable.Effect]) {
        for effect in effects {
            if case .report(let kind) = effect {
                reports.append(kind)
                list.feed(kind)
            } else {
                requests.append(effect)
            }
        }
    }

    /// Hears a statement from 10.0.0.`last`.
    func hear(_ statement: Statement, from last: UInt8 = 1, mac: MACAddress? = nil) {
        hear(statement, from: address(last), mac: mac)
    }

    func hear(_ statement: Statement, from address: HostAddress, mac: MACAddress? = nil) {
        let path = NetworkPath(interface: eth0, family: address.family)
        perform(
            table.hear(
                statement, from: SilentDevice.Origin(address, on: path, mac: mac),
                at: now * 1_000_000))
    }

    func describe(_ device: String, as type: String? = nil, _ values: [String: String]) {
        perform(table.describe(SilentDevice.Key(speaker: .ssdp, device: device), as: type, values))
    }

    /// Tells what a media renderer tells: itself, its type and a service.
    func renderer(
        _ device: String = uuid(1), from last: UInt8 = 1, mac: MACAddress? = nil,
        lifetime: UInt32 = 1_800
    ) {
        for type in [nil, "upnp:MediaRenderer:1", "upnp:AVTransport:1"] {
            hear(
                ssdp(device, type, at: "http://10.0.0.\(last):80/d", lifetime: lifetime),
                from: last, mac: mac)
        }
    }
}

/// A statement of SSDP: of the root device without a type.
func ssdp(
    _ device: String, _ type: String? = nil, at location: String = "", lifetime: UInt32 = 1_800,
    isGoodbye: Bool = false
) -> Statement {
    var statement = Statement(.ssdp, of: device, isWhole: type == nil)
    statement.types = [type].compactMap(\.self)
    (statement.location, statement.lifetime) = (location, lifetime)
    statement.isGoodbye = isGoodbye
    return statement
}

func wsd(_ device: String, _ types: [String], at location: String = "") -> Statement {
    var statement = Statement(.wsd, of: device, isWhole: true)
    (statement.types, statement.location) = (types, location)
    return statement
}

/// A UUID of SSDP with a number.
func uuid(_ number: Int) -> String {
    let digits = String(number)
    return "uuid:4d696e69-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
        + digits
}
