// Measures contestants in one process, in alternating order.

/// A named closure to measure.
struct Contestant {
    let name: String
    let run: () -> Void
}

/// Keeps the optimiser from removing work.
@inline(never)
func consume<Value>(_ value: Value) {}

/// Returns the median time of one run of each contestant, in nanoseconds.
///
/// Every round runs all of them, in alternating order, so that other programs
/// affect all alike. Short ones are repeated within a round.
///
/// - Parameters:
///   - contestants: The contestants.
///   - rounds: The number of rounds.
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

/// Returns the number of runs that take about a millisecond.
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
