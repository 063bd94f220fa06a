// Reads the answer to a request for a description, as its bytes arrive.

/// The answer of an HTTP server (RFC 9112, sections 4 to 7) to a single request on a connection.
///
/// The head has at most 8 KiB, and so have the lines between the chunks of a body together; the body has at most 64
/// KiB. A redirection is not followed.
package struct HTTPAnswer: Sendable {
    /// The maximum size in bytes of the head.
    package static let headLimit = 8_192
    /// The maximum size in bytes of the body.
    package static let bodyLimit = XMLReader.sizeLimit

    /// The reason for which an answer is not read.
    package enum Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        /// Another status than 200.
        case status(Int)
        case tooLong, encoded, malformed, cutShort

        package var description: String {
            switch self {
            case .status(let status): "the device answered with status \(status)"
            case .tooLong: "the answer is longer than \(bodyLimit) bytes"
            case .encoded: "the answer is compressed"
            case .malformed: "the answer is not valid HTTP"
            case .cutShort: "the connection ended before the answer was complete"
            }
        }
    }

    /// The state of an answer.
    package enum Progress: Sendable, Hashable {
        case needsMore
        case body([UInt8])
        case refused(Refusal)
    }

    /// The part of the answer to which the next byte belongs.
    private enum Part {
        case status, header
        /// The body, or a chunk of it, of which a number of bytes is missing.
        case counted(Int, isChunk: Bool)
        case untilEnd
        case chunkSize, chunkEnd
    }

    package private(set) var progress = Progress.needsMore
    private var part = Part.status
    /// The start of the line that is read.
    private var line: [UInt8] = []
    /// The size of the lines so far, of the head or between chunks.
    private var lineBytes = 0
    private var body: [UInt8] = []
    private var length: Int?
    private var isChunked = false

    package init() {}

    /// Reads the next bytes; bytes behind the body are ignored.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty, progress == .needsMore {
            do throws(Refusal) {
                switch part {
                case .counted(let count, let isChunk): try appendBody(&rest, count, isChunk)
                case .untilEnd:
                    guard body.count + rest.count <= Self.bodyLimit else { throw .tooLong }
                    body += rest
                    rest = []
                case .status, .header, .chunkSize, .chunkEnd: try appendLine(&rest)
                }
            } catch {
                progress = .refused(error)
            }
        }
    }

    /// Ends the answer, since the connection has ended.
    package mutating func finish() {
        guard progress == .needsMore else { return }
        if case .untilEnd = part { progress = .body(body) } else { progress = .refused(.cutShort) }
    }

    private mutating func appendBody(
        _ rest: inout ArraySlice<UInt8>, _ count: Int, _ isChunk: Bool
    ) throws(Refusal) {
        let taken = rest.prefix(count)
        body += taken
        rest = rest.dropFirst(taken.count)
        if taken.count < count {
            part = .counted(count - taken.count, isChunk: isChunk)
        } else if isChunk {
            part = .chunkEnd
        } else {
            progress = .body(body)
        }
    }

    private mutating func appendLine(_ rest: inout ArraySlice<UInt8>) throws(Refusal) {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        let taken = end.map { rest[...$0] } ?? rest
        lineBytes += taken.count
        guard lineBytes <= Self.headLimit else { throw .tooLong }
        line += taken
        rest = rest.dropFirst(taken.count)
        guard end != nil else { return }
        var whole = line[...].dropLast()
        if whole.last == UInt8(ascii: "\r") { whole = whole.dropLast() }
        line = []
        switch part {
        case .status: try readStatus(whole)
        case .header: try readHeader(whole)
        case .chunkSize: try readChunkSize(whole)
        case .chunkEnd:
            guard whole.isEmpty else { throw .malformed }
            part = .chunkSize
        case .counted, .untilEnd: break
        }
    }

    private mutating func readStatus(_ line: ArraySlice<UInt8>) throws(Refusal) {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3,
            let status = Int(digits: words[1])
        else { throw .malformed }
        guard status == 200 else { throw .status(status) }
        part = .header
    }

    private mutating func readHeader(_ line: ArraySlice<UInt8>) throws(Refusal) {
        guard !line.isEmpty else { return try beginBody() }
        guard let field = HeaderField(line) else { throw .malformed }
        let value = String(decoding: field.value, as: UTF8.self).lowercased()
        switch field.name {
        case "content-length":
            guard let number = Int(digits: value), length == nil || length == number else {
                throw .malformed
            }
            length = number
        case "transfer-encoding" where value == "chunked": isChunked = true
        case "transfer-encoding", "content-encoding":
            guard value == "identity" else { throw .encoded }
        default: break
        }
    }

    private mutating func beginBody() throws(Refusal) {
        lineBytes = 0
        switch (isChunked, length) {
        case (true, _): part = .chunkSize
        case (false, nil): part = .untilEnd
        case (false, 0?): progress = .body([])
        case (false, let length?):
            guard length <= Self.bodyLimit else { throw .tooLong }
            part = .counted(length, isChunk: false)
        }
    }

    private mutating func readChunkSize(_ line: ArraySlice<UInt8>) throws(Refusal) {
        let size = String(decoding: line, as: UTF8.self).prefix { $0 != ";" && $0 != " " }
        guard let number = Int(digits: size, radix: 16) else { throw .malformed }
        guard number <= Self.bodyLimit - body.count else { throw .tooLong }
        // Trailers follow the last chunk, and are of no use.
        if number == 0 { progress = .body(body) } else { part = .counted(number, isChunk: true) }
    }
}
