// Completes words: the answer of `peerlist __complete`, and the scripts with which shells ask for it.
import FoundationEssentials
import PeerLedger
import PeerModel
import PeerText

/// The end of an unfinished command line.
struct Completion {
    private var candidates: Candidates
    /// The beginning of the word to complete that stays, such as `--sort=`.
    private var lead: Substring = ""

    /// Finds what completes the last of the words after `peerlist`.
    init(_ words: [String]) {
        let (current, before) = (words.last ?? "", words.dropLast())
        let name = before.first.flatMap(CommandName.init(rawValue:)) ?? .list
        let rows = name.command.rows
        var option: OptionRow?
        var operands = name.command.operands[...]
        // bash makes a word of each equals sign.
        for word in before.dropFirst(name == .list ? 0 : 1) where word != "=" {
            if option != nil {
                option = nil
            } else if word.hasPrefix("-") {
                option = rows.first { $0.forms.contains(word) && $0.argument?.isOptional == false }
            } else if operands.first?.isRepeated == false {
                operands.removeFirst()
            }
        }
        if let option {
            candidates = option.candidates
        } else if current.hasPrefix("--"), let sign = current.firstIndex(of: "=") {
            let form = String(current[..<sign])
            candidates = rows.first { $0.forms.contains(form) }?.candidates ?? .none
            lead = current[...sign]
        } else if current.hasPrefix("-") {
            candidates = .words(rows.flatMap { row in row.forms.map { ($0, row.help) } })
        } else if name == .list, before.isEmpty {
            candidates = .words(
                CommandName.named.map { ($0.rawValue, $0.command.summary) }
                    + [("help", "print the help of a command")])
        } else if Array(before) == ["help"] {
            candidates = .names(CommandName.named.map(\.rawValue))
        } else {
            candidates = operands.first?.candidates ?? .none
        }
        if case .list(let words) = candidates {
            candidates = words
            if let comma = current.lastIndex(of: ",") { lead = current[...comma] }
        }
    }

    /// A line `files` and a line with a pattern of names; or a line `words` and a line for each candidate, with
    /// its help after a tab. Candidates need not begin with the word to complete.
    var answer: String {
        switch candidates {
        case .files: return "files\n*\n"
        // Names such as night.jsonl and night.pcapng.gz, as one pattern that every shell reads alike.
        case .recordings: return "files\n*.[jp][sc][oa][np]*\n"
        default: break
        }
        let lines = Self.words(candidates).filter { printable($0.text) == $0.text }.map {
            "\(lead)\($0.text)" + ($0.help.isEmpty ? "" : "\t\(printable($0.help))")
        }
        return (["words"] + lines).map { $0 + "\n" }.joined()
    }

    private static func words(_ candidates: Candidates) -> [Candidates.Word] {
        switch candidates {
        case .none, .files, .recordings: []
        case .words(let words): words
        case .list(let candidates): words(candidates)
        case .interfaces: NetworkInterfaces.current.names().map { ($0, "") }
        case .serviceTypes: KnownServiceType.all.map { ($0.shortNames.first ?? $0.type, $0.title) }
        case .devices:
            devices.words.map { word, entry in
                let id = entry.id.uuidString.lowercased()
                return (word, word == id ? entry.title : id)
            }
        case .deviceNames:
            Set(devices.words.map(\.entry.title)).filter { !$0.isEmpty && !$0.hasPrefix("-") }
                .map { ($0, "") }
        }
    }

    /// The devices in the ledger; none if it cannot be read.
    private static var devices: DeviceDirectory {
        (try? LedgerFile().load())?.directory ?? DeviceDirectory([])
    }
}

extension Shell {
    /// The script with which the shell asks for words. It never evaluates one: the name of a device may be a
    /// command in the language of the shell.
    var completions: String {
        switch self {
        case .bash:
            #"""
            # bash completion for peerlist; printed by 'peerlist completions bash'

            _peerlist() {
                local current=${COMP_WORDS[COMP_CWORD]} typed word words
                mapfile -t words < <(
                    command peerlist __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                COMPREPLY=()
                [[ $current == = ]] && current=
                if [[ ${words[0]} == files ]]; then
                    compopt -o filenames 2>/dev/null
                    mapfile -t COMPREPLY < <(
                        compgen -d -- "$current"
                        compgen -f -X "!${words[1]}" -- "$current" || compgen -f -- "$current")
                    return
                fi
                typed=${current#[\"\']} typed=${typed//\\/}
                for word in "${words[@]:1}"; do
                    word=${word%%$'\t'*}
                    [[ $word == "$typed"* ]] || continue
                    if [[ $current != [\"\']* ]]; then
                        printf -v word %q "$word"
                        word=${word//\\,/,}
                    elif [[ $word == *[\"\'\\\$\`!]* ]]; then
                        # The quotes do not protect it.
                        continue
                    fi
                    COMPREPLY+=("$word")
                done
            }
            complete -F _peerlist peerlist

            """#
        case .zsh:
            #"""
            #compdef peerlist
            # zsh completion for peerlist; printed by 'peerlist completions zsh'

            _peerlist() {
                local -a lines names
                lines=("${(@f)$(command peerlist __complete \
                    "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
                if [[ $lines[1] == files ]]; then
                    compset -P '--[a-z-]#='
                    _files -g "$lines[2]"
                    return
                fi
                shift lines
                names=("${(@)lines%%$'\t'*}")
                lines=("${(@)lines/$'\t'/  -- }")
                compadd -l -d lines -a names
            }

            # Loaded from fpath, the file is the function itself; sourced, it is registered.
            if [[ $funcstack[1] == _peerlist ]]; then
                _peerlist "$@"
            else
                compdef _peerlist peerlist
            fi

            """#
        case .fish:
            #"""
            # fish completion for peerlist; printed by 'peerlist completions fish'

            function __peerlist_complete
                set -l words (commandline -opc)
                set -l current (commandline -ct)
                set -l lines (command peerlist __complete $words[2..] "$current" 2>/dev/null)
                if test "$lines[1]" = files
                    __fish_complete_path "$current"
                else
                    string join \n -- $lines[2..]
                end
            end
            complete -c peerlist -f -a '(__peerlist_complete)'

            """#
        }
    }
}
