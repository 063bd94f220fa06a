// The help is what the committed text says, and fits a terminal.
import Testing

@testable import PeerListCommand

@Suite struct HelpTests {
    @Test(arguments: [
        (CommandName.list, "help.txt"), (.diff, "help-diff.txt"), (.replay, "help-replay.txt"),
        (.config, "help-config.txt"), (.doctor, "help-doctor.txt"),
        (.announce, "help-announce.txt"), (.types, "help-types.txt"),
    ])
    func `the help is the committed one`(command: CommandName, file: String) throws {
        try expectCommitted(HelpText.text(of: command), file)
    }

    @Test(arguments: CommandName.allCases)
    func `no line of the help is wider than 80 columns or ends in a space`(command: CommandName) {
        for line in HelpText.text(of: command).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            #expect(line.count <= 80, "\(line)")
            #expect(!line.hasSuffix(" "), "\(line)")
        }
    }

    @Test(arguments: CommandName.allCases)
    func `the help names every option`(command: CommandName) {
        let help = HelpText.text(of: command)
        for row in command.rows {
            #expect(help.contains("  \(row.short.map { "-\($0)" } ?? "    \(row.title)")"))
            #expect(help.contains(row.title))
        }
        for operand in command.operandNames { #expect(help.contains(" \(operand)")) }
    }

    @Test func `every option has one row in the table, and no two share a form`() {
        let listed = CommandName.allCases.flatMap(\.rows).map(\.name)
        #expect(Set(listed) == Set(OptionRow.Name.allCases))
        #expect(Set(OptionRow.all.map(\.name)).count == OptionRow.all.count)
        #expect(
            Set(OptionRow.all.compactMap(\.flag)).count == OptionRow.all.compactMap(\.flag).count)
        #expect(
            Set(OptionRow.all.compactMap(\.short)).count == OptionRow.all.compactMap(\.short).count)
    }

    /// An example that stands in an error text must not be an error itself.
    @Test func `the example of every option is taken`() throws {
        for row in OptionRow.all {
            guard case .required(_, let example) = row.argument else { continue }
            let needed: [String] =
                switch row.name {
                case .timeout: ["--once"]
                case .sync: ["--output", "a"]
                default: []
                }
            #expect(throws: Never.self) {
                try Invocation(needed + [row.title, example], interfaces: .two)
            }
        }
    }
}

extension NetworkInterfaces {
    /// A machine with two interfaces.
    static let two = NetworkInterfaces(
        exists: { ["lo", "eth0"].contains($0) }, names: { ["lo", "eth0"] })
}
