// Shell completions for bash, zsh and fish, generated from the table of commands and options.
import PeerList
import PeerText

extension Shell {
    var completions: String {
        switch self {
        case .bash: BashCompletions.text
        case .zsh: ZshCompletions.text
        case .fish: FishCompletions.text
        }
    }
}

/// The service types that `--type` accepts, each with its title: short names where there are any.
private let serviceTypes = KnownServiceType.all.map { ($0.shortNames.first ?? $0.type, $0.title) }

private let commands = CommandName.allCases.map(\.command)

private func commandNames(_ separator: String) -> String {
    CommandName.named.map(\.rawValue).joined(separator: separator)
}

/// Returns text as one word of a POSIX shell.
private func shellQuoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
}

/// Completions for bash, without the functions of the package bash-completion.
private enum BashCompletions {
    static var text: String {
        """
        # bash completion for peerlist; printed by 'peerlist completions bash'

        # Completes the last name of a list that is separated by commas.
        _peerlist_list() {
            local last=${1##*,}
            mapfile -t COMPREPLY < <(compgen -P "${1%"$last"}" -W "$2" -- "$last")
        }

        _peerlist_types() {
            _peerlist_list "$1" '\(serviceTypes.map(\.0).joined(separator: " "))'
        }

        _peerlist_interfaces() {
            local interfaces=(/sys/class/net/*)
            mapfile -t COMPREPLY < <(compgen -W "${interfaces[*]##*/}" -- "$1")
        }

        _peerlist_files() {
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$1")
        }

        _peerlist_words() { mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1"); }

        _peerlist() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
            local command=
            COMPREPLY=()
            # bash splits words at an equals sign.
            if [[ $current == = ]]; then
                current=
            elif [[ $previous == = ]] && ((COMP_CWORD > 2)); then
                previous=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            case ${COMP_WORDS[1]} in
            \(commandNames(" | ")))
                ((COMP_CWORD == 1)) || command=${COMP_WORDS[1]}
                ;;
            esac
            case "$command $previous" in
        \(commands.flatMap(values).joined(separator: "\n"))
            esac
            case "$command $current" in
        \(commands.flatMap(words).joined(separator: "\n"))
            esac
        }
        complete -F _peerlist peerlist

        """
    }

    private static func values(_ command: Command) -> [String] {
        command.rows.compactMap { row in
            guard let argument = row.argument, !argument.isOptional else { return nil }
            let patterns = row.forms.map { "'\(command.name.rawValue) \($0)'" }
            return arm(patterns.joined(separator: " | "), action(argument.candidates))
        }
    }

    /// The options of a command, then its operands; of the list, the commands.
    private static func words(_ command: Command) -> [String] {
        let name = command.name.rawValue
        let forms = Candidates.names(command.rows.flatMap(\.forms))
        var arms = [arm("'\(name) -'*", action(forms))]
        if command.name == .list {
            let names = Candidates.names(CommandName.named.map(\.rawValue))
            arms.append(arm("' '*", "((COMP_CWORD > 1)) || " + action(names)))
        } else if let operand = command.operands.first {
            arms.append(arm("'\(name) '*", action(operand.candidates)))
        }
        return arms
    }

    private static func action(_ completion: Candidates) -> String {
        switch completion {
        case .none: "return 0"
        case .files: "_peerlist_files \"$current\""
        case .interfaces: "_peerlist_interfaces \"$current\""
        case .serviceTypes, .list(.serviceTypes): "_peerlist_types \"$current\""
        case .names(let values):
            "_peerlist_words \"$current\" '\(values.joined(separator: " "))'"
        case .list(.names(let values)):
            "_peerlist_list \"$current\" '\(values.joined(separator: " "))'"
        case .list: "return 0"
        }
    }

    private static func arm(_ pattern: String, _ action: String) -> String {
        "    \(pattern))\n        \(action)\n        return 0\n        ;;"
    }
}

/// Completions for zsh, by its function `_arguments`.
private enum ZshCompletions {
    static var text: String {
        """
        #compdef peerlist
        # zsh completion for peerlist; printed by 'peerlist completions zsh'

        _peerlist_types() {
            local -a types=(
        \(serviceTypes.map { "        \(shellQuoted("\($0.0):\($0.1)"))" }.joined(separator: "\n"))
            )
            compset -P '*,'
            _describe 'service type' types
        }

        # Completes the last name of a list that is separated by commas.
        _peerlist_list() {
            compset -P '*,'
            compadd -- "$@"
        }

        _peerlist_interfaces() {
            local -a interfaces=(/sys/class/net/*(N:t))
            _describe 'network interface' interfaces
        }

        _peerlist_commands() {
            local -a commands=(
        \(CommandName.named.map { command in
            "        \(shellQuoted("\(command.rawValue):\(command.command.summary)"))"
        }.joined(separator: "\n"))
            )
            _describe command commands
        }

        _peerlist() {
            local command=
            if ((CURRENT > 2)) && [[ $words[2] == (\(commandNames("|"))) ]]; then
                command=$words[2]
                shift words
                ((CURRENT--))
            fi
            case $command in
        \(commands.map(arm).joined(separator: "\n"))
            esac
        }

        # Loaded from fpath, the file is the function itself; sourced, it is registered.
        if [[ $funcstack[1] == _peerlist ]]; then
            _peerlist "$@"
        else
            compdef _peerlist peerlist
        fi

        """
    }

