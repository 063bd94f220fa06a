// A service of our own, announced while the browser runs.

extension LinkBrowser {
    struct Announcing {
        var group: (any Lookup)?
        /// The name in use; it differs from the wanted one when that is taken.
        var name: String?
        /// A closed group's callbacks are told from the current one's by this.
        var attempt = 0
        /// What the stack that was asked before announces until this one does, and until when at the latest.
        var former: (group: any Lookup, stack: any LookupStack, due: Duration)?
        /// How many names in a row were taken.
        var takenCount = 0
    }

    /// How long two stacks may announce the same.
    private static let overlap = Duration.seconds(5)

    /// How much longer a stack announces what the next one has begun to announce.
    ///
    /// That one contradicts the goodbye which follows, but not while it has just spoken: Avahi says
    /// nothing again within half a second, and announces at once and after 1 s and 3 s.
    private static let farewell = Duration.milliseconds(1_600)

    /// How many names are tried in a row; another machine could take each of them.
    private static let nameLimit = 100

    /// Announces what the options ask for, once the daemon has settled this machine's own name.
    func publishIfReady() {
        guard let announcement = options.announcement, let stack else { return }
        guard stack.state == .running else {
            // The host name is being claimed anew, and what stands under it with it.
            return closeAnnouncement()
        }
        guard announcing.group == nil else { return }
        var wanted = announcement
        wanted.name = announcing.name ?? announcement.name
        publish(wanted, through: stack)
    }

    func closeAnnouncement() {
        announcing.group?.close()
        announcing.group = nil
    }

    /// Leaves the announcement, and the stack with it, as they are until the next stack has made its own.
    ///
    /// Else others would see this machine go and come: a goodbye counts after a second, and to claim a
    /// name takes nearly as long.
    func leaveAnnouncement() {
        guard let group = announcing.group, let stack else { return }
        closeFormerAnnouncement()
        announcing.former = (group, stack, now + Self.overlap)
        announcing.group = nil
        self.stack = nil
    }

    func closeFormerAnnouncement() {
        announcing.former?.group.close()
        announcing.former?.stack.close()
        announcing.former = nil
    }

    private func publish(_ announcement: Announcement, through stack: any LookupStack) {
        announcing.attempt += 1
        let attempt = announcing.attempt
        announcing.name = announcement.name
        do throws(AvahiError) {
            announcing.group = try stack.publish(announcement, path: path) { event in
                // The group may speak before its constructor returns; it is heard after that.
                Task { await self.groupChanged(event, attempt) }
            }
        } catch {
            if error.isCollision { return useNextName() }
            report(.notice(.announceFailed, "'\(announcement.name)' cannot be announced: \(error)"))
        }
    }

    private func groupChanged(_ event: PublishEvent, _ attempt: Int) {
        guard attempt == announcing.attempt, announcing.group != nil else { return }
        switch event {
        case .established:
            announcing.former?.due = now + Self.farewell
            planTimer()
            announcing.takenCount = 0
            if let name = announcing.name { report(.announced(name: name)) }
        case .collision:
            closeFormerAnnouncement()
            useNextName()
        case .failed(let reason):
            closeFormerAnnouncement()
            closeAnnouncement()
            let name = announcing.name ?? ""
            report(.notice(.announceFailed, "'\(name)' cannot be announced: \(reason)"))
        }
    }

    private func useNextName() {
        closeAnnouncement()
        guard let taken = announcing.name else { return }
        announcing.takenCount += 1
        guard announcing.takenCount < Self.nameLimit else {
            return report(
                .notice(
                    .announceFailed, "'\(taken)' cannot be announced, nor any name before it"))
        }
        let next = alternativeName(to: taken)
        announcing.name = next
        report(
            .notice(
                .nameConflict,
                "the name '\(taken)' is taken on this link, so '\(next)' is tried in its place"))
        publishIfReady()
    }
}
