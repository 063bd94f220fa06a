// Runs `peerlist doctor`.
import PeerDoctor
import PeerFleet
import PeerSession
import PeerText

extension DoctorOptions {
    func run() async -> ExitStatus {
        Progress.begin(.search("examining", until: nil), isWanted: showsProgress)
        do throws(BrokerAccessError) {
            if let access = try broker.access() {
                return await doctor.check(access, as: broker.observer)
            }
        } catch {
            complain(error.description)
            return .usage
        }
        do throws(UnknownDevice) {
            return try await doctor.check()
        } catch {
            return report(error)
        }
    }

    private func report(_ error: UnknownDevice) -> ExitStatus {
        guard case .device(let word) = doctor.subject else { return .failure }
        switch error {
        case .none(let near):
            let meant = near.map(quoted).joined(separator: " or ")
            let advice = near.isEmpty ? "'peerlist --once' lists them" : "did you mean \(meant)?"
            complain("no device of this network is \(quoted(word)); \(advice)")
        case .several(let devices):
            listCandidates(
                "\(quoted(word)) is \(devices.count) devices; write the ID of one", devices,
                devices.count)
        }
        return .nothingFound
    }
}
