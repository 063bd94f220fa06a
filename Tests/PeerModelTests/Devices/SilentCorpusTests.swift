// Tests that published descriptions of devices of UPnP and WS-Discovery are read as well as before.
import PeerListTestSupport
import PeerModel
import Testing

@Suite struct SilentCorpusTests {
    @Test(arguments: SilentCorpus.Half.allCases, SilentCorpus.fields)
    func `devices are read at least as well as the documentation says`(
        half: SilentCorpus.Half, field: Corpus.Field
    ) throws {
        let judgements = half.judgements.filter { $0.field == field }
        try #require(judgements.count == half.devices.count)
        try DocumentedFigures(of: field, in: half.rawValue).check(judgements)
    }

    @Test func `the file is large, and each device has a name, a source and all readings`() {
        let devices = SilentCorpus.Half.allCases.flatMap(\.devices)
        #expect(devices.count >= 170)
        #expect(Set(devices.map(\.id)).count == devices.count)
        for device in devices {
            #expect(device.source.count >= 10, "\(device.id)")
            for field in SilentCorpus.fields {
                let readings = device.readings(of: field)
                #expect(!readings.isEmpty, "\(device.id): \(field)")
                #expect(Set(readings).count == readings.count, "\(device.id): \(field)")
            }
            for kind in device.readings(of: .kind).compactMap({ $0 }) {
                #expect(DeviceKind(rawValue: kind) != nil, "\(device.id): \(kind)")
            }
        }
    }
}
