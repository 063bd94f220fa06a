// Fuzzes the reader: any bytes are a list or an error, and nothing worse.

/// Called by libFuzzer with each input: the first byte says in what pieces the others are read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReader(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    guard let piece = input.first else { return 0 }
    checkRecording(Array(input.dropFirst()), piece: Int(piece) + 1)
    return 0
}
