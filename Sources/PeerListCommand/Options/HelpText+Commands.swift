// What the help of each command says before and behind its options.

extension HelpText {
    /// What stands before the options, and what behind them.
    static func frame(of command: CommandName) -> (before: String, behind: [String]) {
        switch command {
        case .list: (listIntroduction, [listExamples, listStatus])
        case .doctor: (doctorIntroduction, [doctorExamples, doctorStatus])
        case .announce: (announceIntroduction, [announceExamples, announceStatus])
        case .types: (typesIntroduction, [typesExamples, typesStatus])
        case .diff: (diffIntroduction, [diffExamples, diffStatus])
        case .replay: (replayIntroduction, [replayKeys, replayExamples, replayStatus])
        case .config: (configIntroduction, [configExamples, configStatus])
        }
    }

    private static let listIntroduction = """
        Usage: peerlist [OPTION]...
               peerlist doctor                why two machines do not see each other
               peerlist announce              a service of this machine, for others
               peerlist types                 which types of services are here
               peerlist replay FILE           a recording, shown again
               peerlist diff FIRST SECOND     what two recordings say differently
               peerlist config --print        the settings: keys and colours

        See who is on your network: a live list of the devices that announce themselves
        by multicast DNS (Bonjour, DNS-SD), arriving and leaving.

        """

    private static let listExamples = """
        Examples:
          peerlist                      the live list; q ends it, ? shows the keys
          peerlist -t ssh,sftp-ssh      who can be reached by SSH or SFTP
          peerlist -1                   who is here now, as a table
          peerlist -1j -t ipp | jq .    printers, for a script
          peerlist -o peers.jsonl       the list, and a record of all that changes
          peerlist -a="Anna's laptop"   the list, and this machine in those of others

        """

    private static let listStatus = """
        Exit status:
          0    done; with --once, something was found
          1    with --once, nothing was found
          2    wrong usage
          3    failure, such as a full disk, or no mDNS backend
          130  interrupted; in the live list q and Ctrl-C are the ordinary end, 0

        """

    private static let diffIntroduction = """
        Usage: peerlist diff [OPTION]... FIRST SECOND

        Say what differs between two recordings, which '--output' or '--json' wrote,
        plain or compressed by gzip; '-' is standard input. Recordings of two machines
        tell what one of them sees and the other does not. Times, and what depends on
        who looks, are not compared.

        """

    private static let diffExamples = """
        Examples:
          peerlist -1j > mine.jsonl; ssh h2 peerlist -1j > theirs.jsonl
          peerlist diff mine.jsonl theirs.jsonl
          peerlist diff --at 2026-11-21T08:30 monday.jsonl.gz today.jsonl

        """

    private static let diffStatus = """
        Exit status:
          0    the lists are the same
          1    they differ
          2    wrong usage, or a recording that cannot be read

        """

    private static let replayIntroduction = """
        Usage: peerlist replay [OPTION]... FILE

        Show a recording, which '--output' or '--json' wrote, plain or compressed by
        gzip, in the list, as it was; '-' is standard input.

        """

    private static let replayKeys = """
        Keys in the list:
          Space             stand still, go on
          Left, Right       one difference back, forth
          [, ]              a twentieth of the recording back, forth
          Home, End         to its beginning, its end
          +, -              twice, half as fast
          ?                 all keys

        """

    private static let replayExamples = """
        Examples:
          peerlist replay --speed 60 monday.jsonl       an hour in a minute
          peerlist replay --at 2026-11-21T08:30 today.jsonl | head
          peerlist replay --follow /var/log/peers.jsonl
          ssh h2 cat monday.jsonl.gz | peerlist replay -

        """

    private static let replayStatus = """
        Exit status:
          0    done
          1    with --at, outside of the list: the list was empty then
          2    wrong usage
          3    failure, such as a recording that cannot be read, or parts of it
          130  interrupted; in the list q and Ctrl-C are the ordinary end, 0

        """

    private static let configIntroduction = """
        Usage: peerlist config --print
               peerlist config --check [FILE]

        The settings of the live list: its keys, its colours and its theme. They are
        read from $XDG_CONFIG_HOME/peerlist/config, usually ~/.config/peerlist/config,
        when the list is shown; where there is no such file, all is as '--print' has it.

        """

    private static let configExamples = """
        Examples:
          peerlist config --print > ~/.config/peerlist/config
          peerlist config --check

        """

    private static let configStatus = """
        Exit status:
          0    done; the settings are valid
          2    wrong usage, or settings that are not valid
          3    failure, such as a full disk

        """
}
