// Tests that published records of devices are read as well as before, and how readings are judged.
import FoundationEssentials
import LabSupport
import PeerModel
import PeerListTestSupport
import Testing

/// The figures of a field in a table of `docs/devices.md`, which are the limits.
struct DocumentedFigures {
    /// The percentage of devices of which the field is right.
    let right: Double
    /// The number of devices of which the field is wrong.
    let wrong: Int

    /// Reads the row `| FIELD | RIGHT | POOR | WRONG | SHARE % |` of a table.
    init(of field: Corpus.Field, in title: String) throws {
        let path = BuiltProducts.package + "/docs/devices.md"
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        let table = try #require(text.firstRange(of: "| \(title) | right "))
        let start = "| \(field.rawValue) | "
        let lines = text[table.upperBound...].split(separator: "\n")
        let row = try #require(lines.first { $0.hasPrefix(start) })
        let cells = row.split(separator: "|").map { $0.split(separator: " ").first ?? "" }
        try #require(cells.count == 5)
        (right, wrong) = (try #require(Double(cells[4])), try #require(Int(cells[3])))
    }

    /// Expects judgements of the field to be at least as good.
    func check(_ judgements: [Corpus.Judgement]) {
        let counts = Dictionary(grouping: judgements, by: \.verdict).mapValues(\.count)
        let share = 100 * Double(counts[.right] ?? 0) / Double(judgements.count)
        // The share in the documentation is rounded to a tenth.
        #expect(share >= right - 0.05, "\(share) %")
        #expect(counts[.wrong] ?? 0 <= wrong)
    }
}

@Suite struct CorpusTests {
    @Test(arguments: Corpus.Collection.allCases, Corpus.Field.allCases)
    func `devices are read at least as well as the documentation says`(
        collection: Corpus.Collection, field: Corpus.Field
    ) throws {
        let judgements = collection.judgements.filter { $0.field == field }
        try #require(judgements.count == collection.devices.count)
        try DocumentedFigures(of: field, in: collection.rawValue).check(judgements)
    }

    @Test func `the files are large, and each device has a source and all readings`() {
        #expect(Corpus.Collection.unseen.devices.count >= 120)
        #expect(Corpus.Collection.corpus.devices.count >= 250)
        let devices = Corpus.Collection.allCases.flatMap(\.devices)
        #expect(Set(devices.flatMap(\.scene.services).map { $0.type.lowercased() }).count >= 200)
        for device in devices {
            #expect(device.source.count >= 10, "\(device.scene.name)")
            for field in Corpus.Field.allCases {
                let readings = device.readings(of: field)
                #expect(!readings.isEmpty, "\(device.scene.name): \(field)")
                #expect(Set(readings).count == readings.count, "\(device.scene.name): \(field)")
            }
            #expect(!device.readings(of: .evidence).contains(nil), "\(device.scene.name)")
            for kind in device.readings(of: .kind).compactMap({ $0 }) {
                #expect(DeviceKind.allCases.contains { $0.title == kind }, "\(kind)")
            }
        }
    }

    @Test func `the files share no device with each other or the other scenes`() {
        let others = Scene.devices + Scene.household
        let scenes = Corpus.Collection.allCases.flatMap(\.devices).map(\.scene)
        for value in [\Scene.Device.name, \.host] {
            let names = (others + scenes).map { $0[keyPath: value].lowercased() }
            #expect(Set(names).count == names.count)
        }
        #expect(Set(scenes.flatMap(\.addresses)).count == scenes.count)
    }

    /// A speaker called Den, and what is said of it: as it is read, poorly, and wrongly.
    private static let verdicts: [(Corpus.Field, readings: String, Corpus.Verdict)] = [
        (.name, #""Den""#, .right), (.name, #""den""#, .right), (.name, #"["x", "Den"]"#, .right),
        (.name, "null", .wrong), (.name, #""Attic""#, .wrong), (.kind, #""speaker""#, .right),
        (.kind, #"["TV", null]"#, .wrong), (.model, #""P1""#, .right), (.model, "null", .wrong),
        (.model, #""P2""#, .wrong), (.maker, "null", .right), (.maker, #"["Acme", null]"#, .right),
        (.maker, #""Acme""#, .poor), (.evidence, #""mac:542a1b00c3d4""#, .right),
        (.evidence, #""serial:77""#, .poor), (.evidence, #""mac:542a1b00c3d5""#, .wrong),
        (.evidence, #""host""#, .wrong),
    ]

    @Test func `what a list shows is judged by what a person reads`() throws {
        for (field, readings, verdict) in Self.verdicts {
            let device = try device(
                "_raop._tcp", "542A1B00C3D4@Den", "am=P1", field: field, readings: readings)
            let judged = device.judgements.first { $0.field == field }
            #expect(judged?.verdict == verdict, "\(field) \(readings)")
        }
    }

    @Test func `a host name in place of a name is poor, unless no record has a name`() throws {
        for (readings, verdict) in [(#""Den""#, Corpus.Verdict.poor), ("null", .right)] {
            let device = try device(
                "_spotify-connect._tcp", "1", "", field: .name, readings: readings)
            #expect(device.judgements.first?.verdict == verdict)
        }
    }

    @Test func `evidence is compared without the vendor, the type and separators`() throws {
        let device = try device(
            "_hap._tcp", "Lamp", "id=3E:A1:11:0C:7D:52", field: .evidence,
            readings: #""pairing:3EA1110C7D52""#)
        #expect(device.judgements.last?.verdict == .right)
        let nas = try self.device(
            "_http._tcp", "Box", #"vendor=Synology", "serial=18A77"#, field: .evidence,
            readings: #""serial:18a77""#)
        #expect(nas.judgements.last?.verdict == .right)
    }

    /// Returns a device with one service and readings of one field, in JSON; other fields have no readings.
    private func device(
        _ type: String, _ instance: String, _ txt: String, field: Corpus.Field, readings: String
    ) throws -> Corpus.Device {
        let text = """
            {"name": "thing", "host": "thing.local", "addresses": ["10.99.9.9"], "source": "a test",
             "read": {"\(field.rawValue)": \(readings)},
             "services": [{"instance": "\(instance)", "type": "\(type)", "port": 80, "txt": ["\(txt)"]}]}
            """
        return try JSONDecoder().decode(Corpus.Device.self, from: Data(text.utf8))
    }
}
