// The messages between the list and the helper process as a reader of SSDP and WS-Discovery.
package import SilentMessages
package import StackProtocol

/// The argument with which the helper is started as a reader of SSDP and WS-Discovery.
package let silentArgument = "silent"

/// A request to the reader.
package enum SilentRequest: StackMessage {
    /// The first message.
    case hello(version: UInt16)
    /// Read the socket that is passed with this message, under a number, on an interface with a name.
    case listen(UInt32, Statement.Speaker, StackPath, String)
    /// Close the socket with this number.
    case close(UInt32)
    /// Write a request to the stream that is passed with this message, and read the description that it is answered by.
    case fetch(UInt32, Statement.Speaker, request: [UInt8])
    /// Append what is heard from now on to the capture that is passed with this message, and close the former one.
    case capture

    package init(from fields: inout FieldReader) throws(FrameError) {
        switch try fields.read(UInt8.self) {
        case 1: self = .hello(version: try fields.version())
        case 2:
            let (id, speaker, path): (UInt32, Statement.Speaker, StackPath) = try fields.readAll()
            guard path.interface > 0, path.family >= 0 else { throw .badValue }
            self = .listen(id, speaker, path, try fields.read())
        case 3: self = .close(try fields.read())
        case 4:
            let (id, speaker, request): (UInt32, Statement.Speaker, [UInt8]) = try fields.readAll()
            self = .fetch(id, speaker, request: request)
        case 5: self = .capture
        case let kind: throw .unknownKind(kind)
        }
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        switch self {
        case .hello(let version): try fields.write(UInt8(1), version)
        case .listen(let id, let speaker, let path, let name):
            try fields.write(UInt8(2), id, speaker, path, name)
        case .close(let id): try fields.write(UInt8(3), id)
        case .fetch(let id, let speaker, let request):
            try fields.write(UInt8(4), id, speaker, request)
        case .capture: try fields.write(UInt8(5))
        }
    }
}

/// An event of the reader.
package enum SilentEvent: StackMessage {
    /// The first message.
    case hello(version: UInt16)
    /// The reader is confined, and listens.
    case listening
    /// The parts of the confinement that the system refused; sent once, if there are any.
    case unconfined(Confinement)
    /// The content of a packet, its sender's address of 4 or 16 bytes, and the index of the interface.
    case told(Statement, sender: [UInt8], interface: Int32)
    /// The description that was fetched under a number: the type of the device, and values by their keys.
    case described(UInt32, type: String, [Statement.Text])
    /// The reason for which a description was not fetched.
    case failed(UInt32, String)

    package init(from fields: inout FieldReader) throws(FrameError) {
        switch try fields.read(UInt8.self) {
        case 1: self = .hello(version: try fields.version())
        case 2: self = .listening
        case 3: self = .unconfined(try fields.read())
        case 4:
            let statement = try fields.read(Statement.self)
            let sender = try fields.address()
            let interface = try fields.read(Int32.self)
            guard !sender.isEmpty, interface > 0 else { throw .badValue }
            self = .told(statement, sender: sender, interface: interface)
        case 5:
            let (id, type): (UInt32, String) = try fields.readAll()
            self = .described(id, type: type, try fields.texts())
        case 6:
            let (id, reason): (UInt32, String) = try fields.readAll()
            self = .failed(id, reason)
        case let kind: throw .unknownKind(kind)
        }
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        switch self {
        case .hello(let version): try fields.write(UInt8(1), version)
        case .listening: try fields.write(UInt8(2))
        case .unconfined(let missing): try fields.write(UInt8(3), missing)
        case .told(let statement, let sender, let interface):
            try fields.write(UInt8(4), statement, sender, interface)
        case .described(let id, let type, let texts):
            try fields.write(UInt8(5), id, type)
            try fields.write(texts: texts)
        case .failed(let id, let reason): try fields.write(UInt8(6), id, reason)
        }
    }
}

extension Statement.Speaker: Field {}

extension Statement: Field {
    /// The maximum numbers of types and of texts.
    package static let listLimit = 64

    package init(from fields: inout FieldReader) throws(FrameError) {
        let (speaker, device): (Speaker, String) = try fields.readAll()
        let (isGoodbye, isWhole): (Bool, Bool) = try fields.readAll()
        guard speaker != .neighbours else { throw .badValue }
        self.init(speaker, of: device, isWhole: isWhole)
        self.isGoodbye = isGoodbye
        (location, lifetime) = try fields.readAll()
        let count = Int(try fields.read(UInt8.self))
        guard count <= Self.listLimit, !device.isEmpty else { throw .badValue }
        for _ in 0..<count { types.append(try fields.read()) }
        texts = try fields.texts()
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        guard types.count <= Self.listLimit else { throw .tooLong }
        try fields.write(speaker, device, isGoodbye, isWhole, location, lifetime)
        try fields.write(UInt8(types.count))
        for type in types { try fields.write(type) }
        try fields.write(texts: texts)
    }
}

extension FieldReader {
    fileprivate mutating func texts() throws(FrameError) -> [Statement.Text] {
        let count = Int(try read(UInt8.self))
        guard count <= Statement.listLimit else { throw .badValue }
        var texts: [Statement.Text] = []
        for _ in 0..<count {
            let (key, value): (String, String) = try readAll()
            texts.append(Statement.Text(key, value))
        }
        return texts
    }
}

extension FieldWriter {
    fileprivate mutating func write(texts: [Statement.Text]) throws(FrameError) {
        guard texts.count <= Statement.listLimit else { throw .tooLong }
        try write(UInt8(texts.count))
        for text in texts { try write(text.key, text.value) }
    }
}
