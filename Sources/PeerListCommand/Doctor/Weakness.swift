// Which weaknesses of avahi-daemon are known, and which versions have them.

/// A version of avahi: `0.8`, or `0.9-rc2`.
struct AvahiVersion: Comparable, Sendable {
    private let major: Int
    private let minor: Int
    /// The number of the release candidate; a release comes after all of them.
    private let candidate: Int

    /// Reads a version, with or without `avahi` before it; what follows the number is passed over.
    init?(_ text: String) {
        let number = text.hasPrefix("avahi ") ? text.dropFirst(6) : text[...]
        let parts = number.split(separator: "-", maxSplits: 1)
        let numbers = (parts.first ?? "").split(separator: ".")
        guard numbers.count >= 2, let major = Int(numbers[0]), let minor = Int(numbers[1]) else {
            return nil
        }
        let suffix = parts.count == 2 ? parts[1] : ""
        let digits = suffix.hasPrefix("rc") ? suffix.dropFirst(2).prefix { $0.isNumber } : ""
        self.init(major: major, minor: minor, candidate: Int(digits) ?? .max)
    }

    init(major: Int, minor: Int, candidate: Int) {
        (self.major, self.minor, self.candidate) = (major, minor, candidate)
    }

    static func < (left: AvahiVersion, right: AvahiVersion) -> Bool {
        (left.major, left.minor, left.candidate) < (right.major, right.minor, right.candidate)
    }

    /// A release candidate of 0.9.
    static func candidate(_ number: Int) -> AvahiVersion {
        AvahiVersion(major: 0, minor: 9, candidate: number)
    }
}

/// A weakness of avahi-daemon that has a number of its own.
struct Weakness: Equatable, Sendable {
    /// Who can make use of it.
    enum Attacker: Sendable {
        /// Anybody on the link, by a packet.
        case link
        /// A program on this machine.
        case local
        /// Somebody beyond the link, where the daemon asks name servers there.
        case wideArea
    }

    /// Its number: `CVE-2023-1981`.
    let number: String
    /// Who can make use of it.
    let attacker: Attacker
    /// The first version without it.
    let mended: AvahiVersion

    private init(_ number: String, _ attacker: Attacker, mendedInCandidate candidate: Int) {
        self.number = number
        self.attacker = attacker
        mended = .candidate(candidate)
    }

    /// Those that a version has, as it comes from its makers.
    static func known(of version: AvahiVersion) -> [Weakness] {
        all.filter { version < $0.mended }
    }

    static let all = [
        Weakness("CVE-2021-3468", .local, mendedInCandidate: 1),
        Weakness("CVE-2021-3502", .local, mendedInCandidate: 1),
        Weakness("CVE-2023-1981", .local, mendedInCandidate: 1),
        Weakness("CVE-2023-38469", .local, mendedInCandidate: 1),
        Weakness("CVE-2023-38470", .local, mendedInCandidate: 1),
        Weakness("CVE-2023-38471", .local, mendedInCandidate: 1),
        Weakness("CVE-2023-38472", .local, mendedInCandidate: 1),
        Weakness("CVE-2023-38473", .local, mendedInCandidate: 1),
        Weakness("CVE-2024-52615", .wideArea, mendedInCandidate: 3),
        Weakness("CVE-2024-52616", .wideArea, mendedInCandidate: 3),
        Weakness("CVE-2025-68276", .local, mendedInCandidate: 3),
        Weakness("CVE-2025-68468", .link, mendedInCandidate: 3),
        Weakness("CVE-2025-68471", .link, mendedInCandidate: 3),
        Weakness("CVE-2026-24401", .link, mendedInCandidate: 3),
        Weakness("CVE-2026-34933", .local, mendedInCandidate: 4),
    ]
}
