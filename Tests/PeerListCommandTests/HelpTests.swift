// The help and the option table that it is generated from.
import Testing

@testable import PeerListCommand

@Suite struct HelpTests {
    @Test(arguments: CommandName.allCases)
    func `the help is the committed text and fits 80 columns`(name: CommandName) throws {
        let help = HelpText.text(of: name)
        try expectCommitted(help, name == .list ? "help.txt" : "help-\(name.rawValue).txt")
        for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.count <= 80, "\(line)")
            #expect(!line.hasSuffix(" "), "\(line)")
        }
    }

    @Test(arguments: CommandName.allCases)
    func `the help contains every option and operand`(name: CommandName) {
        let help = HelpText.text(of: name)
        for row in name.command.rows {
            let lead =
                row.short == nil ? "      \(row.title)" : "  \(row.forms.joined(separator: ", "))"
            #expect(help.contains("\n\(lead)"), "\(row.title)")
        }
        for operand in name.command.operands { #expect(help.contains(" \(operand.name)")) }
    }

    @Test func `the help of the list contains every command`() {
        let help = HelpText.text(of: .list)
        for name in CommandName.named {
            #expect(help.contains("       \(name.title) "))
            #expect(help.contains(name.command.summary))
        }
    }

    @Test(arguments: CommandName.allCases)
    func `options of a command have distinct forms and refer to each other by their titles`(
        name: CommandName
    ) {
        let rows = name.command.rows
        let forms = rows.flatMap(\.forms)
        #expect(Set(forms).count == forms.count)
        for relation in rows.flatMap({ [$0.conflict, $0.requirement].compactMap(\.self) }) {
            #expect(rows.contains { $0.title == relation.title }, "\(relation.title)")
        }
    }

    /// Error messages quote the examples.
    @Test(arguments: CommandName.allCases)
    func `the example of every option is accepted`(name: CommandName) throws {
        let rows = name.command.rows
        func words(_ row: OptionRow) -> [String] {
            [row.title] + (row.argument.map { $0.isOptional ? [] : [$0.example] } ?? [])
        }
        for row in rows where row.argument != nil {
            let needed = rows.filter {
                $0.title != row.title && ($0.isRequired || $0.title == row.requirement?.title)
            }
            let operands = name.command.operands.map(\.example)
            #expect(throws: Never.self) {
                try Invocation(
                    (name == .list ? [] : [name.rawValue]) + (needed + [row]).flatMap(words)
                        + operands, interfaces: .two)
            }
        }
    }
}

extension NetworkInterfaces {
    /// A machine with two interfaces.
    static let two = NetworkInterfaces(
        exists: { ["lo", "eth0"].contains($0) }, names: { ["lo", "eth0"] })
}
