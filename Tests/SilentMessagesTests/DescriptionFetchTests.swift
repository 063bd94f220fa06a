// Tests which description may be fetched, the request for it, and the answer, in whatever pieces it arrives.
import SilentMessages
import TestSupport
import Testing

@Suite struct DescriptionAddressTests {
    private let ipv4: [UInt8] = [192, 168, 1, 20]
    private let ipv6: [UInt8] = [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]

    @Test(arguments: [
        ("http://192.168.1.20:49152/d.xml", "GET /d.xml HTTP/1.1 Host: 192.168.1.20:49152"),
        ("HTTP://192.168.1.20", "GET / HTTP/1.1 Host: 192.168.1.20"),
        ("http://192.168.1.20?a=b", "GET /?a=b HTTP/1.1 Host: 192.168.1.20"),
        ("http://192.168.1.20:80/a?b#c", "GET /a?b HTTP/1.1 Host: 192.168.1.20"),
        ("http://192.168.1.20:65535/@:/", "GET /@:/ HTTP/1.1 Host: 192.168.1.20:65535"),
        ("http://[fe80::1]:8060/", "GET / HTTP/1.1 Host: [fe80::1]:8060"),
        ("http://[FE80:0::1%25eth0]/a", "GET /a HTTP/1.1 Host: [FE80:0::1]"),
        ("http://[fe80::1%eth0]/a", "GET /a HTTP/1.1 Host: [fe80::1]"),
    ])
    func `a description at the sender's own address is fetched`(url: String, start: String) throws {
        let sender = url.contains("[") ? ipv6 : ipv4
        let request = try DescriptionAddress(url, from: sender).request()
        let lines = String(decoding: request, as: UTF8.self).split(separator: "\r\n")
        #expect(lines.prefix(2).joined(separator: " ") == start)
    }

    @Test(
        arguments: [
            ("https://192.168.1.20/", .notHTTP), ("file:///etc/passwd", .notHTTP), ("", .notHTTP),
            ("//192.168.1.20/", .notHTTP), (" http://192.168.1.20/", .notHTTP),
            ("http://192.168.1.21/", .elsewhere), ("http://tv.local/", .elsewhere),
            ("http://192.168.1.020/", .elsewhere), ("http://3232235796/", .elsewhere),
            ("http://0xc0a80114/", .elsewhere), ("http://192.168.1.20.evil.example/", .elsewhere),
            ("http://[::ffff:192.168.1.20]/", .elsewhere), ("http://[fe80::1]/", .elsewhere),
            ("http://192.168.1.20@10.0.0.1/", .malformed), ("http://a:b@192.168.1.20/", .malformed),
            ("http://192.168.1.20\\@a/", .malformed), ("http:///a", .malformed),
            ("http://", .malformed), ("http://192.168.1.20:/", .malformed),
            ("http://192.168.1.20:0/", .malformed), ("http://192.168.1.20:65536/", .malformed),
            ("http://192.168.1.20:+80/", .malformed), ("http://192.168.1.20:80:80/", .malformed),
            ("http://192.168.1.20/a b", .malformed), ("http://192.168.1.20/é", .malformed),
            ("http://192.168.1.20/\r\nX: y", .malformed), ("http://192.168.1.20/\0", .malformed),
        ] as [(String, DescriptionAddress.Refusal)])
    func `another URL is not fetched`(url: String, reason: DescriptionAddress.Refusal) {
        #expect(throws: reason) { try DescriptionAddress(url, from: ipv4) }
    }

    @Test(
        arguments: [
            ("http://[fe80::2]/", .elsewhere), ("http://192.168.1.20/", .elsewhere),
            ("http://[192.168.1.20]/", .elsewhere), ("http://[[fe80::1]/", .elsewhere),
            ("http://[%25eth0]/", .elsewhere), ("http://fe80::1/", .malformed),
            ("http://[fe80::1/", .malformed), ("http://[fe80::1]]:80/", .malformed),
            ("http://[]/", .malformed), ("http://[fe80::1]80/", .malformed),
        ] as [(String, DescriptionAddress.Refusal)])
    func `so is no other IPv6 address`(url: String, reason: DescriptionAddress.Refusal) {
        #expect(throws: reason) { try DescriptionAddress(url, from: ipv6) }
    }

    @Test func `a path has at most 512 bytes`() throws {
        let path = "/" + String(repeating: "a", count: 511)
        #expect(try DescriptionAddress("http://192.168.1.20\(path)", from: ipv4).path == path)
        #expect(throws: DescriptionAddress.Refusal.tooLong) {
            try DescriptionAddress("http://192.168.1.20\(path)a", from: ipv4)
        }
        #expect(Set(DescriptionAddress.Refusal.allCases.map(\.description)).count == 4)
    }

    @Test func `a request closes the connection, and one with a body tells its length`() throws {
        let address = try DescriptionAddress("http://192.168.1.20:5357/a", from: ipv4)
        #expect(address.address == ipv4 && address.port == 5_357)
        let common = """
            Host: 192.168.1.20:5357\r
            Connection: close\r
            Accept-Encoding: identity\r
            User-Agent: peerlist\r

            """
        #expect(
            String(decoding: address.request(), as: UTF8.self)
                == "GET /a HTTP/1.1\r\n\(common)\r\n")
        #expect(
            String(decoding: address.request(posting: Array("<a/>".utf8)), as: UTF8.self)
                == "POST /a HTTP/1.1\r\n\(common)Content-Type: application/soap+xml; charset=utf-8\r\n"
                + "Content-Length: 4\r\n\r\n<a/>")
    }
}

