// Tests which JSON texts the reader accepts, and that no bytes harm it.
import Foundation
import PeerList
import TestSupport
import Testing

@testable import PeerRecording

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
        #expect(throws: JSONError.self) { try reader.string() }
    }

    @Test func `invalid UTF-8 is refused with its offset`() {
        var reader = JSONReader([0x20, 0x22, 0x61, 0xFF, 0x22])
        #expect(throws: JSONError(offset: 4, message: "a string is not UTF-8")) {
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
        #expect(throws: JSONError.self) { try reader.integer() }
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
