// The messages between the list and the helper process as a witness, which listens on sockets that it is given.

/// The argument with which the helper is started as a witness.
package let witnessArgument = "witness"

/// A request to the witness.
package enum WitnessRequest: StackMessage {
    /// The first message.
    case hello(version: UInt16)
    /// Listen on the socket that is passed with this message (SCM_RIGHTS of unix(7)), under a number, on a path whose
    /// interface has a name.
    case listen(UInt32, StackPath, interface: String)
    /// Close the socket with this number.
    case close(UInt32)
    /// Report the replies that arrive on the socket that is passed with this message, as they arrive.
    case read(StackPath)
    /// Append what is heard from now on to the capture that is passed with this message, and close the former one.
    case capture

    package init(from fields: inout FieldReader) throws(FrameError) {
        switch try fields.read(UInt8.self) {
        case 1: self = .hello(version: try fields.version())
        case 2:
            let (id, path, name): (UInt32, StackPath, String) = try fields.readAll()
            guard path.interface > 0, path.family >= 0 else { throw .badValue }
            self = .listen(id, path, interface: name)
        case 3: self = .close(try fields.read())
        case 4: self = .capture
        case 5: self = .read(try fields.readAll())
        case let kind: throw .unknownKind(kind)
        }
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        switch self {
        case .hello(let version): try fields.write(UInt8(1), version)
        case .listen(let id, let path, let name): try fields.write(UInt8(2), id, path, name)
        case .close(let id): try fields.write(UInt8(3), id)
        case .capture: try fields.write(UInt8(4))
        case .read(let path): try fields.write(UInt8(5), path)
        }
    }
}

/// An event of the witness.
package enum WitnessEvent: StackMessage {
    /// The first message.
    case hello(version: UInt16)
    /// The witness is confined, and listens.
    case listening
    /// A change of a record; only of packets with a hop limit of 255.
    case record(WitnessedRecord)
    /// A sender of records of a name since the last such event.
    case sender(WitnessedSender)
    /// Names, senders and records that were left out since the last such event, because there are too many.
    case omitted(names: UInt32, senders: UInt32, records: UInt32)
    /// The parts of the confinement that the system refused; sent once, if there are any.
    case unconfined(Confinement)
    /// Nothing more is appended to the capture, because of an error of the system.
    case captureEnded(Int32)
    /// An SRV or PTR record in a reply to a probe.
    case reply(WitnessedRecord)

    package init(from fields: inout FieldReader) throws(FrameError) {
        switch try fields.read(UInt8.self) {
        case 1: self = .hello(version: try fields.version())
        case 2: self = .listening
        case 3: self = .record(try fields.read())
        case 4: self = .sender(try fields.read())
        case 5:
            self = .omitted(
                names: try fields.read(), senders: try fields.read(), records: try fields.read())
        case 6: self = .unconfined(try fields.read())
        case 7: self = .captureEnded(try fields.read())
        case 8: self = .reply(try fields.read())
        case let kind: throw .unknownKind(kind)
        }
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        switch self {
        case .hello(let version): try fields.write(UInt8(1), version)
        case .listening: try fields.write(UInt8(2))
        case .record(let record): try fields.write(UInt8(3), record)
        case .sender(let sender): try fields.write(UInt8(4), sender)
        case .omitted(let names, let senders, let records):
            try fields.write(UInt8(5), names, senders, records)
        case .unconfined(let missing): try fields.write(UInt8(6), missing)
        case .captureEnded(let code): try fields.write(UInt8(7), code)
        case .reply(let record): try fields.write(UInt8(8), record)
        }
    }
}

/// A change of a record that the witness heard, and the sender that made it.
package struct WitnessedRecord: Field {
    /// The owner name in wire form.
    package var name: [UInt8]
    /// The number of the type in DNS.
    package var type: UInt16
    /// The reason for which the record ends, a number of `RecordCache.End`; 0 if it was announced.
    package var end: UInt8
    /// Whether it has ended, rather than within a second.
    package var isRemoved: Bool
    /// The time to live in seconds of a record that was announced.
    package var ttl: UInt32
    /// The data, with names in wire form, not compressed.
    package var data: [UInt8]
    /// The sender's address, of 4 or 16 bytes.
    package var sender: [UInt8]
    /// The index of the interface.
    package var interface: Int32

    package init(
        name: [UInt8], type: UInt16, end: UInt8 = 0, isRemoved: Bool = false, ttl: UInt32 = 0,
        data: [UInt8], sender: [UInt8], interface: Int32
    ) {
        (self.name, self.type, self.ttl) = (name, type, ttl)
        (self.end, self.isRemoved) = (end, isRemoved)
        (self.data, self.sender, self.interface) = (data, sender, interface)
    }

    package init(from fields: inout FieldReader) throws(FrameError) {
        name = try fields.wireName()
        (type, end, isRemoved) = try fields.readAll()
        (ttl, data) = try fields.readAll()
        sender = try fields.address()
        interface = try fields.read()
        guard !sender.isEmpty, interface > 0, end > 0 || !isRemoved else { throw .badValue }
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        try fields.write(name, type, end, isRemoved, ttl, data, sender, interface)
    }
}

/// A sender of records of a name.
package struct WitnessedSender: Field {
    /// The owner name in wire form.
    package var name: [UInt8]
    /// The sender's address, of 4 or 16 bytes.
    package var sender: [UInt8]
    /// The index of the interface.
    package var interface: Int32
    /// Whether all packets had a hop limit of 255.
    package var isLocal: Bool
    /// The MAC address in an OWNER option, of 6 bytes, or none.
    package var owner: [UInt8]
    /// Whether there was a TSR option.
    package var hasTimeSinceReceived: Bool
    /// The number of packets.
    package var count: UInt32
    /// The time since the last packet, in milliseconds.
    package var age: UInt32

    package init(
        name: [UInt8], sender: [UInt8], interface: Int32, isLocal: Bool, owner: [UInt8],
        hasTimeSinceReceived: Bool, count: UInt32, age: UInt32
    ) {
        (self.name, self.sender, self.interface) = (name, sender, interface)
        (self.isLocal, self.owner) = (isLocal, owner)
        self.hasTimeSinceReceived = hasTimeSinceReceived
        (self.count, self.age) = (count, age)
    }

    package init(from fields: inout FieldReader) throws(FrameError) {
        name = try fields.wireName()
        sender = try fields.address()
        (interface, isLocal, owner) = try fields.readAll()
        (hasTimeSinceReceived, count, age) = try fields.readAll()
        guard !sender.isEmpty, interface > 0, [0, 6].contains(owner.count) else { throw .badValue }
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        try fields.write(name, sender, interface, isLocal, owner, hasTimeSinceReceived, count, age)
    }
}
