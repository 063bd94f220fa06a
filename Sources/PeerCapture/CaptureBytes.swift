// Reads a capture as the lines of a recording.
import DiffCore
import FoundationEssentials
package import PeerModel
package import PeerRecording

/// The lines of a list that hears the packets of a capture.
///
/// The events of the packets go through the same list and the same encoder as the events of a link, with the times of
/// the packets. The observer is the capture. What happened is added by the session that plays the lines.
package final class CaptureBytes: ByteSource {
    /// The maximum size of the lines: a number of bytes, and a number for each byte of the file, compressed as it is.
    /// Of a capture of a network, the lines are smaller than the unpacked file.
    private static let lineLimit = (all: 64 << 20, perByte: 24)
    /// The maximum number and size of the datagrams that are kept until the clock is set.
    private static let earlyLimit = (count: 16_384, size: 4 << 20)

    private let source: any ByteSource
    private let readCount: ReadCount?
    private let name: String
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
    private var encoder = LineEncoder()
    private var interfaces: [InterfaceKey: NetworkInterface] = [:]
    private var hasBegun = false
    private var hasEnded = false
    private var omissions: [Omission: (count: Int, first: CaptureReader.Position)] = [:]
    /// The first time that the clock was set, the list's time then, and the number of times.
    private var setting: (CaptureClock.Setting, time: Int64, CaptureReader.Position)?
    private var settingCount = 0
    private var lineSize = 0
    private var inputSize = 0
    private var damage: [RecordingDamage] = []

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

    /// The lines of a capture.
    ///
    /// - Parameters:
    ///   - source: The bytes of the capture, unpacked.
    ///   - name: The name of the file, or of standard input.
    ///   - readCount: The number of bytes that were read of the file, compressed as they are.
    ///   - makerOf: Returns the maker to which a MAC address is registered.
    package init(
        _ source: any ByteSource, named name: String, readCount: ReadCount? = nil,
        makerOf: @escaping @Sendable (MACAddress) -> String? = MakerRegistry.lookup()
    ) {
        let file = name.split(separator: "/").last.map(String.init) ?? name
        (self.source, self.name, self.readCount) = (source, file, readCount)
        // What arrives in a pipe is shown at once.
        keepsEarly = readCount == nil || readCount?.all != nil
        let stem = file.split(separator: ".").first.map(String.init) ?? file
        reader = CaptureReader(name: name == "standard input" ? "capture" : stem)
        listing = PeerListing(makerOf: makerOf)
    }

    /// Returns the lines of the next packets, as soon as there are any.
    ///
    /// - Throws: ``RecordingError`` if the capture cannot be read, or has no packet of multicast DNS.
    package func read() throws(RecordingError) -> [UInt8] {
        while !hasEnded {
            let bytes = try source.read()
            var lines: [UInt8] = []
            if bytes.isEmpty {
                hasEnded = true
                reader.finish()
                try finish(&lines)
            } else {
                inputSize += bytes.count
                reader.append(bytes)
                while !isOverflown, let packet = reader.next() { handle(packet, &lines) }
                if isOverflown {
                    hasEnded = true
                    try finish(&lines)
                }
            }
            if !lines.isEmpty { return lines }
        }
        return []
    }

    package func removeDamage() -> RecordingDamage? { damage.isEmpty ? nil : damage.removeFirst() }

    /// Whether more lines were made than of any capture of a network.
    private var isOverflown: Bool {
        lineSize > Self.lineLimit.all + Self.lineLimit.perByte * (readCount?.read ?? inputSize)
    }

    private func handle(_ packet: CaptureReader.Packet, _ lines: inout [UInt8]) {
        let position = CaptureReader.Position(packet: reader.packetCount, offset: packet.offset)
        let time = time(of: packet, position, &lines)
        fragments.advance(to: time)
        let content = PacketContent(
            reader.buffer, packet.bytes, linkType: packet.linkType,
            originalLength: packet.originalLength)
        switch content {
        case .datagram(let datagram):
            if handle(datagram, of: packet, at: time, position, &lines) { return }
        case .fragment(let fragment):
            let whole = fragments.add(fragment, on: packet.interface, at: time, position)
            if case .datagram(let datagram) = whole,
                handle(datagram, of: packet, at: time, position, &lines)
            {
                return
            }
        case .truncated: omit(.truncated, position)
        case .unknownLink: omit(.unknownLink, position)
        case .tooManyVLANs: omit(.tooManyVLANs, position)
        case .other: break
        }
        omitLostFragments()
        if hasBegun { write(discovery.advance(to: time), &lines) }
    }

    /// Returns the list's time at a packet.
    private func time(
        of packet: CaptureReader.Packet, _ position: CaptureReader.Position, _ lines: inout [UInt8]
    ) -> Int64 {
        let wasUnset = clock.isUnset
        let new = clock.advance(to: packet.time)
        if new != nil, wasUnset, !clock.isUnset, !hasBegun {
            // The list can still begin at the right time.
            let shift = clock.moveToPacket()
            for index in early.indices { early[index].time += shift }
            handleEarly(&lines)
        }
        let time = clock.time ?? packet.time
        if let new {
            settingCount += 1
            setting = setting ?? (new, time, position)
        }
        return time
    }

    /// Handles a datagram that a packet has completed; returns `false` if there is no room for its interface.
    private func handle(
        _ datagram: Datagram, of packet: CaptureReader.Packet, at time: Int64,
        _ position: CaptureReader.Position, _ lines: inout [UInt8]
    ) -> Bool {
        guard let interface = interface(of: packet, datagram) else {
            omit(.tooManyInterfaces, position)
            return false
        }
        guard keepsEarly, clock.isUnset, !hasBegun else {
            receive(datagram, on: interface, at: time, &lines)
            return true
        }
        early.append((datagram, interface, time))
        earlySize += datagram.payload.count
        if early.count == Self.earlyLimit.count || earlySize > Self.earlyLimit.size {
            handleEarly(&lines)
        }
        return true
    }

    private func handleEarly(_ lines: inout [UInt8]) {
        keepsEarly = false
        for (datagram, interface, time) in early {
            receive(datagram, on: interface, at: time, &lines)
        }
        early = []
    }

    private func receive(
        _ datagram: Datagram, on interface: NetworkInterface, at time: Int64,
        _ lines: inout [UInt8]
    ) {
        if !hasBegun { begin(at: time, &lines) }
        write(discovery.receive(datagram, on: interface, at: time), &lines)
    }

    private func omit(_ omission: Omission, _ position: CaptureReader.Position) {
        omissions[omission, default: (0, position)].count += 1
    }

    private func omitLostFragments() {
        for loss in fragments.removeLosses() {
            switch loss.reason {
            case .incomplete: omit(.incomplete, loss.position)
            case .overlapping: omit(.overlapping, loss.position)
            case .limit: omit(.tooManyFragments, loss.position)
            }
        }
    }

    private func interface(
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

// MARK: Lines

extension CaptureBytes {
    private func begin(at time: Int64, _ lines: inout [UInt8]) {
        hasBegun = true
        let start = Timestamp(microseconds: time)
        let header = LineHeader(
            run: Identity.uuid(forName: "\(name) \(start)"), observerHost: name,
            observerID: Identity.uuid(forName: name), backend: LineHeader.captureBackend,
            grouping: .device)
        lines += encoder.begin(header, at: start)
        write(discovery.begin(at: time), &lines)
    }

    private func write(_ events: [DiscoveryEvent], _ lines: inout [UInt8]) {
        for event in events where !isOverflown {
            let size = lines.count
            defer { lineSize += lines.count - size }
            let outcome = listing.apply(event)
            if let update = outcome.update { lines += encoder.update(update) ?? [] }
            for notice in outcome.notices { lines += encoder.notice(notice) }
        }
    }

    private func finish(_ lines: inout [UInt8]) throws(RecordingError) {
        fragments.removeAll()
        omitLostFragments()
        handleEarly(&lines)
        if let (setting, time, position) = setting {
            let message = setting.message(time: time, count: settingCount)
            add(message, position, isCutOff: true)
        }
        for omission in Omission.allCases {
            guard let (count, first) = omissions[omission] else { continue }
            add(omission.message(count), first, isCutOff: true)
        }
        if let failure = reader.failure {
            damage.append(
                RecordingDamage(
                    packet: reader.packetCount + 1, byte: failure.offset,
                    message: failure.message, isCutOff: failure.isCutOff))
        }
        if isOverflown {
            add(
                """
                what follows is left out: this capture makes \(lineSize >> 20) MiB of lines, too many for its \
                size; if it is compressed, unpack it
                """, .init(packet: reader.packetCount, offset: reader.offset), isCutOff: false)
        }
        guard hasBegun else {
            let reasons = damage.map { "; \($0)" }.joined()
            throw RecordingError(
                """
                \(name) is a capture without multicast DNS: none of its \(reader.packetCount) packets is \
                from or to UDP port \(Datagram.port)\(reasons)
                """
            )
        }
        write(discovery.finish(), &lines)
        let isWhole = reader.failure == nil && !isOverflown
        lines += encoder.end(isWhole ? .finished : .failed, at: discovery.time)
    }

    private func add(_ message: String, _ position: CaptureReader.Position, isCutOff: Bool) {
        damage.append(
            RecordingDamage(
                packet: position.packet, byte: position.offset, message: message,
                isCutOff: isCutOff))
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

extension RecordingFormat {
    /// Captures, pcap and pcapng.
    package static let capture = RecordingFormat(
        startSize: 4, isFormat: CaptureReader.isCapture,
        lines: { CaptureBytes($0, named: $1, readCount: $2) })
}
