// Runs the doctor on a machine of the LAN, and parses its line of JSON.
import LabSupport
import Testing

/// A report of the doctor.
struct DoctorReport {
    let status: Int32
    let json: JSON

    func outcome(_ check: String) -> String? { self[check]["outcome"].string }

    func texts(_ check: String) -> [String] {
        self[check]["findings"].array.map { $0["text"].string }
    }

    subscript(check: String) -> JSON {
        json["checks"].array.first { $0["name"].string == check } ?? .null
    }
}

extension Lab {
    /// Runs the doctor with the settings of the machine's daemon, for some seconds or for longer.
    func doctor(
        on host: String, seconds: String = "6", listening: String? = nil
    ) async throws -> DoctorReport {
        let settings = "\(directory.path)/lab/\(host)/avahi-daemon.conf"
        let finished = try await run(
            host,
            [
                BuiltProducts.peerlist, "doctor", "--json", "--timeout", seconds, "--for",
                listening ?? seconds, "--config", settings,
            ], within: .seconds(120))
        try await expectSchema("doctor", of: finished.output)
        return DoctorReport(status: finished.status, json: try JSON(line: finished.output))
    }

    /// Runs the doctor for a device or for the machine itself, and returns the findings.
    func doctorFindings(on host: String, _ words: [String]) async throws -> [JSON] {
        let command = [BuiltProducts.peerlist, "doctor", "--json"] + words
        let finished = try await run(host, command, within: .seconds(120))
        try await expectSchema("doctor", of: finished.output)
        return try JSON(line: finished.output)["checks"].array[0]["findings"].array
    }
}
