// How far two stretches of memory are the same, from their starts or from their ends.
import Glibc

/// The sizes of the steps in which the C library compares memory: great ones as long as nothing
/// differs, lesser ones towards the end and where something does.
private let greatestStep = 4096
private let leastStep = 64

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
    var step = greatestStep
    while step >= leastStep {
        while done + step <= count, unsafe memcmp(left + done, right + done, step) == 0 {
            done += step
        }
        step /= 8
    }
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
    // Mostly all is the same, and memory is read faster forwards than backwards.
    if unsafe memcmp(left - count, right - count, count) == 0 { return count }
    var done = 0
    var step = greatestStep
    while step >= leastStep {
        while done + step <= count,
            unsafe memcmp(left - done - step, right - done - step, step) == 0
        {
            done += step
        }
        step /= 8
    }
    while done + 8 <= count, unsafe isSame8(left - done - 8, right - done - 8) { done += 8 }
    while done < count, unsafe isSame1(left - done - 1, right - done - 1) { done += 1 }
    return done
}

/// Whether the bytes at two places are the same, as many as an identifier has.
@inline(__always)
func haveSameBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
    switch count {
    case 8: unsafe isSame8(left, right)
    case 16: unsafe isSame8(left, right) && isSame8(left + 8, right + 8)
    default: unsafe memcmp(left, right, count) == 0
    }
}

@inline(__always)
private func isSame8(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    unsafe left.loadUnaligned(as: UInt64.self) == right.loadUnaligned(as: UInt64.self)
}

@inline(__always)
private func isSame1(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    unsafe left.load(as: UInt8.self) == right.load(as: UInt8.self)
}
