// Tests naming the makers of MAC addresses, with small files of invented assignments.
import LabSupport
import PeerModel
import Testing

@Suite struct MakerRegistryTests {
    private static let large = """
        OUI/MA-L                                                    Organization
        company_id                                                  Organization
                                                                    Address

        00-1A-2B   (hex)\t\tExample Printers, Inc.
        001A2B     (base 16)\t\tExample Printers, Inc.
        \t\t\t\t1 Deadbeef (base 16) Street
        \t\t\t\tTown  ST  12345
        \t\t\t\tUS

        00-00-5C   (hex)\t\tBeispiel Geräte GmbH\r
        00005C     (base 16)\t\tBeispiel Geräte GmbH\r
        \t\t\t\tDE\r

        74-1A-E0   (hex)\t\tIEEE Registration Authority
        741AE0     (base 16)\t\tIEEE Registration Authority

        AC-DE-48   (hex)\t\tPrivate
        ACDE48     (base 16)\t\tPrivate

        00-1A-2B   (hex)\t\tLater Holder
        001A2B     (base 16)\t\tLater Holder

        """
    private static let medium = """
        74-1A-E0   (hex)\t\tExample Lighting Ltd.
        900000-9FFFFF     (base 16)\t\tExample Lighting Ltd.

        74-1A-E0   (hex)\t\tPrivate
        A00000-AFFFFF     (base 16)\t\tPrivate

        """
    private static let small = """
        70-B3-D5   (hex)\t\tExample Sensors
        F2F000-F2FFFF     (base 16)\t\tExample Sensors

        """

    /// Calls a closure with a registry of files, after which the files are removed.
    private func withRegistry(
        _ files: [String: String], _ body: (inout MakerRegistry, TemporaryDirectory) throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        for (name, text) in files { try directory.write(text, to: name) }
        var registry = MakerRegistry(directory: directory.path)
        try body(&registry, directory)
        await directory.remove()
    }

    private func mac(_ text: String) throws -> MACAddress { try #require(MACAddress(text)) }

    @Test func `a maker is found by the longest assigned prefix`() async throws {
        let files = ["oui.txt": Self.large, "mam.txt": Self.medium, "oui36.txt": Self.small]
        try await withRegistry(files) { registry, _ in
            for (text, maker) in [
                ("001a2b000000", "Example Printers, Inc."),
                ("001a2bffffff", "Example Printers, Inc."),
                ("00005c123456", "Beispiel Geräte GmbH"), ("741ae09abcde", "Example Lighting Ltd."),
                ("741ae0a00000", nil), ("741ae0b00000", nil), ("acde48000001", nil),
                ("70b3d5f2f123", "Example Sensors"), ("70b3d5f2e123", nil), ("001a2a000000", nil),
            ] as [(String, String?)] {
                let mac = try mac(text)
                #expect(registry.maker(of: mac) == maker, "\(text)")
                #expect(registry.maker(of: mac) == maker, "\(text), asked again")
            }
        }
    }

    @Test func `a locally administered address has no maker`() async throws {
        let text = "02-1A-2B   (hex)\t\tExample\n021A2B     (base 16)\t\tExample\n"
        try await withRegistry(["oui.txt": text]) { registry, _ in
            let mac = try mac("021a2b000000")
            #expect(registry.maker(of: mac) == nil)
        }
    }

    @Test(arguments: [
        "", "\n\n", "(hex)\n(base 16)\n", "00-1A-2B\n001A2B\n",
        "001A2B     (base 16)\t\tNo First\n",
        "00-1A-2B   (hex)\t\tNo Second\n", "00-1A-2B   (hex)\n001A2B     (base 16)\n",
        "00-1A-2B   (hex\n001A2B     (base 16\n", String(repeating: "0", count: 1 << 14),
    ])
    func `files that are missing or of another form name no maker`(text: String) async throws {
        try await withRegistry(["oui.txt": text]) { registry, _ in
            let mac = try mac("001a2b000000")
            #expect(registry.maker(of: mac) == nil)
        }
    }

    @Test func `assignments are found in every part of a large file, and not in its successor`()
        async throws
    {
        func digits(_ number: Int) -> String {
            let text = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: 6 - text.count) + text
        }
        func text(_ numbers: some Sequence<Int>) -> String {
            numbers.map { number in
                let pairs = digits(number * 1_024).enumerated()
                    .map { $0.offset == 2 || $0.offset == 4 ? "-\($0.element)" : "\($0.element)" }
                return """
                    \(pairs.joined())   (hex)\t\tMaker \(number)
                    \(digits(number * 1_024))     (base 16)\t\tMaker \(number)
                    \t\t\t\tStreet


                    """
            }.joined()
        }
        try await withRegistry(["oui.txt": text((1..<4_000).reversed())]) { registry, directory in
            for number in stride(from: 1, to: 4_000, by: 131) {
                // The lowest bits of the first byte are not those of an interface's universal address.
                guard let mac = MACAddress(digits(number * 1_024) + "000000"), mac.isUniversal
                else { continue }
                #expect(registry.maker(of: mac) == "Maker \(number)")
            }
            try directory.write(text(1..<2_000), to: "oui.txt")
            let moved = try mac("001c00000000")
            #expect(registry.maker(of: moved) == nil)
        }
    }
}
