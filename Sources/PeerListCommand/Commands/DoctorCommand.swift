// Runs `peerlist doctor`.
import PeerDoctor
import PeerFleet
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
        return await doctor.check()
    }
}
