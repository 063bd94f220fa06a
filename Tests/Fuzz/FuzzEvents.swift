// Fuzzes the store: any events keep it in order, and their lines fold to the list that it makes.
import DiffCore
import FoundationEssentials
import PeerRecording

@testable import PeerModel

/// Called by libFuzzer with each input: each two bytes are an event.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEvents(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: min(count, 1000)))
    let events = stride(from: 0, to: input.count - 1, by: 2).map { place in
        DiscoveryEvent(
            event(input[place], Int(input[place + 1])),
            at: Timestamp(microseconds: Int64(place) * 1_000))
    }
    for grouping in Grouping.allCases { check(events, grouping) }
    return 0
}

private func check(_ events: [DiscoveryEvent], _ grouping: Grouping) {
    let options = ListOptions(grouping: grouping)
    var listing = PeerListing(options: options)
    var store = PeerStore(options: options)
    var encoder = LineEncoder()
    var folded = RecordedList()
    let id = Identity.uuid(forName: "me.local")
    let header = LineHeader(
        run: id, observerHost: "me.local", observerID: id, backend: "daemon", grouping: grouping)
    take(encoder.begin(header, sections: [], at: Timestamp(microseconds: 0)), &folded, grouping)
    for event in events {
        _ = store.apply(event)
        check(store)
        let outcome = listing.apply(event)
        precondition(listing.openCount == store.openCount, "another count of open lookups")
        if let update = outcome.update {
            precondition(!update.difference.isEmpty, "a difference without a change")
            if let line = encoder.update(update) { take(line, &folded, grouping) }
        }
        for notice in outcome.notices { take(encoder.notice(notice), &folded, grouping) }
        guard case .backendChanged(let backend, _) = event.kind else { continue }
        precondition(outcome.update == nil, "who is asked is no matter of the list")
        precondition(folded.header?.backend == backend.rawValue, "the lines say another backend")
    }
    let made = beginning(with: listing.sections, grouping)
    precondition(
        beginning(with: folded.listSections, grouping) == made, "the lines fold to another list")
    #if PLANTED
        if listing.sections.count > 1, events.count > 6, listing.openCount == 3 {
            fatalError("planted")
        }
    #endif
}

private func take(_ line: [UInt8], _ list: inout RecordedList, _ grouping: Grouping) {
    do {
        try list.apply(RecordedLine(line, grouping: grouping))
    } catch {
        fatalError("a line does not fit: \(error): \(String(decoding: line, as: UTF8.self))")
    }
}

/// The references between the parts of the store.
private func check(_ store: PeerStore) {
    let open = store.services.values.count(where: \.isOpen)
    precondition(
        (open...open + store.hosts.count).contains(store.openCount),
        "\(store.openCount) lookups are open, of services \(open)")
    var services = 0
    for (name, host) in store.hosts {
        precondition(!host.serviceIDs.isEmpty, "a host without a service")
        precondition(host.addresses.count <= HostState.addressLimit, "too many addresses")
        precondition(host.macs.count <= HostState.hardwareLimit, "too many MAC addresses")
        precondition(host.services.count + host.omitted.count <= host.serviceIDs.count)
        for id in host.serviceIDs {
            precondition(store.services[id]?.host == name, "a stray service")
        }
        services += host.serviceIDs.count
    }
    precondition(
        store.services.values.count { $0.host != nil } == services, "a service without its host")
    for service in store.services.values {
        precondition(!service.sightings.isEmpty, "a service that is nowhere")
    }
}

// MARK: Events from bytes, among few services and hosts, some of which bear one another's names

private func event(_ kind: UInt8, _ value: Int) -> DiscoveryEvent.Kind {
    let key = keys[value % keys.count]
    let seen = sighting(key, kind, value)
    switch kind % 21 {
    case 17: return .linkLost(seen.interface, [seen.family], reason: "eth0 is down")
    case 18: return .linkBack(seen.interface)
    case 19: return .linkCaughtUp(seen.interface, gone: [seen])
    case 20: return .linkExpired(seen.interface, [seen.family])
    case 16:
        let macs = (0..<value % 20).compactMap { MACAddress(bytes: [2, 0, 0, 0, 0, UInt8($0)]) }
        return .hardware(host: HostName(hosts[value % hosts.count]), macs)
    case 0: return .running(host: hosts[value % hosts.count])
    case 1: return .lost(reason: "")
    case 2: return .caughtUp
    case 3: return .pending(key)
    case 4: return .unanswered(key)
    case 5:
        let addresses = (0..<value % 70).map(address)
        return .addresses(host: HostName(hosts[value % hosts.count]), addresses)
    case 6, 7: return .removed(seen)
    case 8, 9: return .found(seen)
    case 10: return .handedOver(to: backend(value), host: hosts[value % hosts.count])
    case 15: return .answered(key)
    case 14: return .ownAddresses(Set((0..<value % 3).map(address)))
    case 12:
        let txt = TXTRecord(strings: [Array("model=\(value)".utf8)])
        return .deviceInfo(host: HostName(hosts[value % hosts.count]), txt)
    case 13: return .backendChanged(to: backend(value), "it is asked")
    default:
        let id = Identity.uuid(forName: hosts[Int(kind) % hosts.count].lowercased()).uuidString
        return .resolved(
            key,
            Resolution(
                host: hosts[value / keys.count % hosts.count], port: UInt16(kind),
                txt: TXTRecord(strings: [Array("id=\(id)".utf8)]), address: address(value)))
    }
}

private let keys =
    ["a", "b", "c"].flatMap { name in
        ["_http._tcp", "_peerlist._tcp"].map { ServiceKey(name: name, type: $0, domain: "local") }
    } + [ServiceKey(name: "a", type: "_http._tcp", domain: "Example.org")]

private let hosts = [
    "h0.local", "H0.LOCAL.", "h1.local", "a._http._tcp.local", "b._peerlist._tcp.local", "", ".",
]

private func backend(_ value: Int) -> Backend { value % 2 == 0 ? .daemon : .embedded }

private func sighting(_ key: ServiceKey, _ kind: UInt8, _ value: Int) -> Sighting {
    let interface = NetworkInterface(
        index: Int32(value / 64), name: ["lo", "eth0", "eth1", ""][value / 64])
    return Sighting(
        service: key, interface: interface, family: kind & 16 == 0 ? .ipv4 : .ipv6,
        subtype: kind & 32 == 0 ? nil : "_sub")
}

private func address(_ number: Int) -> HostAddress {
    let last = UInt8(truncatingIfNeeded: number)
    if number % 3 == 0 {
        let bytes = [0xfe, 0x80] + Array(repeating: UInt8(0), count: 13) + [last]
        return HostAddress(bytes: bytes, text: "fe80::\(number)", interface: "eth\(number % 2)")
    }
    return HostAddress(bytes: [127, 0, 0, last], text: "127.0.0.\(number)", interface: "lo")
}
