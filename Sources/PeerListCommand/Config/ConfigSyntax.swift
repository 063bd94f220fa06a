// Parses the lines of the file of settings by the table of settings.
import PeerText

extension ConfigParser {
    /// Parses lines in UTF-8 that end in LF or CR LF; errors have a position, `PATH:3:9: …`, and its order.
    /// Whether commands can be run is checked on request.
    static func parse(
        _ bytes: [UInt8], path: String, checksPrograms: Bool = false
    ) -> (config: Config, errors: [UsageError]) {
        var parser = ConfigParser()
        parser.checksPrograms = checksPrograms
        for line in PeerText.lines(of: bytes) {
            parser.number += 1
            do throws(ValueFault) {
                guard let text = String(validating: line, as: UTF8.self) else {
                    throw ValueFault("the line is not valid UTF-8", at: "")
                }
                try parser.parse(text.hasSuffix("\r") ? String(text.dropLast()) : text)
            } catch {
                parser.fail(error)
            }
        }
        parser.endBlock()
        let faults = parser.faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        let errors = faults.map {
            UsageError("\(path):\($0.line):\($0.column): \($0.message)")
        }
        return (parser.config, errors)
    }

    /// Parses an empty line, `[SECTION]`, or `NAME = VALUE`, each with a comment or without.
    private mutating func parse(_ line: String) throws(ValueFault) {
        let content = line.withoutComment.trimmed
        guard !content.isEmpty else { return }
        if content.hasPrefix("[") { return try beginSection(content) }
        guard !isInUnknownSection else { return }
        guard let sign = content.firstIndex(of: "="), sign > content.startIndex else {
            throw ValueFault(content, "is neither '[SECTION]' nor 'NAME = VALUE'")
        }
        let name = content[..<sign].trimmed
        guard let section else {
            throw ValueFault(
                name, "is in no section; write one such as '[list]' or '[keys]' above it")
        }
        if section == .actions, name == "title" { endBlock() }
        if section == .actions, name != "title", lines[.actions]?["title"] == nil {
            throw ValueFault(name, "belongs to no action; write 'title = …' above it")
        }
        guard let setting = section.settings.first(where: { $0.name == name }) else {
            if section == .keys, name == "observer" {
                throw ValueFault(
                    name,
                    "is no action any more; leave it out, and press O for the list of observers"
                )
            }
            throw ValueFault(no: section.noun, name, among: section.settings.map(\.name))
        }
        if let earlier = lines[section]?[name] {
            let advice = name == "on" ? "write its 'exec = …' before the next one" : "leave one out"
            throw ValueFault(name, "is set in line \(earlier) already; \(advice)")
        }
        lines[section, default: [:]][name] = number
        config.counts[section, default: 0] += 1
        // A command may have a `#` in quotes.
        let isCommand = ["command", "exec"].contains(name)
        try setting.store(&self, (isCommand ? line[sign...] : content[sign...]).dropFirst().trimmed)
    }

    private mutating func beginSection(_ content: Substring) throws(ValueFault) {
        endBlock()
        section = nil
        isInUnknownSection = true
        guard content.hasSuffix("]") else {
            throw ValueFault("the name of the section needs a ']' after it", at: content)
        }
        let name = content.dropFirst().dropLast().trimmed
        section = ConfigSection(rawValue: String(name))
        guard section == nil else { return isInUnknownSection = false }
        throw ValueFault(no: "section", name, among: ConfigSection.allCases.map(\.rawValue))
    }
}
