// Measures contestants side by side in one process, in alternating order.

/// Something to measure, by name.
struct Contestant {
    let name: String
    let run: () -> Void
}

/// Keeps the optimiser from leaving work out.
@inline(never)
func consume<Value>(_ value: Value) {}

/// The median time of one run of each contestant, in nanoseconds.
///
/// Every round runs each of them once, forwards and backwards by turns, so that
/// whatever else the machine does falls on all alike. Short ones are repeated
/// within a round.
///
/// - Parameters:
///   - contestants: What to measure.
///   - rounds: How often each is measured.
/// - Returns: A median for each contestant.
func medians(of contestants: [Contestant], rounds: Int = 15) -> [Double] {
    let repeats = contestants.map { repeatsForMeasuring($0) }
    var times = [[Double]](repeating: [], count: contestants.count)
    for round in 0..<rounds {
        let order = Array(contestants.indices)
        for number in round.isMultiple(of: 2) ? order : order.reversed() {
            let total = nanoseconds { for _ in 0..<repeats[number] { contestants[number].run() } }
            times[number].append(total / Double(repeats[number]))
        }
    }
    return times.map { $0.sorted()[rounds / 2] }
}

/// How often to run a contestant so that a measurement takes about a millisecond.
private func repeatsForMeasuring(_ contestant: Contestant) -> Int {
    contestant.run()
    let once = nanoseconds { contestant.run() }
    return max(1, min(2_000, Int(1_000_000 / max(once, 100))))
}

private func nanoseconds(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    let duration = clock.measure(body)
    return Double(duration.components.seconds) * 1e9
        + Double(duration.components.attoseconds) / 1e9
}
