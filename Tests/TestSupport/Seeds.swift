// The seeds with which a law is tried.
import FoundationEssentials

/// Whether laws are tried with all their seeds: `PEERLIST_ALL_SEEDS` is in the environment, as `make soak` has it.
public let triesAllSeeds = ProcessInfo.processInfo.environment["PEERLIST_ALL_SEEDS"] != nil

/// Returns the seeds of a law: all of them, or the first fifth in an ordinary run.
public func seeds(_ count: UInt64) -> Range<UInt64> {
    0..<(triesAllSeeds ? count : (count + 4) / 5)
}
