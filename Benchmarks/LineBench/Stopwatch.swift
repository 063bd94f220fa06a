// Measures time in seconds.

/// Returns the time of one run.
func seconds(_ body: () -> Void) -> Double {
    let time = ContinuousClock().measure(body).components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
}

/// Returns the shortest time of some runs.
func best(_ rounds: Int, _ body: () -> Void) -> Double {
    (0..<rounds).map { _ in seconds(body) }.min() ?? 0
}
