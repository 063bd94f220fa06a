// A fault that is planted behind the reader, to see that the fuzzer gets there.
import PeerModel
import PeerRecording

/// Called by libFuzzer with each input: it must find a notice whose text holds a pair of surrogates, escaped.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPlanted(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    guard let line = try? RecordedLine(input, grouping: .device) else { return 0 }
    if line.message.unicodeScalars.contains("😀") { fatalError("planted") }
    return 0
}
