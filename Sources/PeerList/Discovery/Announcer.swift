// Announces a service of this machine under a free name, and without a gap when the backend changes.

/// The announcement of a service: its name, which may be taken, and the stacks that announce it.
struct Announcer {
    /// The maximum time for which two stacks announce the same service.
    static let overlap = Duration.seconds(5)

    private let announcement: Announcement?
    private let path: LookupPath
    private var isOpen = false
    private var name: AnnouncedName
    private var random: any RandomNumberGenerator
    /// The time at which the next name is tried after a conflict.
    private var nextTryDue: Duration?
    /// The latest time at which the former stack is closed, while there is one.
    private var formerDue: Duration?
    /// The last host name that was reported to differ from the machine's own.
    private var reportedHost = ""

    init(_ options: BrowseOptions, random: any RandomNumberGenerator) {
        (announcement, path) = (options.announcement, options.path)
        (name, self.random) = (AnnouncedName(options.announcement?.name ?? ""), random)
    }

    var deadline: Duration? { [formerDue, nextTryDue].compactMap { $0 }.min() }

    /// Announces the service while the stack has its host name, and withdraws it otherwise.
    mutating func stackChanged(_ status: StackStatus, _ step: inout DiscoveryStep) {
        guard let announcement else { return }
        guard status.state == .running else { return withdraw(&step) }
        guard !isOpen, nextTryDue == nil else { return }
        var wanted = announcement
        wanted.name = name.current
        isOpen = true
        step.open(.announcement, .publish(wanted, path))
    }

    mutating func withdraw(_ step: inout DiscoveryStep) {
        if isOpen { step.close(.announcement) }
        isOpen = false
    }

    /// Keeps the announcement through the stack in use until the next stack has announced the
    /// service.
    ///
    /// Otherwise other machines would see this machine leave and return: a goodbye takes effect after a second,
    /// and claiming a name takes nearly as long.
    ///
    /// - Returns: Whether there is an announcement, so that the stack is kept.
    mutating func retire(_ step: inout DiscoveryStep) -> Bool {
        guard isOpen else { return false }
        closeFormer(&step)
        step.add(.retire)
        (isOpen, formerDue) = (false, step.now + Self.overlap)
        return true
    }

    /// Closes the former stack and its announcement.
    mutating func closeFormer(_ step: inout DiscoveryStep) {
        guard formerDue != nil else { return }
        formerDue = nil
        step.close(.formerAnnouncement)
        step.add(.closeStack(.former))
    }

    mutating func handle(_ event: LookupEvent, _ status: StackStatus, _ step: inout DiscoveryStep) {
        guard isOpen else { return }
        switch event {
        case .established:
            // A goodbye of the former stack would withdraw what the stack in use announces: Avahi contradicts a
            // goodbye, but not within half a second of its own announcements.
            if formerDue != nil { step.add(.abandonFormer) }
            formerDue = nil
            name.established()
            step.report(.announced(name: name.current))
            reportHostName(status, &step)
        case .collision: takeNextName(status, &step)
        case .failed(let error) where error.kind == .collision: takeNextName(status, &step)
        case .failed(let error):
            closeFormer(&step)
            withdraw(&step)
            let text = "'\(name.current)' cannot be announced: \(error)"
            step.report(.notice(.announceFailed, text))
        default: break
        }
    }

    /// Performs the actions that are due; `status` is the status of the stack in use, if there is
    /// one.
    mutating func advance(_ status: StackStatus?, _ step: inout DiscoveryStep) {
        if let due = formerDue, due <= step.now { closeFormer(&step) }
        if let due = nextTryDue, due <= step.now {
            nextTryDue = nil
            if let status { stackChanged(status, &step) }
        }
    }

    /// Reports that this machine is announced under another host name, because its own was taken.
    ///
    /// A second responder on this machine, such as systemd-resolved, can take the name like another
    /// machine if its records of the host differ from Avahi's. avahi-daemon logs such a conflict.
    private mutating func reportHostName(_ status: StackStatus, _ step: inout DiscoveryStep) {
        guard let wanted = status.wantedHostName, status.hostName != wanted,
            status.hostName != reportedHost
        else { return }
        reportedHost = status.hostName
        step.add(.reportHostNameConflict(wanted: wanted, used: status.hostName))
    }

    /// Withdraws the name that is taken, and schedules the announcement of the next name.
    private mutating func takeNextName(_ status: StackStatus, _ step: inout DiscoveryStep) {
        closeFormer(&step)
        withdraw(&step)
        let taken = name.current
        guard let wait = name.takeNext(on: status.hostName, at: step.now, using: &random) else {
            let text = "'\(taken)' cannot be announced, nor any name before it"
            return step.report(.notice(.announceFailed, text))
        }
        nextTryDue = step.now + wait
        let text =
            "the name '\(taken)' is taken on this link, so '\(name.current)' is tried in its place"
        step.report(.notice(.nameConflict, text))
    }
}
