// The times and bounds that discovery on the link and in captures have in common.

/// How long is waited for what is still missing, and how much of what others announce is taken, whatever the source.
package enum DiscoveryRules {
    /// The maximum number of services.
    package static let serviceLimit = 20_000
    /// The maximum number of addresses of a host; more are a mistake or an attack.
    package static let addressLimit = 64
    /// The time after the first address of a host during which each further address is reported at once. A list that is
    /// printed only once waits no longer than that.
    package static let addressArrival = Duration.seconds(1)
    /// The time for a change of addresses to be complete: a withdrawn record stays cached for a second, and its successor
    /// is probed for nearly as long.
    package static let addressChange = Duration.milliseconds(2_500)
    /// The time for which the records of a removed service still describe its device.
    package static let withdrawalTime = Duration.seconds(2)
    /// The time for a service to be heard again after another machine has ended its announcement.
    package static let contestTime = Duration.seconds(8)

    /// The type of the names of device-info records.
    package static let deviceInfoType = "_device-info._tcp"
    /// The maximum number of names under which the device-info record of a host is accepted.
    package static let deviceInfoNameLimit = 3
    /// The maximum size in bytes of such a record, and of any TXT record that is always kept.
    package static let smallRecord = 1_024
    /// The types of services that have the name of the computer. Services of speakers and televisions may have the name of
    /// a room, under which the record of another machine in the room would be found.
    package static let typesOfComputers: Set = [
        "_afpovertcp._tcp", "_companion-link._tcp", "_rfb._tcp", "_sftp-ssh._tcp", "_smb._tcp",
        "_ssh._tcp",
    ]
}
