// What the help of `doctor`, `announce` and `types` says before and behind their options.

extension HelpText {
    static let doctorIntroduction = """
        Usage: peerlist doctor [OPTION]...

        Find out what keeps this machine and others from seeing each other, and what to
        do about it: network interfaces, programs on UDP port 5353, firewalls, D-Bus,
        avahi-daemon with its settings and known weaknesses, multicast loopback, other
        devices that are heard here, and machines that see this one.

        For the last check, this machine is announced for some seconds. A 'peerlist'
        that runs on another machine then replies with the paths on which it sees this
        one; so run one there. As root, more checks are possible.

        """

    static let doctorExamples = """
        Examples:
          peerlist doctor               while 'peerlist' runs on the other machine
          sudo peerlist doctor          with firewalls and the owners of ports
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

        Announce a service of this machine until interrupted. Its name is printed; it is
        withdrawn at the end, and announced again after avahi-daemon stops or restarts.

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

        List the service types on this network, with their titles and how many services
        and devices there are of each.

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
