// Runs the checks of `peerlist doctor`, and prints what they found.
import Glibc
package import PeerFleet
package import PeerList
import PeerSystem
package import PeerText

/// The doctor: checks the network, or a broker.
package struct Doctor: Equatable, Sendable {
    /// The file with the daemon's settings; `nil` for the usual one.
    package var configuration: String?
    /// The time to wait for replies of other machines, or for those of the broker.
    package var patience = Duration.seconds(5)
    package var isJSON = false

    package init() {}

    /// Checks a broker for an observer with a name; the status tells whether there is a problem.
    package func check(_ broker: BrokerAccess, as name: ObserverName) async -> ExitStatus {
        Progress.update(.search("waiting for the broker", until: .now + patience))
        let answers = await BrokerAnswers.ask(broker, as: name, within: patience)
        let check = BrokerCheck(
            access: broker, name: name, answers: answers, now: .now(), limit: patience)
        let reports = check.reports
        if !isJSON { for report in reports { print(report) } }
        return printEnd(reports, host: hostLabel())
    }

    /// Checks this machine and the network; the status tells whether there is a problem.
    package func checkNetwork() async -> ExitStatus {
        var examination = Examination(configuration: configuration, patience: patience)
        var reports: [CheckReport] = []
        for check in DoctorCheck.all {
            Progress.update(.search("checking: \(check.title)", until: nil))
            let report = CheckReport(
                id: check.id, title: check.title, findings: await check.run(&examination))
            reports.append(report)
            if !isJSON { print(report) }
        }
        return printEnd(reports, host: await examination.daemonReport()?.host)
    }

    private var width: Int { DoctorText.width(on: STDOUT_FILENO) }

    private func print(_ report: CheckReport) {
        let text = Array(DoctorText.text(of: report, width: width).utf8)
        // A write error recurs at the summary, which reports it.
        _ = Progress.hide { writeAll(text, to: STDOUT_FILENO) }
    }

    /// Prints the summary, or everything in JSON, and returns the exit status.
    private func printEnd(_ reports: [CheckReport], host: String?) -> ExitStatus {
        let printed = printOut(
            isJSON
                ? DoctorText.json(reports, host: host, at: .now())
                : "\n" + DoctorText.summary(of: reports, width: width))
        return printed == .done ? reports.status : printed
    }
}
