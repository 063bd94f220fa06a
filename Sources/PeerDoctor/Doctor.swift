// Runs the checks of `peerlist doctor`, and prints what they found.
import Glibc
package import PeerFleet
import PeerLedger
package import PeerList
import PeerSystem
package import PeerText

/// The doctor: checks the network, a device, this machine, or a broker.
package struct Doctor: Equatable, Sendable {
    /// The subjects of a check, except for a broker.
    package enum Subject: Equatable, Sendable {
        case network
        /// The device that a word stands for.
        case device(String)
        case thisMachine
    }

    package var subject = Subject.network
    /// The file with the daemon's settings; `nil` for the usual one.
    package var configuration: String?
    /// The time to wait for replies of other machines, or of the broker.
    package var patience = Duration.seconds(5)
    /// The time to listen to the link.
    package var listeningTime = Duration.seconds(10)
    package var isJSON = false

    package init() {}

    /// Checks a broker for an observer with a name; the status tells whether there is a problem.
    package func check(_ broker: BrokerAccess, as name: ObserverName) async -> ExitStatus {
        Progress.update(.search("waiting for the broker", until: .now + patience))
        let answers = await BrokerAnswers.ask(broker, as: name, within: patience)
        let check = BrokerCheck(
            access: broker, name: name, answers: answers, now: .now(), limit: patience)
        return printAll(check.reports)
    }

    /// Checks the subject; the status tells whether there is a problem.
    package func check() async -> ExitStatus {
        if subject == .network { return await checkNetwork() }
        Progress.update(.search("looking for devices", until: .now + patience))
        let link: (host: String, devices: [Peer])
        do throws(BackendError) {
            link = try await DeviceExamination.browse(for: patience)
        } catch {
            complain(error.description)
            return .failure
        }
        guard case .device(let word) = subject else {
            Progress.update(.search("asking this machine", until: nil))
            let disclosure = SelfDisclosure(
                host: link.host,
                addresses: await DeviceExamination().answeredAddresses(of: link.host),
                device: link.devices.first { $0.isSelf }, files: SelfDisclosure.read())
            return printAll([
                CheckReport(
                    id: "told", title: "What this machine tells everyone on the network",
                    findings: disclosure.findings)
            ])
        }
        let id = DeviceDirectory(link.devices.map { .init($0) })
            .id(named: word, absence: "no device of this network", list: "peerlist --once")
        guard let device = link.devices.first(where: { $0.id == id }) else { return .nothingFound }
        Progress.update(.search("asking \(device.name)", until: nil))
        async let asked = AddressProbe().ask(
            AddressQuestion.all(of: device, among: .here(link.devices)))
        let (rules, paths) = await DeviceExamination().rules(of: device)
        let path = DevicePath(device: device, answers: await asked)
        return printAll([
            CheckReport(
                id: "device", title: device.displayName,
                findings: path.findings + rules.findings(on: paths))
        ])
    }

    private func printAll(_ reports: [CheckReport]) -> ExitStatus {
        if !isJSON { for report in reports { print(report) } }
        return printEnd(reports, host: hostLabel())
    }

    /// Checks this machine and the network.
    private func checkNetwork() async -> ExitStatus {
        var examination = Examination(
            configuration: configuration, patience: patience, listeningTime: listeningTime)
        var reports: [CheckReport] = []
        for check in DoctorCheck.all {
            Progress.update(.search("checking: \(check.title)", until: nil))
            let report = CheckReport(
                id: check.id, title: check.title, findings: await check.run(&examination))
            if check.isOptional, report.findings.isEmpty { continue }
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
