// The command `pick`: its options and its help.
import PeerScreen

extension Command {
    static let pick = Command(
        .pick, "choose a device for another program",
        about: """
            Show the live list on the terminal, narrow it by typing, and print the row that
            Enter chooses: the host name of the device, or an address where this machine
            cannot resolve that name. The list is shown on the controlling terminal, so
            standard input and output may be pipes. QUERY is typed already.

            Up and Down move. While nothing is typed, Right and Left show and hide the
            services of a device; a service can be chosen, too, and then decides the port
            and the URL. F1 shows all keys.

            A host name that another program could take for an option or for a command of
            the shell is never printed.
            """,
        notes: """
            Printed with --print:
              host     the host name, such as nas.local
              address  an address, such as 10.0.0.15, or fe80::1%eth0 if it has no other
              target   host and port of the service, such as nas.local:22
              url      the URL of a page, a printer, shared files, a screen, SSH or SFTP:
                       http://nas.local:5000/, smb://nas.local/, ssh://nas.local:2222
              id       the UUID of the device, or of the service
              json     the row as in the JSON lines

            Examples:
              ssh $(peerlist pick -t ssh)
              host=$(peerlist pick -t ssh) && ssh "$host"     nothing runs after Esc
              ssh $(peerlist pick -t ssh --print url)         with the port
              xdg-open "$(peerlist pick -t http --print url)"
              peerlist pick --one --kind printer --print address
              peerlist pick --one office --reachable || echo "the printer is off"
              peerlist pick --multi -t ssh | xargs -n 1 ping -c 1

            Exit status:
              0    done; at least one row was printed
              1    with --one, nothing matches; or what was chosen lacks what is printed,
                   or with --reachable does not answer
              2    wrong usage, or there is no terminal to choose on
              3    failure, such as no mDNS backend
              130  nothing was chosen: Esc or Ctrl-C, or interrupted
            """,
        operands: [.init(name: "[QUERY]", example: "office", candidates: .deviceNames)],
        defaults: Options(destination: .pick(PickOptions())),
        options: [
            .discovery: Options.selection(),
            .output: [
                .value(
                    "--print", .choice("part", example: "url"),
                    "Print this part of what is chosen, instead of the host name or an address"
                ) { $0.pick.part = $1 },
                .flag(
                    "--multi",
                    "Choose several rows, marked by Tab, or by Space before anything is typed; a "
                        + "line is printed for each"
                ) { $0.pick.isMulti = true },
                .flag(
                    "--one",
                    "Wait until discovery is quiet, and print a single match without asking: the device "
                        + "whose ID, label, name or host name is QUERY, or the only one that matches"
                ) { $0.pick.isOne = true },
                .flag(
                    "--reachable",
                    "Ask what is chosen whether it answers at its addresses, and on the announced TCP ports, and "
                        + "leave out what does not"
                ) { $0.pick.isReachable = true },
                .value(
                    "--height", .height,
                    "Show the list in this many lines below the prompt, at least 8, instead of in "
                        + "the whole window"
                ) { $0.pick.height = $1 },
                Options.timeout("With --one, wait at most SECONDS (default: 5)")
                    .requiring("--one", advice: "add '--one'"),
                Options.noLedger(
                    "Neither mark devices never seen before nor show labels, and remember no device"
                ), .noProgress,
            ],
            .screen: CommandOption.screen(\.screen),
        ]
    ) { options, operands in
        options.pick.query = operands.first ?? ""
        return .list(options)
    }
}