@Suite struct HTTPAnswerTests {
    /// Returns the result of an answer that arrives in pieces of a size.
    private func progress(
        _ text: String, size: Int = .max, finishing: Bool = true
    ) -> HTTPAnswer.Progress {
        var answer = HTTPAnswer()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            answer.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        if finishing { answer.finish() }
        return answer.progress
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more", "hello"),
        ("HTTP/1.0 200 OK\nServer: a\n\nhello", "hello"),
        ("HTTP/1.1 200\r\ncontent-length:0\r\n\r\n", ""),
        ("HTTP/1.1 200 OK\r\n\r\n", ""),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Length: 3\r\n\r\n"
                + "3;x=y\r\nhel\r\n002 \r\nlo\r\n0\r\nTrailer: a\r\n\r\n", "hello"
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab", "ab"),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 2\r\n\r\nab", "ab"),
    ])
    func `a body is counted, in chunks, or all there is, in whatever pieces`(
        text: String, body: String
    ) {
        for size in [1, 2, 3, 7, 1_000] {
            #expect(progress(text, size: size) == .body(Array(body.utf8)), "\(size)")
        }
    }

    @Test(
        arguments: [
            ("HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n", .status(302)),
            ("HTTP/1.1 404 Not Found\r\n\r\n", .status(404)), ("SSH-2.0-x\r\n", .malformed),
            ("HTTP/1.1 2000 OK\r\n", .malformed), ("HTTP/1.1 +20 OK\r\n", .malformed),
            ("\r\n", .malformed), ("HTTP/1.1 200 OK\r\nnonsense\r\n", .malformed),
            ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .malformed),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .malformed),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", .malformed),
            ("HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n", .tooLong),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n", .tooLong),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", .encoded),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .encoded),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n", .tooLong),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", .tooLong),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
                .malformed
            ),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", .malformed),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", .malformed),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", .malformed),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", .cutShort),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", .cutShort),
            ("HTTP/1.1 200 OK\r\n", .cutShort), ("", .cutShort),
        ] as [(String, HTTPAnswer.Refusal)])
    func `another answer is refused with its reason`(text: String, reason: HTTPAnswer.Refusal) {
        for size in [1, 5, 1_000] { #expect(progress(text, size: size) == .refused(reason)) }
        #expect(!reason.description.isEmpty)
    }

    @Test func `an answer that has not ended needs more, and one that has does not change`() {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        #expect(progress(head + "a", finishing: false) == .needsMore)
        #expect(progress("HTTP/1.1 200 OK\r\n\r\nabc", finishing: false) == .needsMore)
        var answer = HTTPAnswer()
        answer.append(Array((head + "ab").utf8))
        answer.append(Array("more".utf8))
        answer.finish()
        #expect(answer.progress == .body(Array("ab".utf8)))
    }

    @Test func `heads, bodies and the lines between chunks end at their limits`() {
        let start = "HTTP/1.1 200 OK\r\nX: "
        let room = HTTPAnswer.headLimit - start.utf8.count - 4
        let head = start + String(repeating: "a", count: room)
        #expect(progress(head + "\r\n\r\n") == .body([]))
        #expect(progress(head + "a\r\n\r\n") == .refused(.tooLong))
        #expect(progress(String(repeating: "a", count: 9_000)) == .refused(.tooLong))
        let body = String(repeating: "a", count: HTTPAnswer.bodyLimit)
        #expect(progress("HTTP/1.1 200 OK\r\n\r\n\(body)", size: 999) == .body(Array(body.utf8)))
        #expect(progress("HTTP/1.1 200 OK\r\n\r\n\(body)a", size: 999) == .refused(.tooLong))
        let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(
            progress(chunks + "10000\r\n\(body)\r\n0\r\n\r\n") == .body(Array(body.utf8)))
        #expect(progress(chunks + "10000\r\n\(body)\r\n1\r\n") == .refused(.tooLong))
        #expect(
            progress(chunks + String(repeating: "1\r\na\r\n", count: 5_000)) == .refused(.tooLong))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `any answer gives one result, in whatever pieces it arrives`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
                .utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            bytes[.random(in: 0..<bytes.count, using: &generator)] =
                .random(in: 0...255, using: &generator)
        }
        var whole = HTTPAnswer()
        whole.append(bytes)
        whole.finish()
        var divided = HTTPAnswer()
        for byte in bytes { divided.append([byte]) }
        divided.finish()
        #expect(whole.progress == divided.progress)
    }
}
