// Fuzzes the reader of captures: any bytes make lines that fold to a list, or an error.
import PeerCapture
import PeerRecording

/// Called by libFuzzer with each input: the first byte says in what pieces the others are read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCapture(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    guard let piece = input.first else { return 0 }
    let bytes = MemoryBytes(Array(input.dropFirst()), piece: Int(piece) + 1)
    let recording = Recording(
        bytes, unread: CapturedList(named: "fuzz.pcap", makerOf: { _ in nil }))
    do throws(RecordingError) {
        guard try recording.isCapture() else { return 0 }  // FuzzReader reads lines
        while let step = try recording.next() {
            guard case .damage(let damage) = step else { continue }
            precondition(damage.description.hasPrefix("packet "), "lines that do not fold")
            #if PLANTED
                if damage.message.contains("two lengths") { fatalError("planted") }
            #endif
        }
    } catch {
        // Nothing in it is a packet of multicast DNS.
    }
    precondition(!recording.isLost, "a list that is not known")
    return 0
}
