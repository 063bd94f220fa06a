// Runs `peerlist doctor`.
import PeerDoctor
import PeerText

extension DoctorOptions {
    func run() async throws(UsageError) -> ExitStatus {
        Progress.begin(.search("examining", until: nil), isWanted: showsProgress)
        guard let access = try broker.access() else { return await doctor.check() }
        return await doctor.check(access, as: broker.observer)
    }
}
