// Checks which devices are found by other protocols than multicast DNS, and tells what was asked where and when.
import FoundationEssentials
import PeerList
import PeerModel
import PeerSilent
import PeerText

/// The questions by other protocols, and the devices that are known after their answers.
struct ProtocolsCheck: Sendable {
    /// The time for answers: devices choose a moment within two seconds.
    static let patience = Duration.milliseconds(2_500)

    let inquiries: [SilentBrowser.Inquiry]
    /// The number of devices of each protocol.
    let counts: [DiscoveryProtocol: Int]

    /// Asks by SSDP and WS-Discovery on all interfaces; fetches no descriptions.
    static func run() async -> ProtocolsCheck {
        let browser = SilentBrowser(
            [.ssdp, .wsd], on: BrowseOptions(), fetchesDescriptions: false
        ) { _ in }
        await browser.start()
        try? await Task.sleep(for: patience)
        let check = ProtocolsCheck(
            inquiries: await browser.lastInquiries(), counts: await browser.deviceCounts())
        await browser.stop()
        return check
    }

    var findings: [Finding] {
        guard !inquiries.isEmpty else { return .noInterface }
        return Dictionary(grouping: inquiries, by: \.source).sorted { $0.key < $1.key }
            .flatMap { source, inquiries in
                let failed = inquiries.filter { $0.error != nil }.sorted { $0.path < $1.path }
                let asked = inquiries.filter { $0.error == nil }.sorted { $0.path < $1.path }
                return (asked.isEmpty ? [] : [finding(source, asked)])
                    + failed.map { finding(source, failed: $0) }
            }
    }

    private func finding(
        _ source: DiscoveryProtocol, _ asked: [SilentBrowser.Inquiry]
    ) -> Finding {
        let count = counts[source] ?? 0
        let paths = Dictionary(grouping: asked.map(\.path), by: \.interface.name)
            .sorted { $0.key < $1.key }
            .map { "\($0.key) over \($0.value.map(\.family).titles)" }
        let time = asked.map(\.time).min() ?? Timestamp(microseconds: 0)
        return Finding(
            .ok,
            "\(source.title): \(counted(count, "device")) answered, asked at \(LocalTime(time).clock) on "
                + paths.joined(separator: " and ")
                + (count > 0 ? "; 'peerlist --only \(source.rawValue)' lists them." : "."),
            facts: [
                ("protocol", .text(source.rawValue)), ("devices", .number(count)),
                ("askedAt", .text(time.description)), ("paths", .paths(asked.map(\.path))),
            ])
    }

    private func finding(
        _ source: DiscoveryProtocol, failed inquiry: SilentBrowser.Inquiry
    ) -> Finding {
        Finding(
            .unknown,
            "\(source.title): not asked on \(inquiry.path.interface.name) over "
                + "\([inquiry.path.family].titles): \(inquiry.error ?? "").",
            facts: [
                ("protocol", .text(source.rawValue)),
                ("interface", .text(inquiry.path.interface.name)),
            ])
    }
}
