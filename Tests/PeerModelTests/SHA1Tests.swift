// Tests of SHA-1 with the vectors of RFC 3174 and FIPS 180, and at the borders of its blocks.
import Foundation
import LabSupport
import Testing

@testable import PeerModel

@Suite struct SHA1Tests {
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        (
            String(repeating: "01234567", count: 80),
            "dea356a2cddd90c7a7ecedc5ebb563934f460452"
        ),
    ])
    func `the published vectors have their digests`(message: String, digest: String) {
        #expect(hexadecimal(SHA1.digest(of: Array(message.utf8))) == digest)
    }

    @Test func `a message of any length up to three blocks has the digest of sha1sum`() async throws
    {
        let folder = try TemporaryDirectory()
        let messages = (0..<192).map { count in (0..<count).map { UInt8(($0 * 37 + count) & 0x7f) }
        }
        for message in messages {
            try folder.write(
                String(decoding: message, as: UTF8.self), to: String(message.count))
        }
        let sums = try await FinishedProcess([
            "sh", "-c", "cd '\(folder.path)' && sha1sum $(ls | sort -n) | cut -d ' ' -f 1",
        ])
        let digests = messages.map { hexadecimal(SHA1.digest(of: $0)) }
        #expect(sums.output.split(separator: "\n").map(String.init) == digests)
        await folder.remove()
    }
}
