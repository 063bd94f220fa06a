// Tests that written JSON is valid and is read back unchanged.
import Foundation
import PeerList
import TestSupport
import Testing

@testable import PeerRecording

@Suite struct JSONWriterTests {
    private func read(_ fill: (inout JSONObjectWriter) -> Void) throws -> JSONValue {
        var writer = JSONWriter()
        writer.object(fill)
        return try JSONValue(line: writer.bytes)
    }

    private func text(_ fill: (inout JSONObjectWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object(fill)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `every Unicode scalar is read back unchanged`() throws {
        let all = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
        for start in stride(from: 0, to: all.count, by: 4096) {
            var text = ""
            text.unicodeScalars.append(contentsOf: all[start..<min(start + 4096, all.count)])
            let back = try read { $0.member("x", text) }["x"].text
            #expect(
                back.utf8.elementsEqual(text.utf8), "from U+\(String(all[start].value, radix: 16))")
        }
    }

    @Test func `a character is escaped at any position`() throws {
        for length in 1...17 {
            for place in 0..<length {
                for value in UInt8(0)...0x7F {
                    var bytes = [UInt8](repeating: UInt8(ascii: "!"), count: length)
                    bytes[place] = value
                    let text = String(decoding: bytes, as: UTF8.self)
                    var writer = JSONWriter()
                    writer.string(text)
                    let mustEscape = value < 0x20 || [0x22, 0x5C, 0x7F].contains(value)
                    let isEscaped = writer.bytes.contains(UInt8(ascii: "\\"))
                    #expect(isEscaped == mustEscape, "\(value) at \(place) of \(length)")
                    #expect(mustEscape || writer.bytes.dropFirst().dropLast() == bytes[...])
                }
            }
        }
    }

    @Test func `a line contains no terminal controls and no line terminators`() {
        let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
        var all = ""
        all.unicodeScalars.append(contentsOf: scalars)
        let written = text { $0.member(all, all) }.unicodeScalars
        let acting = written.filter { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                true
            default: false
            }
        }
        #expect(acting.isEmpty)
    }

    @Test func `short escapes are used if they exist`() {
        #expect(
            text { $0.member("k", "\"\\/\u{8}\t\n\u{c}\r\u{0}\u{1b}\u{7f}\u{9b}\u{202e}é") }
                == #"{"k":"\"\\/\b\t\n\f\r\u0000\u001b\u007f\u009b\u202eé"}"#)
    }

    @Test func `objects and arrays can be nested and empty`() {
        let written = text { object in
            object.object("a") { _ in }
            object.array("b") { array in
                array.object { $0.member("c", 1) }
                array.object { _ in }
                array.element("d")
            }
            object.member("e", nil as String?)
            object.member("f", nil as Int?)
            object.member("g", nil as UUID?)
            object.member("h", false)
            object.member("i", ["x", "y"])
            object.member("j", [])
            object.member("k", Int.min)
        }
        #expect(
            written == #"{"a":{},"b":[{"c":1},{},"d"],"e":null,"f":null,"g":null,"h":false,"#
                + #""i":["x","y"],"j":[],"k":-9223372036854775808}"#)
    }

    @Test func `a UUID is written in lower case`() {
        let id = UUID.example("F4DF3E71-0A9B-58CD-8E6F-0123456789AB")
        #expect(text { $0.member("id", id) } == #"{"id":"f4df3e71-0a9b-58cd-8e6f-0123456789ab"}"#)
    }

    /// The calendar is our own; the C library's, which `description` asks, is the reference.
    @Test func `a timestamp is written like the C library does`() throws {
        var generator = SeededGenerator(seed: 1)
        let centuries: Int64 = 8_000_000_000_000_000
        var moments = (0..<5000).map { _ in
            Int64.random(in: -centuries...centuries, using: &generator)
        }
        for year: Int64 in 1600...2400 {
            let newYear = (year - 1970) * 31_556_952_000_000
            moments += [newYear - 86_400_000_000, newYear, newYear + 59 * 86_400_000_000]
        }
        moments += [0, -1, 1, 951_782_400_000_000, 951_868_799_999_999, 4_107_542_400_000_000]
        for moment in moments where moment > -11_670_000_000_000_000 {
            let time = Timestamp(microseconds: moment)
            #expect(text { $0.member("t", time) } == "{\"t\":\"\(time.description)\"}")
        }
    }
}
