// Reads a capture as the steps of a list.
package import PeerModel

/// The list that hears the packets of a capture.
///
/// The events of the packets go through the same list as the events of a link, with the times of the packets. Bytes are
/// appended as they are read, and give the steps that they complete. A copy goes on by itself, given the bytes from its
/// ``offset`` on.
package struct CapturedList: Sendable {
    /// A step of the list, in the order of the packets.
    package enum Step: Sendable {
        /// The list begins, and is empty.
        case begin(Timestamp)
        case update(PeerListUpdate)
        case notice(Notice)
        /// The list ends, and all of the capture was read or not.
        case end(Timestamp, isWhole: Bool)
        /// A part of the capture was left out; after the end.
        case damage(CapturePosition, String, isCutOff: Bool)
    }

    /// The maximum number and size of the datagrams that are kept until the clock is set.
    private static let earlyLimit = (count: 16_384, size: 4 << 20)

    /// The name of the file, or of standard input.
    package let name: String
    private var reader: CaptureReader
    private var clock = CaptureClock()
    private var fragments = FragmentTable()
    /// The datagrams from before the clock was set, until it is.
    private var early: [(datagram: Datagram, interface: NetworkInterface, time: Int64)] = []
    private var earlySize = 0
    /// Whether datagrams from before the clock was set are kept until it is.
    private var keepsEarly: Bool
    private var discovery = CaptureDiscovery()
    private var listing: PeerListing
    private var interfaces: [InterfaceKey: NetworkInterface] = [:]
    private var hasBegun = false
    /// Whether all bytes were appended.
    package private(set) var hasEnded = false
    private var omissions: [Omission: (count: Int, first: CapturePosition)] = [:]
    /// The first time that the clock was set, the list's time then, and the number of times.
    private var setting: (CaptureClock.Setting, time: Int64, CapturePosition)?
    private var settingCount = 0
    /// The steps that are made, the events that are to be applied after them, and the steps after those.
    private var steps: ArraySlice<Step> = []
    private var events: ArraySlice<DiscoveryEvent> = []
    private var lastSteps: [Step] = []

    private struct InterfaceKey: Hashable {
        let number: Int
        let index: UInt32?
        let vlans: [UInt16]
    }

    /// The reasons for which packets are left out.
    private enum Omission: Hashable, CaseIterable {
        case truncated, incomplete, overlapping, tooManyFragments
        case unknownLink, tooManyVLANs, tooManyInterfaces

        func message(_ count: Int) -> String {
            let (packets, datagrams) =
                count == 1
                ? ("this packet is", "the datagram that begins here is")
                : (
                    "\(count) packets from here on are",
                    "\(count) datagrams in fragments, of which the first begins here, are"
                )
            return switch self {
            case .truncated:
                "\(packets) left out: too few bytes were captured; capture whole packets, with tcpdump -s 0"
            case .incomplete:
                """
                \(datagrams) left out: other fragments were not captured; \
                capture them, too, with tcpdump udp port 5353 or host 224.0.0.251 or host ff02::fb
                """
            case .overlapping:
                "\(datagrams) left out: its fragments overlap, or are more than \(FragmentTable.limits.fragments)"
            case .tooManyFragments:
                "\(datagrams) left out: too many other fragments were captured before the last of it"
            case .unknownLink: "\(packets) left out: the type of the link is not known"
            case .tooManyVLANs:
                "\(packets) left out: there are more than \(PacketContent.vlanLimit) VLAN tags"
            case .tooManyInterfaces:
                "\(packets) left out: there are more than \(CaptureReader.interfaceLimit) interfaces"
            }
        }
    }

    /// The list of a capture, before any of its bytes.
    ///
    /// - Parameters:
    ///   - name: The path of the file, or the name of standard input.
    ///   - isPipe: Whether the bytes arrive as they are captured, so that each step is to be known at once.
    ///   - makerOf: Returns the maker to which a MAC address is registered.
    package init(
        named name: String, isPipe: Bool = false,
        makerOf: @escaping @Sendable (MACAddress) -> String? = MakerRegistry.lookup()
    ) {
        let file = name.split(separator: "/").last.map(String.init) ?? name
        (self.name, keepsEarly) = (file, !isPipe)
        let stem = file.split(separator: ".").first.map(String.init) ?? file
        reader = CaptureReader(name: name == "standard input" ? "capture" : stem)
        listing = PeerListing(makerOf: makerOf)
    }

    /// The number of bytes by which a capture is recognised.
    package static let startSize = 4

    /// Whether bytes are the first ones of a capture.
    package static func isCapture(_ start: [UInt8]) -> Bool { CaptureReader.isCapture(start) }

    /// The offset in the capture, unpacked, of the bytes with which the next step begins.
    package var offset: Int { reader.offset }

    /// A copy that goes on from ``offset``.
    package var checkpoint: CapturedList {
        var copy = self
        copy.reader.rewind()
        return copy
    }

    /// The memory that a copy takes once the list has gone on, as a number of listed items.
    package var weight: Int { discovery.weight }

    /// Appends bytes; all steps before must have been taken.
    package mutating func append(_ bytes: [UInt8]) { reader.append(bytes) }

    /// Returns the next step, or `nil` until more bytes are appended.
    package mutating func next() -> Step? {
        while true {
            if let step = steps.popFirst() { return step }
            if let event = events.popFirst() {
                let outcome = listing.apply(event)
                if let update = outcome.update { steps.append(.update(update)) }
                steps += outcome.notices.map(Step.notice)
            } else if !lastSteps.isEmpty {
                (steps, lastSteps) = (lastSteps[...], [])
            } else {
                guard !hasEnded, let packet = reader.next() else { return nil }
                handle(packet)
            }
        }
    }

    /// Ends the capture after its last bytes, which makes the last steps; returns why no list can be made of it, if so.
    package mutating func finish() -> String? {
        hasEnded = true
        reader.finish()
        fragments.removeAll()
        omitLostFragments()
        handleEarly()
        guard hasBegun else {
            let damage = omittedParts.map { "; \($0.position): \($0.message)" }.joined()
            return """
                \(name) is a capture without multicast DNS: none of its \(reader.packetCount) packets is \
                from or to UDP port \(Datagram.port)\(damage)
                """
        }
        events += discovery.finish()
        lastSteps = [.end(discovery.time, isWhole: reader.failure == nil)]
        lastSteps += omittedParts.map { .damage($0.position, $0.message, isCutOff: $0.isCutOff) }
        return nil
    }

    /// The position after the packet that was read last.
    package var position: CapturePosition {
        CapturePosition(packet: reader.packetCount, offset: reader.offset)
    }

    /// The parts that were left out, and whether the list is whole up to there and nothing else is damaged.
    private var omittedParts: [(position: CapturePosition, message: String, isCutOff: Bool)] {
        var parts = Omission.allCases.compactMap { omission in
            omissions[omission].map { ($0.first, omission.message($0.count), true) }
        }
        if let (setting, time, position) = setting {
            parts.insert((position, setting.message(time: time, count: settingCount), true), at: 0)
        }
        if let failure = reader.failure {
            let position = CapturePosition(packet: reader.packetCount + 1, offset: failure.offset)
            parts.append((position, failure.message, failure.isCutOff))
        }
        return parts
    }

    private mutating func handle(_ packet: CaptureReader.Packet) {
        let position = CapturePosition(packet: reader.packetCount, offset: packet.offset)
        let time = time(of: packet, position)
        fragments.advance(to: time)
        let content = PacketContent(
            reader.buffer, packet.bytes, linkType: packet.linkType,
            originalLength: packet.originalLength)
        switch content {
        case .datagram(let datagram):
            if handle(datagram, of: packet, at: time, position) { return }
        case .fragment(let fragment):
            let whole = fragments.add(fragment, on: packet.interface, at: time, position)
            if case .datagram(let datagram) = whole,
                handle(datagram, of: packet, at: time, position)
            {
                return
            }
        case .truncated: omit(.truncated, position)
        case .unknownLink: omit(.unknownLink, position)
        case .tooManyVLANs: omit(.tooManyVLANs, position)
        case .other: break
        }
        omitLostFragments()
        if hasBegun { events += discovery.advance(to: time) }
    }

    /// Returns the list's time at a packet.
    private mutating func time(
        of packet: CaptureReader.Packet, _ position: CapturePosition
    ) -> Int64 {
        let wasUnset = clock.isUnset
        let new = clock.advance(to: packet.time)
        if new != nil, wasUnset, !clock.isUnset, !hasBegun {
            // The list can still begin at the right time.
            let shift = clock.moveToPacket()
            for index in early.indices { early[index].time += shift }
            handleEarly()
        }
        let time = clock.time ?? packet.time
        if let new {
            settingCount += 1
            setting = setting ?? (new, time, position)
        }
        return time
    }

    /// Handles a datagram that a packet has completed; returns `false` if there is no room for its interface.
    private mutating func handle(
        _ datagram: Datagram, of packet: CaptureReader.Packet, at time: Int64,
        _ position: CapturePosition
    ) -> Bool {
        guard let interface = interface(of: packet, datagram) else {
            omit(.tooManyInterfaces, position)
            return false
        }
        guard keepsEarly, clock.isUnset, !hasBegun else {
            receive(datagram, on: interface, at: time)
            return true
        }
        early.append((datagram, interface, time))
        earlySize += datagram.payload.count
        if early.count == Self.earlyLimit.count || earlySize > Self.earlyLimit.size {
            handleEarly()
        }
        return true
    }

    private mutating func handleEarly() {
        keepsEarly = false
        for (datagram, interface, time) in early {
            receive(datagram, on: interface, at: time)
        }
        early = []
    }

    private mutating func receive(
        _ datagram: Datagram, on interface: NetworkInterface, at time: Int64
    ) {
        if !hasBegun {
            hasBegun = true
            steps.append(.begin(Timestamp(microseconds: time)))
            events += discovery.begin(at: time)
        }
        events += discovery.receive(datagram, on: interface, at: time)
    }

    private mutating func omit(_ omission: Omission, _ position: CapturePosition) {
        omissions[omission, default: (0, position)].count += 1
    }

    private mutating func omitLostFragments() {
        for loss in fragments.removeLosses() {
            switch loss.reason {
            case .incomplete: omit(.incomplete, loss.position)
            case .overlapping: omit(.overlapping, loss.position)
            case .limit: omit(.tooManyFragments, loss.position)
            }
        }
    }

    private mutating func interface(
        of packet: CaptureReader.Packet, _ datagram: Datagram
    ) -> NetworkInterface? {
        let key = InterfaceKey(
            number: packet.interface, index: datagram.interfaceIndex, vlans: datagram.vlans)
        if let known = interfaces[key] { return known }
        guard interfaces.count < CaptureReader.interfaceLimit else { return nil }
        let name =
            datagram.interfaceIndex.map { "if\($0)" } ?? reader.interfaceNames[packet.interface]
        let vlans = datagram.vlans.map { ".\($0)" }.joined()
        let interface = NetworkInterface(
            index: Int32(interfaces.count + 1),
            name: name.prefix(CaptureReader.nameLimit - vlans.utf8.count) + vlans)
        interfaces[key] = interface
        return interface
    }
}

extension CaptureClock.Setting {
    /// Returns a description, given the list's time then, and the number of times that the clock was set.
    fileprivate func message(time: Int64, count: Int) -> String {
        func text(_ time: Int64) -> String {
            "\(Timestamp(microseconds: time).description.prefix(19))Z"
        }
        let setting =
            "the clock was set \(to < from ? "back " : "")from \(text(from)) to \(text(to))"
        let effect =
            time == to
            ? "the times before are corrected by that"
            : "the list's time goes on from \(text(time))"
        return "\(setting); \(effect)" + (count > 1 ? "; it was set \(count) times in all" : "")
    }
}