    private static func arm(_ command: Command) -> String {
        var specs = command.rows.map { spec($0, in: command) }
        if command.name == .list { specs.append("'1: :_peerlist_commands'") }
        specs += command.operands.enumerated().map { index, operand in
            let colons = operand.name.hasPrefix("[") ? "::" : ":"
            let place = operand.isRepeated ? "*" : "\(index + 1)"
            return shellQuoted("\(place)\(colons)\(value(operand))")
        }
        let lines = specs.map { "            \($0)" }.joined(separator: " \\\n")
        return
            "    '\(command.name.rawValue)')\n        _arguments -s -S : \\\n\(lines)\n        ;;"
    }

    /// The specification of an option for `_arguments`.
    private static func spec(_ row: OptionRow, in command: Command) -> String {
        let conflicts = command.rows.filter { other in
            row.conflict?.title == other.title || other.conflict?.title == row.title
        }
        let excluded = (row.forms + conflicts.flatMap(\.forms)).joined(separator: " ")
        let lead = row.repetition == .adds ? "*" : "(\(excluded))"
        let isOptional = row.argument?.isOptional == true
        let argument = row.argument.map { (isOptional ? "::" : ":") + value($0) } ?? ""
        let help = row.help.reduce(into: "") { $0 += "[]:\\".contains($1) ? "\\\($1)" : String($1) }
        return row.forms.map { form in
            let sign =
                row.argument == nil
                ? "" : isOptional ? "=-" : form.hasPrefix("--") ? "=" : "+"
            return shellQuoted("\(lead)\(form)\(sign)[\(help)]\(argument)")
        }.joined(separator: " ")
    }

    /// The name of a value, and what completes it.
    private static func value(_ argument: OptionRow.Argument) -> String {
        argument.name.filter { !"[]:".contains($0) } + ":" + action(argument.candidates)
    }

    private static func action(_ completion: Candidates) -> String {
        switch completion {
        case .none: " "
        case .files: "_files"
        case .interfaces: "_peerlist_interfaces"
        case .serviceTypes, .list(.serviceTypes): "_peerlist_types"
        case .names(let values): "(\(values.joined(separator: " ")))"
        // After a space, _arguments inserts no options before the words.
        case .list(.names(let values)): " _peerlist_list \(values.joined(separator: " "))"
        case .list: " "
        }
    }
}

/// Completions for fish, by its builtin `complete`.
private enum FishCompletions {
    static var text: String {
        """
        # fish completion for peerlist; printed by 'peerlist completions fish'

        # Succeeds if the command line is of this command, an empty one being the live list.
        function __peerlist_is
            set -l words (commandline -opc)
            set -l command
            if contains -- "$words[2]" \(commandNames(" "))
                set command $words[2]
            end
            test "$command" = "$argv[1]"
        end

        function __peerlist_has_no_words
            test (count (commandline -opc)) -eq 1
        end

        # Prints words, after what a list that is separated by commas begins with.
        function __peerlist_list
            set -l list (string match --regex '^(?:--[a-z]+=)?(.*,)?' -- (commandline -ct))[2]
            printf "$list%s\\n" $argv
        end

        # Prints the service types in the same way, with their titles.
        function __peerlist_types
            set -l list (string match --regex '^(?:--type=)?(.*,)?' -- (commandline -ct))[2]
            printf "$list%s\\t%s\\n" \\
        \(serviceTypes.map { "        \(quoted($0.0)) \(quoted($0.1))" }.joined(separator: " \\\n"))
        end

        function __peerlist_interfaces
            for interface in /sys/class/net/*
                string replace --regex '.*/' '' $interface
            end
        end

        complete -c peerlist -f
        \(commands.flatMap(lines).joined(separator: "\n"))

        """
    }

    private static func lines(_ command: Command) -> [String] {
        let name = command.name.rawValue
        let isOfCommand = "complete -c peerlist -n '__peerlist_is \"\(name)\"'"
        var lines = command.rows.map { row in
            var words = [isOfCommand]
            if let short = row.short { words.append("-s \(short)") }
            if let long = row.long { words.append("-l \(long.dropFirst(2))") }
            if let argument = row.argument, !argument.isOptional {
                let isFile = argument.candidates == .files
                words.append(isFile ? "-r -F" : "-x" + values(argument.candidates))
            }
            return (words + ["-d \(quoted(row.help))"]).joined(separator: " ")
        }
        if command.name != .list {
            lines.append(
                "complete -c peerlist -n __peerlist_has_no_words -a \(name)"
                    + " -d \(quoted(command.summary))")
        }
        if let completion = command.operands.first?.candidates {
            lines.append(isOfCommand + (completion == .files ? " -F" : values(completion)))
        }
        return lines
    }

    private static func values(_ completion: Candidates) -> String {
        switch completion {
        case .none, .files: ""
        case .interfaces: " -a '(__peerlist_interfaces)'"
        case .serviceTypes, .list(.serviceTypes): " -a '(__peerlist_types)'"
        case .names(let values): " -a '\(values.joined(separator: " "))'"
        case .list(.names(let values)): " -a '(__peerlist_list \(values.joined(separator: " ")))'"
        case .list: ""
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
