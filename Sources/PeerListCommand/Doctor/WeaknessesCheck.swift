// Which known weaknesses does this avahi-daemon have?
import PeerList

/// Judges the version of avahi-daemon.
enum WeaknessesCheck {
    /// What is known of the package that the daemon came with.
    struct Package: Equatable, Sendable {
        /// Its version, `0.8-10+deb12u1`.
        var version: String
        /// Its list of changes, which names what was mended; `nil`: it cannot be read.
        var changes: String?
    }

    /// Judges a version.
    ///
    /// - Parameters:
    ///   - version: What the daemon calls it; `nil`: it does not answer.
    ///   - package: The package of the distribution, where there is one.
    ///   - usesWideArea: Whether the daemon asks name servers beyond the link.
    /// - Returns: What is to be told.
    static func findings(
        version: String?, package: Package?, usesWideArea: Bool
    ) -> [Finding] {
        guard let text = version ?? package?.version, let number = AvahiVersion(text) else {
            return [Finding(.unknown, "Its version is not known.")]
        }
        let known = Weakness.known(of: number).filter { $0.attacker != .wideArea || usesWideArea }
        let changes = package?.changes ?? ""
        let mended = known.filter { changes.contains($0.number) }
        let open = known.filter { !changes.contains($0.number) }
        var findings: [Finding] = []
        if !mended.isEmpty, let package {
            findings.append(
                Finding(
                    .ok, "\(package.version) has mended \(mended.count) of them.",
                    facts: [Finding.Fact("mended", .texts(mended.map(\.number)))]))
        }
        for attacker in [Weakness.Attacker.link, .wideArea, .local] {
            let numbers = open.filter { $0.attacker == attacker }.map(\.number)
            guard !numbers.isEmpty else { continue }
            findings.append(
                Finding(
                    changes.isEmpty ? .unknown : .warning,
                    "\(attacker.threat): \(listed(numbers)).",
                    facts: [Finding.Fact("weaknesses", .texts(numbers))]))
        }
        if open.isEmpty {
            findings.append(Finding(.ok, "None is known of \(text)."))
        } else {
            findings[findings.count - 1].advice = advice(package)
        }
        return findings
    }

    private static func advice(_ package: Package?) -> String {
        let isNamed = package?.changes != nil
        let doubt =
            isNamed
            ? "the list of changes of \(package?.version ?? "") does not name them"
            : "your distribution may have mended them; its list of changes cannot be read here"
        return """
            \(doubt); keep the package up to date ('apt-get install --only-upgrade \
            avahi-daemon', as root). peerlist goes on when the daemon is started again
            """
    }
}

extension Weakness.Attacker {
    /// What can be done by it.
    fileprivate var threat: String {
        switch self {
        case .link: "A packet from this network can end the daemon"
        case .wideArea: "Answers from beyond this network can be forged"
        case .local: "A program on this machine can end the daemon"
        }
    }
}
