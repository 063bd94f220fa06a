// Runs `peerlist doctor`.
import PeerDoctor
import PeerFleet
import PeerText

extension DoctorOptions {
    func run() async -> ExitStatus {
        Progress.begin(.search("examining", until: nil), isWanted: showsProgress)
        do throws(BrokerAccessError) {
            guard let access = try broker.access() else { return await doctor.checkNetwork() }
            return await doctor.check(access, as: broker.observer)
        } catch {
            complain(error.description)
            return .usage
        }
    }
}
