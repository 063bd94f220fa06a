// Fuzzes the helper's pipe: any bytes are messages or an error, in both directions and in any pieces.
import Glibc
import StackProtocol

/// Called by libFuzzer with each input: the first byte says in what pieces the others come.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFrames(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    guard let first = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    check(StackEvent.self, rest, piece: Int(first & 127) + 1)
    check(StackRequest.self, rest, piece: Int(first & 127) + 1)
    check(WitnessEvent.self, rest, piece: Int(first & 127) + 1)
    check(WitnessRequest.self, rest, piece: Int(first & 127) + 1)
    return 0
}

private func check<Message: StackMessage>(_ type: Message.Type, _ bytes: [UInt8], piece: Int) {
    let (messages, error) = read(type, bytes, piece: piece)
    let (others, otherError) = read(type, bytes, piece: max(1, bytes.count))
    precondition(messages == others && error == otherError, "how it is cut makes a difference")

    // What is read is written as it came, so nothing of it was lost or made up.
    var written: [UInt8] = []
    do {
        for message in messages { written += try message.frame() }
    } catch {
        fatalError("what was read cannot be written: \(error)")
    }
    precondition(bytes.starts(with: written), "\(messages) is written otherwise")
    #if PLANTED
        if messages.count > 1 { fatalError("planted") }
    #endif
}

private func read<Message: StackMessage>(
    _ type: Message.Type, _ bytes: [UInt8], piece: Int
) -> (messages: [Message], error: FrameError?) {
    var reader = FrameReader<Message>()
    var messages: [Message] = []
    do throws(FrameError) {
        for start in stride(from: 0, to: bytes.count, by: piece) {
            reader.append(bytes[start..<min(start + piece, bytes.count)])
            while let message = try reader.next() { messages.append(message) }
            precondition(reader.waiting < 4 + FrameLimits.body, "more waits than a frame")
        }
        return (messages, nil)
    } catch {
        var again: FrameError?
        do throws(FrameError) { _ = try reader.next() } catch { again = error }
        precondition(again == error, "an error that passes")
        return (messages, error)
    }
}
