// Fuzzes the fold: lines that are each in order, in an order and with places that need not be.
import Glibc

/// The lines of the committed examples, each without its number: the parts before and after it.
private let examples: [(head: String, tail: String)] = ["house", "house-by-type"].flatMap { name in
    guard let file = unsafe fopen("docs/examples/\(name).jsonl", "r") else {
        fatalError("run it at the root of the package")
    }
    defer { unsafe fclose(file) }
    var text = [UInt8](repeating: 0, count: 1 << 20)
    text.removeLast(unsafe text.count - fread(&text, 1, text.count, file))
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
        let parts = line.split(separator: "\"seq\":", maxSplits: 1)
        return (String(parts[0]), String(parts[1].drop { $0.isNumber }))
    }
}

/// Called by libFuzzer with each input: of three bytes the first one chooses a line, the others change it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFold(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    var text = ""
    var number = 0
    for place in stride(from: 0, to: input.count - 2, by: 3) {
        let (head, tail) = examples[Int(input[place]) % examples.count]
        let (choice, value) = (input[place + 1], Int(input[place + 2]))
        if head.contains("\"begin\"") { number = 0 }
        text += head + "\"seq\":\(choice == 255 ? value : number)"
        text += choice & 7 == 1 ? changed(tail, choice >> 3, value) : tail
        text += "\n"
        number += 1
    }
    checkRecording(Array(text.utf8), piece: 4096)
    return 0
}

/// A line in which one of its places is another number.
private func changed(_ tail: String, _ choice: UInt8, _ value: Int) -> String {
    let parts = tail.split(separator: "\"at\":")
    guard parts.count > 1 else { return tail }
    let chosen = Int(choice) % (parts.count - 1) + 1
    return parts.enumerated().map { place, part in
        place == chosen ? "\(value - 3)" + part.drop { $0.isNumber } : String(part)
    }.joined(separator: "\"at\":")
}
