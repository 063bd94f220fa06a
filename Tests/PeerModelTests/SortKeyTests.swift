// Tests sort keys and orders of rows.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import TestSupport
import Testing

@Suite struct SortKeyTests {
    private let id = UUID()

    @Test func `addresses sort by number, IPv4 before IPv6 before invalid ones before none`() {
        let addresses = [
            "9.0.0.1", "10.0.0.2", "10.0.0.10", "192.168.1.1", "::1", "fd00::9", "fd00::a",
            "fd00::10", "fe80::1%eth0", "fe80::1%wlan0", "fe80::2%eth0", "not one", "10.0.0.256",
        ]
        let keys = addresses.map { SortKey(address: $0, id: id) } + [SortKey(address: nil, id: id)]
        #expect(Array(keys.dropLast(3)) == keys.dropLast(3).sorted())
        #expect(keys.dropLast(3).allSatisfy { key in keys.suffix(3).allSatisfy { key < $0 } })
        #expect(keys.max() == keys.last)
    }

    @Test func `types sort by name, rows of a type by name, and rows without a type last`() {
        let keys = [
            SortKey(type: "_http._tcp", name: "a 2", id: id),
            SortKey(type: "_http._tcp", name: "A 10", id: id),
            SortKey(type: "_ipp._tcp", name: "", id: id),
            SortKey(type: nil, name: "", id: id),
        ]
        #expect(keys.last == keys.max())
        #expect(keys[0] < keys[1] && keys[1] < keys[2])
    }

    @Test func `an order of many rows equals one made by single insertions`() {
        var rows: [(item: UUID, section: String, key: SortKey)] = []
        for number in 0..<100 {
            let id = UUID()
            let section = ["local", "a", "z"][number % 3]
            rows.append((id, section, SortKey(name: "row \(number * 37 % 100)", id: id)))
        }
        rows.append((rows[0].item, "z", rows[1].key))
        var single = ListOrder()
        for row in rows.dropLast() { single.insert(row) }
        var whole = ListOrder(rows)
        #expect(whole.snapshot() == single.snapshot())
        whole.remove(rows[5])
        single.remove(rows[5])
        #expect(whole.snapshot() == single.snapshot())
        #expect(whole.rows.map(\.section) == ["local", "a", "z"])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `updating many rows at once equals removing and inserting them one by one`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func row(_ id: UUID) -> (item: UUID, section: String, key: SortKey) {
            let name = "row \(Int.random(in: 0..<50, using: &generator))"
            let section = ["local", "a", "z"].randomElement(using: &generator) ?? ""
            return (id, section, SortKey(name: name, id: id))
        }
        let ids = (0..<300).map { Identity.uuid(forName: "\($0)") }
        var (single, whole) = (ListOrder(), ListOrder())
        var places: [UUID: ListOrder.Place] = [:]
        for _ in 0..<5 {
            let chosen = ids.shuffled(using: &generator)
            let placed = chosen[50..<250].map(row)
            let removed = chosen[..<250].compactMap { places.removeValue(forKey: $0) }
            for row in removed { single.remove(row) }
            for row in placed {
                single.insert(row)
                places[row.item] = row
            }
            whole.update(removing: removed, placing: placed)
            #expect(whole.snapshot() == single.snapshot())
            #expect(whole.rows.flatMap(\.items).count == places.count)
        }
    }
}
