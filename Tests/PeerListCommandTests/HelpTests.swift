// The help is what the committed text says, and fits a terminal.
import Testing

@testable import PeerListCommand

@Suite struct HelpTests {
    @Test func `the help is the committed one`() throws {
        try expectCommitted(HelpText.text, "help.txt")
    }

    @Test func `no line of the help is wider than 80 columns or ends in a space`() {
        for line in HelpText.text.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.count <= 80, "\(line)")
            #expect(!line.hasSuffix(" "), "\(line)")
        }
    }

    @Test func `the help names every option`() {
        for row in OptionRow.all {
            #expect(HelpText.text.contains("  \(row.short.map { "-\($0)" } ?? "    \(row.title)")"))
            #expect(HelpText.text.contains(row.title))
        }
    }

    @Test func `every option has one row in the table, and no two share a form`() {
        #expect(
            OptionRow.all.map(\.name.rawValue).sorted()
                == OptionRow.Name.allCases.map(\.rawValue).sorted())
        #expect(
            Set(OptionRow.all.compactMap(\.flag)).count == OptionRow.all.compactMap(\.flag).count)
        #expect(
            Set(OptionRow.all.compactMap(\.short)).count == OptionRow.all.compactMap(\.short).count)
    }

    /// An example that stands in an error text must not be an error itself.
    @Test func `the example of every option is taken`() throws {
        for row in OptionRow.all {
            guard case .required(_, let example) = row.argument else { continue }
            let once = row.name == .timeout ? ["--once"] : []
            #expect(throws: Never.self) {
                try Invocation(once + [row.title, example], interfaces: .two)
            }
        }
    }
}

extension NetworkInterfaces {
    /// A machine with two interfaces.
    static let two = NetworkInterfaces(
        exists: { ["lo", "eth0"].contains($0) }, names: { ["lo", "eth0"] })
}
