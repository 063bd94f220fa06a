// How far two stretches of memory are the same, from their starts or from their ends.
import Glibc

/// The size of the steps in which the C library compares memory.
private let stepSize = 4096

/// The number of bytes that are the same at two places, before the first that differs.
///
/// - Parameters:
///   - left: The first byte of a stretch of `count` readable bytes.
///   - right: The first byte of another.
///   - count: The number of bytes to look at.
/// - Returns: At most `count`.
func commonBytes(
    after left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int
) -> Int {
    var done = 0
    while done + stepSize <= count, unsafe memcmp(left + done, right + done, stepSize) == 0 {
        done += stepSize
    }
    while done + 64 <= count, unsafe isSame64(left + done, right + done) { done += 64 }
    while done + 8 <= count, unsafe isSame8(left + done, right + done) { done += 8 }
    while done < count, unsafe isSame1(left + done, right + done) { done += 1 }
    return done
}

/// The number of bytes that are the same in front of two places, behind the last that differs.
///
/// - Parameters:
///   - left: The end of a stretch of `count` readable bytes.
///   - right: The end of another.
///   - count: The number of bytes to look at.
/// - Returns: At most `count`.
func commonBytes(
    before left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int
) -> Int {
    var done = 0
    while done + stepSize <= count,
        unsafe memcmp(left - done - stepSize, right - done - stepSize, stepSize) == 0
    {
        done += stepSize
    }
    while done + 64 <= count, unsafe isSame64(left - done - 64, right - done - 64) { done += 64 }
    while done + 8 <= count, unsafe isSame8(left - done - 8, right - done - 8) { done += 8 }
    while done < count, unsafe isSame1(left - done - 1, right - done - 1) { done += 1 }
    return done
}

@inline(__always)
private func isSame64(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    let bits =
        unsafe left.loadUnaligned(as: SIMD8<UInt64>.self)
        ^ right.loadUnaligned(as: SIMD8<UInt64>.self)
    let half = bits.lowHalf | bits.highHalf
    let quarter = half.lowHalf | half.highHalf
    return quarter[0] | quarter[1] == 0
}

@inline(__always)
private func isSame8(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    unsafe left.loadUnaligned(as: UInt64.self) == right.loadUnaligned(as: UInt64.self)
}

@inline(__always)
private func isSame1(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    unsafe left.load(as: UInt8.self) == right.load(as: UInt8.self)
}
