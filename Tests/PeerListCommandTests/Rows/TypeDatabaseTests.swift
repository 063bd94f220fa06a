// Avahi's names of the service types are read in whichever form they are installed.
import Foundation
import LabSupport
import Testing

@testable import PeerListCommand

@Suite struct TypeDatabaseTests {
    @Test func `lines are read, other languages and what is no type are passed over`() {
        let text = """
            # types
            _ipp._tcp:Internet Printer
            _ipp._tcp[de]:Internet-Drucker
            _acrobatSRV._tcp:Adobe: Acrobat
            nonsense
            _empty._tcp:
            """
        #expect(
            TypeDatabase.titles(in: Array(text.utf8))
                == ["_ipp._tcp": "Internet Printer", "_acrobatsrv._tcp": "Adobe: Acrobat"])
    }

    /// A file of GNU dbm with one bucket.
    private func database(_ pairs: [(String, String)]) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let count = pairs.count + 2
        let header =
            number(0x1357_9ACF, 4) + number(4096, 4) + number(64, 8) + number(16, 4) + number(1, 4)
            + number(0, 4) + number(count, 4)
        let bucket = 80
        var content = bucket + 112 + 24 * count
        var elements: [UInt8] = []
        var texts: [UInt8] = []
        for (key, value) in pairs {
            elements += number(7, 4) + Array(key.utf8.prefix(4)) + number(content, 8)
            elements += number(key.utf8.count, 4) + number(value.utf8.count, 4)
            texts += Array((key + value).utf8)
            content += key.utf8.count + value.utf8.count
        }
        for _ in pairs.count..<count {
            elements += number(-1, 4) + [UInt8](repeating: 0, count: 20)
        }
        return header + [UInt8](repeating: 0, count: 64 - header.count) + number(bucket, 8)
            + number(bucket, 8) + [UInt8](repeating: 0, count: 112) + elements + texts
    }

    @Test func `a file of GNU dbm is read`() {
        let bytes = database([
            ("_ipp._tcp", "Internet Printer"), ("_ssh._tcp[fr]", "Terminal"), ("_ssh._tcp", "SSH"),
        ])
        #expect(
            TypeDatabase.titles(in: bytes)
                == ["_ipp._tcp": "Internet Printer", "_ssh._tcp": "SSH"])
    }

    @Test func `a damaged file gives fewer names, and no more`() {
        let whole = database([("_ipp._tcp", "Internet Printer"), ("_ssh._tcp", "SSH")])
        for length in whole.indices { _ = TypeDatabase.titles(in: Array(whole[..<length])) }
        for place in whole.indices {
            for byte in [UInt8(0), 0x7F, 0xFF] {
                var damaged = whole
                damaged[place] = byte
                #expect(TypeDatabase.titles(in: damaged).count <= 4)
            }
        }
    }

    @Test func `the database is found where systems keep it, lines before the other form`()
        async throws
    {
        let directory = try TemporaryDirectory()
        #expect(TypeDatabase.titles(folders: [directory.path]).isEmpty)
        try directory.write("_a._tcp:deep", to: "x86_64-linux-gnu/avahi/service-types.db")
        #expect(TypeDatabase.titles(folders: [directory.path]) == ["_a._tcp": "deep"])
        try directory.write("_a._tcp:near", to: "avahi/service-types")
        #expect(TypeDatabase.titles(folders: [directory.path]) == ["_a._tcp": "near"])
        await directory.remove()
    }

    @Test func `names that are installed come before those known here`() {
        let titles = TypeTitles(["_ipp._tcp": "Internet Printer"])
        #expect(titles.title(of: "_ipp._tcp") == "Internet Printer")
        #expect(titles.title(of: "_ssh._tcp") == "Secure shell")
        #expect(titles.title(of: "_none._tcp") == nil)
        #expect(titles.header(of: "_none._tcp") == "_none._tcp")
    }

    private static let installed = TypeDatabase.titles()

    @Test(.enabled(if: !installed.isEmpty, "Avahi's database is not installed here"))
    func `Avahi's own database is read`() {
        #expect(Self.installed["_ipp._tcp"] == "Internet Printer")
    }
}
