// Announces a service of this machine: under a free name, and through each backend in turn without a gap.

struct Announcer {
    /// The longest time for which two stacks announce the same service.
    static let overlap = Duration.seconds(5)
    /// The time from the next stack's announcement to the former one's goodbye.
    ///
    /// The next stack contradicts the goodbye, but not within half a second of its own announcements, which Avahi
    /// sends at once, after 1 s and after 3 s.
    static let farewell = Duration.milliseconds(1_600)
    /// The maximum number of names that are tried in a row; other machines could take each of them.
    static let nameLimit = 100

    private let announcement: Announcement?
    private let path: LookupPath
    private var isOpen = false
    /// The name in use; it differs from the wanted one when that is taken.
    private var name: String?
    private var takenCount = 0
    /// When the former stack is closed at the latest, while there is one.
    private(set) var deadline: Duration?
    /// The host name that was last reported not to be the machine's own.
    private var reportedHost = ""

    init(_ options: BrowseOptions) {
        (announcement, path) = (options.announcement, options.path)
    }

    /// Announces the service once the stack has its host name, and withdraws it while it has none.
    mutating func stackChanged(_ status: StackStatus, _ step: inout DiscoveryStep) {
        guard let announcement else { return }
        guard status.state == .running else { return withdraw(&step) }
        guard !isOpen else { return }
        var wanted = announcement
        wanted.name = name ?? announcement.name
        (isOpen, name) = (true, wanted.name)
        step.open(.announcement, .publish(wanted, path))
    }

    mutating func withdraw(_ step: inout DiscoveryStep) {
        if isOpen { step.close(.announcement) }
        isOpen = false
    }

    /// Leaves the announcement to the stack in use until the next one has made its own.
    ///
    /// Otherwise other machines would see this one leave and return: a goodbye counts after a second, and claiming
    /// a name takes nearly as long.
    ///
    /// - Returns: Whether there is an announcement, so that the stack is kept.
    mutating func retire(_ step: inout DiscoveryStep) -> Bool {
        guard isOpen else { return false }
        closeFormer(&step)
        step.add(.retire)
        (isOpen, deadline) = (false, step.now + Self.overlap)
        return true
    }

    /// Closes the former stack and its announcement.
    mutating func closeFormer(_ step: inout DiscoveryStep) {
        guard deadline != nil else { return }
        deadline = nil
        step.close(.formerAnnouncement)
        step.add(.closeStack(.former))
    }

    mutating func handle(_ event: LookupEvent, _ status: StackStatus, _ step: inout DiscoveryStep) {
        guard isOpen, let name else { return }
        switch event {
        case .established:
            if deadline != nil { deadline = step.now + Self.farewell }
            takenCount = 0
            step.report(.announced(name: name))
            reportHostName(status, &step)
        case .collision: useNextName(after: name, status, &step)
        case .failed(let error) where error.kind == .collision:
            useNextName(after: name, status, &step)
        case .failed(let error):
            closeFormer(&step)
            withdraw(&step)
            step.report(.notice(.announceFailed, "'\(name)' cannot be announced: \(error)"))
        default: break
        }
    }

    mutating func advance(_ step: inout DiscoveryStep) {
        if let due = deadline, due <= step.now { closeFormer(&step) }
    }

    /// Reports that this machine is announced under another host name than its own, which was taken.
    ///
    /// A second responder on the machine, such as systemd-resolved, takes it as well as another machine
    /// does, when its records of the host differ from Avahi's. Of avahi-daemon its log says the same.
    private mutating func reportHostName(_ status: StackStatus, _ step: inout DiscoveryStep) {
        guard let wanted = status.wantedHostName, status.hostName != wanted,
            status.hostName != reportedHost
        else { return }
        reportedHost = status.hostName
        step.add(.reportHostNameConflict(wanted: wanted, used: status.hostName))
    }

    private mutating func useNextName(
        after taken: String, _ status: StackStatus, _ step: inout DiscoveryStep
    ) {
        closeFormer(&step)
        withdraw(&step)
        takenCount += 1
        guard takenCount < Self.nameLimit else {
            let text = "'\(taken)' cannot be announced, nor any name before it"
            return step.report(.notice(.announceFailed, text))
        }
        let next = alternativeName(to: taken)
        name = next
        let text = "the name '\(taken)' is taken on this link, so '\(next)' is tried in its place"
        step.report(.notice(.nameConflict, text))
        stackChanged(status, &step)
    }
}
