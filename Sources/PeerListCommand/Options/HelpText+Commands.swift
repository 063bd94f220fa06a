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
               peerlist doctor                find out why a machine is not seen
               peerlist announce              announce a service of this machine
               peerlist types                 list the service types on this network
               peerlist replay FILE           play a recording
               peerlist diff FIRST SECOND     compare two recordings
               peerlist config --print        print the settings: keys and colours

        A live list of the devices on your network that announce themselves by multicast
        DNS (Bonjour, DNS-SD), as they arrive and leave.

        """

    private static let listExamples = """
        Examples:
          peerlist                      the live list; q ends it, ? shows the keys
          peerlist -t ssh,sftp-ssh      devices with SSH or SFTP
          peerlist -1                   the devices that are there now, as a table
          peerlist -1j -t ipp | jq .    printers, for a script
          peerlist -o peers.jsonl       the list, and a recording of all changes
          peerlist -a="Anna's laptop"   the list, with this machine announced to others

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

        Compare two recordings, written by '--output' or '--json', plain or compressed
        by gzip; '-' is standard input. Recordings of two machines show what one of them
        sees and the other does not. Times, and what depends on the observer, are not
        compared.

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
          2    wrong usage, or a recording that cannot be compared

        """

    private static let replayIntroduction = """
        Usage: peerlist replay [OPTION]... FILE

        Play a recording, written by '--output' or '--json', plain or compressed by
        gzip, in the list; '-' is standard input. Times are local.

        """

    private static let replayKeys = """
        Keys in the list:
          Space             pause, resume
          Left, Right       one step back, forward
          [, ]              5 % back, forward
          Home, End         to the start, to the end
          +, -              twice, half as fast
          ?                 all keys

        """

    private static let replayExamples = """
        Examples:
          peerlist replay --speed 60 monday.jsonl       an hour in a minute
          peerlist replay --at 08:30 today.jsonl | head
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
        when the list starts; without that file, they are as '--print' shows them.

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
