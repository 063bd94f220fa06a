// What the help of `doctor`, `announce` and `types` says before and behind their options.

extension HelpText {
    static let doctorIntroduction = """
        Usage: peerlist doctor [OPTION]...

        Say what stands between this machine and the others, check by check, and what to
        do about it: network interfaces, UDP port 5353 and who has it, firewalls, D-Bus,
        avahi-daemon with its settings and known weaknesses, whether multicast comes
        back, who is heard, and who sees this machine.

        For the last of these, this machine is announced for some seconds. Every
        'peerlist' that shows its list on another machine meanwhile says on which paths
        it sees this one; so let one run there. As root, more can be seen.

        """

    static let doctorExamples = """
        Examples:
          peerlist doctor               while 'peerlist' runs on the other machine
          sudo peerlist doctor          firewalls and the owners of ports as well
          peerlist doctor --json | jq -r '.checks[] | select(.outcome != "ok").name'

        """

    static let doctorStatus = """
        Exit status:
          0    no problem, though perhaps warnings
          1    there is a problem
          2    wrong usage
          3    failure, such as a full disk
          130  interrupted

        """

    static let announceIntroduction = """
        Usage: peerlist announce --name NAME --type TYPE --port PORT [OPTION]...

        Let others see a service of this machine for as long as this runs. It says under
        which name, and withdraws it when it ends, however it ends. When avahi-daemon is
        restarted, or goes, the service is announced again.

        """

    static let announceExamples = """
        Examples:
          peerlist announce --name Web --type http --port 8080 --txt path=/shop
          peerlist announce -n Attic -t ipp --port 631 --subtype printer --txt rp=ipp

        """

    static let announceStatus = """
        Exit status:
          0    announced until a signal, such as Ctrl-C, ended it
          2    wrong usage
          3    failure: it could not be announced, or avahi-daemon hangs and did not
               withdraw it

        """

    static let typesIntroduction = """
        Usage: peerlist types [OPTION]...

        Count what is announced here: the types of services, what people call them, how
        many services of each there are, and how many devices offer them.

        """

    static let typesExamples = """
        Examples:
          peerlist types
          peerlist types --json | jq -r 'select(.devices > 1).type'

        """

    static let typesStatus = """
        Exit status:
          0    done; services were found
          1    no services were found
          2    wrong usage
          3    failure, such as a full disk, or no mDNS backend
          130  interrupted

        """
}
