// Shell completions for bash, zsh and fish, generated from the table of commands and options.
import PeerList

extension Shell {
    /// The script that completes the command line of peerlist in this shell.
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

private let commandNames = CommandName.named.map(\.rawValue)

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
        _peerlist_types() {
            local types='\(serviceTypes.map(\.0).joined(separator: " "))'
            local last=${1##*,}
            mapfile -t COMPREPLY < <(compgen -P "${1%"$last"}" -W "$types" -- "$last")
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
            \(commandNames.joined(separator: " | ")))
                ((COMP_CWORD == 1)) || command=${COMP_WORDS[1]}
                ;;
            esac
            case "$command $previous" in
        \(CommandName.allCases.flatMap(values).joined(separator: "\n"))
            esac
            case "$command $current" in
        \(CommandName.allCases.map(options).joined(separator: "\n"))
        \(CommandName.allCases.compactMap(operands).joined(separator: "\n"))
            esac
        }
        complete -F _peerlist peerlist

        """
    }

    /// The values of a command's options.
    private static func values(_ command: CommandName) -> [String] {
        command.command.rows.compactMap { row in
            guard let argument = row.argument, !argument.isOptional else { return nil }
            let patterns = row.forms.map { "'\(command.rawValue) \($0)'" }
            return arm(patterns.joined(separator: " | "), action(argument.completion))
        }
    }

    private static func options(_ command: CommandName) -> String {
        let words = command.command.rows.flatMap(\.forms).joined(separator: " ")
        return arm("'\(command.rawValue) -'*", "_peerlist_words \"$current\" '\(words)'")
    }

    private static func operands(_ command: CommandName) -> String? {
        if command == .list {
            let names = commandNames.joined(separator: " ")
            let words = "((COMP_CWORD > 1)) || _peerlist_words \"$current\" '\(names)'"
            return arm("' '*", words)
        }
        guard let operand = command.command.operands.first else { return nil }
        return arm("'\(command.rawValue) '*", action(operand.completion))
    }

    private static func action(_ completion: OptionRow.Completion) -> String {
        switch completion {
        case .none: "return 0"
        case .files: "_peerlist_files \"$current\""
        case .interfaces: "_peerlist_interfaces \"$current\""
        case .serviceTypes: "_peerlist_types \"$current\""
        case .values(let values):
            "_peerlist_words \"$current\" '\(values.joined(separator: " "))'"
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
            if ((CURRENT > 2)) && [[ $words[2] == (\(commandNames.joined(separator: "|"))) ]]; then
                command=$words[2]
                shift words
                ((CURRENT--))
            fi
            case $command in
        \(CommandName.allCases.map(arm).joined(separator: "\n"))
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

    private static func arm(_ name: CommandName) -> String {
        let command = name.command
        var specs = command.rows.map { spec($0, in: command) }
        if name == .list { specs.append("'1: :_peerlist_commands'") }
        specs += command.operands.enumerated().map { index, operand in
            let colons = operand.name.hasPrefix("[") ? "::" : ":"
            let (message, action) = (plain(operand.name), action(operand.completion))
            return shellQuoted("\(index + 1)\(colons)\(message):\(action)")
        }
        let lines = specs.map { "            \($0)" }.joined(separator: " \\\n")
        return "    '\(name.rawValue)')\n        _arguments -s -S : \\\n\(lines)\n        ;;"
    }

    /// The specification of an option for `_arguments`.
    private static func spec(_ row: OptionRow, in command: Command) -> String {
        let excluded = row.repetition == .adds ? [] : row.forms + conflicts(of: row, in: command)
        let lead = row.repetition == .adds ? "*" : "(\(excluded.joined(separator: " ")))"
        let specs = row.forms.map { form in
            let name =
                switch row.argument {
                case .none: form
                case .some(let argument) where argument.isOptional: "\(form)=-"
                case .some: form.hasPrefix("--") ? "\(form)=" : "\(form)+"
                }
            return shellQuoted("\(lead)\(name)[\(escaped(row.help))]\(value(row))")
        }
        return specs.joined(separator: " ")
    }

    private static func conflicts(of row: OptionRow, in command: Command) -> [String] {
        command.rows.filter { other in
            row.conflict?.title == other.title || other.conflict?.title == row.title
        }.flatMap(\.forms)
    }

    private static func value(_ row: OptionRow) -> String {
        guard let argument = row.argument else { return "" }
        let colons = argument.isOptional ? "::" : ":"
        return "\(colons)\(plain(argument.name)):\(action(argument.completion))"
    }

    private static func action(_ completion: OptionRow.Completion) -> String {
        switch completion {
        case .none: " "
        case .files: "_files"
        case .interfaces: "_peerlist_interfaces"
        case .serviceTypes: "_peerlist_types"
        case .values(let values): "(\(values.joined(separator: " ")))"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += "[]:\\".contains($1) ? "\\\($1)" : String($1) }
    }

    private static func plain(_ name: String) -> String { name.filter { !"[]:".contains($0) } }
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
            if contains -- "$words[2]" \(commandNames.joined(separator: " "))
                set command $words[2]
            end
            test "$command" = "$argv[1]"
        end

        function __peerlist_has_no_words
            test (count (commandline -opc)) -eq 1
        end

        # Prints the service types, after what a list that is separated by commas begins with.
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
        \(CommandName.allCases.flatMap(lines).joined(separator: "\n"))

        """
    }

    private static func lines(_ name: CommandName) -> [String] {
        let isOfCommand = "complete -c peerlist -n '__peerlist_is \"\(name.rawValue)\"'"
        let options = name.command.rows.map { row in
            var words = [isOfCommand]
            if let short = row.short { words.append("-s \(short)") }
            if let long = row.long { words.append("-l \(long.dropFirst(2))") }
            if let argument = row.argument, !argument.isOptional {
                words.append("-x" + values(argument.completion))
                if argument.completion == .files { words[words.count - 1] = "-r -F" }
            }
            return (words + ["-d \(quoted(row.help))"]).joined(separator: " ")
        }
        let command =
            name == .list
            ? []
            : [
                "complete -c peerlist -n __peerlist_has_no_words -a \(name.rawValue)"
                    + " -d \(quoted(name.command.summary))"
            ]
        let operand = name.command.operands.first.map { operand in
            operand.completion == .files
                ? "\(isOfCommand) -F" : "\(isOfCommand)\(values(operand.completion))"
        }
        return command + options + (operand.map { [$0] } ?? [])
    }

    private static func values(_ completion: OptionRow.Completion) -> String {
        switch completion {
        case .none, .files: ""
        case .interfaces: " -a '(__peerlist_interfaces)'"
        case .serviceTypes: " -a '(__peerlist_types)'"
        case .values(let values): " -a '\(values.joined(separator: " "))'"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
