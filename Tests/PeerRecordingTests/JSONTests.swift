// Tests that written JSON is valid and is read back unchanged, which texts the reader accepts, and that no bytes harm it.
import Foundation
import Glibc
import PeerModel
import TestSupport
import Testing

@testable import PeerRecording

@Suite struct JSONWriterTests {
    private func read(_ fill: (inout JSONWriter) -> Void) throws -> JSONValue {
        var writer = JSONWriter()
        writer.object(fill)
        return try JSONValue(line: writer.bytes)
    }

    private func text(_ fill: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object(fill)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `every Unicode scalar is read back unchanged`() throws {
        let all = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
        for start in stride(from: 0, to: all.count, by: 4096) {
            var text = ""
            text.unicodeScalars.append(contentsOf: all[start..<min(start + 4096, all.count)])
            let back = try read { $0.write("x", text) }["x"].text
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
        let written = text { $0.write(all, all) }.unicodeScalars
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
            text { $0.write("k", "\"\\/\u{8}\t\n\u{c}\r\u{0}\u{1b}\u{7f}\u{9b}\u{202e}é") }
                == #"{"k":"\"\\/\b\t\n\f\r\u0000\u001b\u007f\u009b\u202eé"}"#)
    }

    @Test func `objects and arrays can be nested and empty`() {
        let written = text { object in
            object.object("a") { _ in }
            object.array("b") { array in
                array.object { $0.write("c", 1) }
                array.object { _ in }
                array.element("d")
            }
            object.write("e", nil as String?)
            object.write("f", nil as Int?)
            object.write("g", nil as UUID?)
            object.write("h", false)
            object.write("i", ["x", "y"])
            object.write("j", [] as [String])
            object.write("k", Int.min)
        }
        #expect(
            written == #"{"a":{},"b":[{"c":1},{},"d"],"e":null,"f":null,"g":null,"h":false,"#
                + #""i":["x","y"],"j":[],"k":-9223372036854775808}"#)
    }

    @Test func `a UUID is written in lower case`() {
        let id = UUID.example("F4DF3E71-0A9B-58CD-8E6F-0123456789AB")
        #expect(text { $0.write("id", id) } == #"{"id":"f4df3e71-0a9b-58cd-8e6f-0123456789ab"}"#)
    }

    /// The calendar is our own; the C library's is the reference.
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
            #expect(text { $0.write("t", time) } == "{\"t\":\"\(clibraryText(time))\"}")
        }
    }
}

@Suite struct JSONReaderTests {
    /// Reads past one value that is the whole text.
    private func isTaken(_ bytes: [UInt8]) -> Bool {
        var reader = JSONReader(bytes)
        do {
            try reader.skip()
            try reader.end()
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: [
        "{}", "[]", " { \"a\" : [ 1 , 2.5e-3, -0, 0.0, 1E+9 ], \"b\":null}\r\n",
        "\"\\u00e9\\\"\\/\"",
        "true", "false", "[[[]]]", "-12",
    ])
    func `valid JSON under RFC 8259 is accepted`(text: String) {
        #expect(isTaken(Array(text.utf8)))
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "[1 2]", "01", "-", "1.", ".5", "1e",
        "+1", "nul", "truely", "\"a", "\"a\u{1}\"", "{}{}", "'a'", "[,]", "NaN",
    ])
    func `invalid JSON under RFC 8259 is refused`(text: String) {
        #expect(!isTaken(Array(text.utf8)))
    }

    @Test(arguments: [
        ("\"\\u0041\\n\\t\\b\\f\\r\\/\\\\\\\"\"", "A\n\t\u{8}\u{c}\r/\\\""),
        ("\"\\ud83d\\ude00\"", "😀"), ("\"é客\"", "é客"), ("\"\"", ""), ("\"a\\u0000b\"", "a\0b"),
    ])
    func `a string is read with its escapes`(text: String, value: String) throws {
        var reader = JSONReader(Array(text.utf8))
        #expect(try reader.string() == value)
        try reader.end()
    }

    @Test(arguments: [
        "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"\\u12g4\"", "\"\\x\"", "\"\\u12\"",
    ])
    func `an unknown escape is refused`(text: String) {
        var reader = JSONReader(Array(text.utf8))
        #expect(throws: LineError.self) { try reader.string() }
    }

    @Test func `invalid UTF-8 is refused with its offset`() {
        var reader = JSONReader([0x20, 0x22, 0x61, 0xFF, 0x22])
        #expect(throws: LineError(offset: 4, message: "a string is not UTF-8")) {
            try reader.string()
        }
    }

    @Test(arguments: [("0", 0), ("-7", -7), ("9223372036854775807", Int.max)])
    func `integers are read`(text: String, value: Int) throws {
        var reader = JSONReader(Array(text.utf8))
        #expect(try reader.integer() == value)
    }

    @Test(arguments: ["1.0", "1e3", "9223372036854775808", "007", "-", "\"1\"", ""])
    func `numbers that are not integers are refused`(text: String) {
        var reader = JSONReader(Array(text.utf8))
        #expect(throws: LineError.self) { try reader.integer() }
    }

    @Test func `a value that is nested too deep is refused`() {
        #expect(isTaken(Array(repeating: 0x5B, count: 60) + Array(repeating: 0x5D, count: 60)))
        #expect(!isTaken(Array(repeating: 0x5B, count: 1_000_000)))
    }

    /// Foundation's own parser decides; a failure names its seed.
    @Test(arguments: 0..<400 as Range<UInt64>)
    func `texts with random faults are accepted exactly if Foundation accepts them`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(#"{"a":[1,-2.5e+3,"x\né",null,true],"b":{"c":"\u00e9","d":[]}}"#.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0...2, using: &generator) {
            case 0: bytes.remove(at: place)
            case 1: bytes[place] = pick(from: &generator)
            default: bytes.insert(pick(from: &generator), at: place)
            }
        }
        let isValid = (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
        #expect(isTaken(bytes) == isValid, "\(String(decoding: bytes, as: UTF8.self))")
    }

    private func pick(from generator: inout SeededGenerator) -> UInt8 {
        let bytes = Array("{}[]\",:\\ 0129-+.eEntfu".utf8)
        return bytes[Int.random(in: 0..<bytes.count, using: &generator)]
    }
}

/// A time as the C library writes it.
private func clibraryText(_ time: Timestamp) -> String {
    var seconds = Int((Double(time.microseconds) / 1_000_000).rounded(.down))
    let fraction = time.microseconds - Int64(seconds) * 1_000_000
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
    let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
    return String(
        format: "%04d-%02d-%02dT%02d:%02d:%02d.%06d", date[0], date[1], date[2], clock[0], clock[1],
        clock[2], fraction) + "Z"
}
