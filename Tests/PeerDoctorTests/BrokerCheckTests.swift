// The findings of `peerlist doctor --broker`, as text and as JSON.
import LabSupport
import PeerFleet
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerText
import Testing

@testable import PeerDoctor

@Suite struct BrokerCheckTests {
    /// The answers of a broker in some cases, by what is the case.
    static let answers: KeyValuePairs<String, BrokerAnswers> = [
        "all is well": BrokerAnswers(
            connection: .done, publishing: .done, reading: .done, hasStatuses: true,
            statuses: [
                ObserverName(site: "home", observer: "pi"): status(.online),
                ObserverName(site: "iot", observer: "hub"): status(.syncing),
            ]),
        "nothing answers": BrokerAnswers(),
        "the certificate is not trusted": BrokerAnswers(
            connection: .failed("TLS: certificate verify failed")),
        "access rules refuse everything": BrokerAnswers(
            connection: .done, publishing: .failed("not authorized"), hasStatuses: true),
        "publishing is not answered": BrokerAnswers(connection: .done),
        "observers are away, hostile or ahead": BrokerAnswers(
            connection: .done, publishing: .done, reading: .done, hasStatuses: true,
            statuses: [
                ObserverName(site: "\u{1b}[2J", observer: "x"): status(.offline),
                ObserverName(site: "home", observer: "late"): status(.online, seconds: 3600),
            ], malformedCount: 3),
    ]

    private static func status(
        _ state: ObserverStatus.State, seconds: Double = 0
    ) -> ObserverStatus {
        var status = ObserverStatus(state)
        status.time = House.time(seconds)
        return status
    }

    static func reports(
        _ answers: BrokerAnswers, _ url: String = "mqtts://pi@hub.example"
    ) throws -> [CheckReport] {
        BrokerCheck(
            access: BrokerAccess(try BrokerURL(url)),
            name: ObserverName(site: "home", observer: "pi"), answers: answers,
            now: House.time(1), limit: .seconds(5)
        ).reports
    }

    @Test func `each case has its findings and advice`() throws {
        let texts = try Self.answers.map { title, answers in
            let reports = try Self.reports(answers)
            return "\(title)\n\n" + reports.map { DoctorText.text(of: $0) }.joined() + "\n"
                + DoctorText.summary(of: reports)
        }
        try expectCommitted(texts.joined(separator: "\n"), "doctor-broker.txt")
    }

    @Test func `a login without TLS is a warning, and a problem ends with status 1`() throws {
        let plain = try Self.reports(Self.answers[0].value, "mqtt://pi@hub.example")
        #expect(plain[0].outcome == .warning)
        #expect(plain.status == .done)
        #expect(try Self.reports(Self.answers[1].value).status == .problem)
    }
}
