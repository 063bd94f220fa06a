// Finds the device that a service or an embedded device belongs to.
import PeerModel
import SilentMessages

/// The root devices of descriptions, and the statements of devices that may be embedded in one.
struct RootDevices {
    typealias Heard = (statement: Statement, origin: SilentDevice.Origin)

    /// The time in which a device names the device that it is in: answers come within two seconds.
    static let patience: Int64 = 2_500_000
    /// The maximum number of devices in devices.
    private static let memberLimit = 4_096
    /// The maximum numbers of devices that wait for their root device, and of the statements of each.
    private static let waitingLimit = 256
    private static let waitingStatementLimit = 16

    /// The description of a device, as a sender announces it; another sender may announce the same URL.
    struct Page: Hashable {
        let url: String
        let sender: HostAddress
    }

    /// The outcome of the search for the root device of a statement.
    enum Outcome {
        case found(SilentDevice.Key)
        /// The statement is kept until its root device is known.
        case waits(isFirst: Bool)
        /// There is no room.
        case omitted
    }

    private var roots: [Page: SilentDevice.Key] = [:]
    /// The root devices of the devices in them.
    private var members: [SilentDevice.Key: SilentDevice.Key] = [:]
    /// The statements of devices that may be in another one, until that is known.
    private var waiting: [SilentDevice.Key: [Heard]] = [:]
    /// The number of devices without room.
    private(set) var omittedCount = 0

    /// Returns the known root device of a device, or the device itself.
    func root(of key: SilentDevice.Key) -> SilentDevice.Key { members[key] ?? key }

    /// Finds the root device to which a statement of a device belongs.
    mutating func find(
        for key: SilentDevice.Key, _ statement: Statement, _ origin: SilentDevice.Origin,
        in devices: [SilentDevice.Key: SilentDevice]
    ) -> Outcome {
        if statement.isWhole {
            members[key] = nil
            return .found(key)
        }
        let page = Page(url: statement.location, sender: origin.address)
        if let root = members[key] ?? roots[page],
            devices[root]?.addresses[origin.address] != nil
        {
            return add(key, to: root) ? .found(root) : .omitted
        }
        if page.url.isEmpty || devices[key] != nil { return .found(key) }
        let count = waiting[key]?.count
        guard count != nil || waiting.count < Self.waitingLimit else {
            omittedCount += 1
            return .omitted
        }
        if count ?? 0 < Self.waitingStatementLimit {
            waiting[key, default: []].append((statement, origin))
        }
        return .waits(isFirst: count == nil)
    }

    /// Adds a device that is in another one; returns whether there is room.
    private mutating func add(_ member: SilentDevice.Key, to root: SilentDevice.Key) -> Bool {
        guard member != root, members[member] != root else { return true }
        guard members.count < Self.memberLimit else {
            omittedCount += 1
            return false
        }
        members[member] = root
        return true
    }

    /// Notes the root device of a description; removes and returns the statements that wait for it.
    mutating func set(_ root: SilentDevice.Key, of page: Page) -> [Heard] {
        guard roots.updateValue(root, forKey: page) != root else { return [] }
        var ready: [Heard] = []
        for (member, statements) in waiting
        where statements[0].statement.location == page.url
            && statements[0].origin.address == page.sender
        {
            waiting[member] = nil
            if add(member, to: root) { ready += statements }
        }
        return ready
    }

    /// Removes and returns the statements of a device whose root device has not been heard.
    mutating func removeWaiting(of key: SilentDevice.Key) -> [Heard] {
        waiting.removeValue(forKey: key) ?? []
    }

    /// Removes the statements that a device has made from an address, if it waits.
    mutating func removeWaiting(of key: SilentDevice.Key, from address: HostAddress) {
        if waiting[key]?.first?.origin.address == address { waiting[key] = nil }
    }

    mutating func remove(_ page: Page) { roots[page] = nil }

    /// Forgets a root device, its descriptions and the devices in it.
    mutating func remove(_ root: SilentDevice.Key) {
        roots = roots.filter { $0.value != root }
        members = members.filter { $0.value != root }
    }
}
