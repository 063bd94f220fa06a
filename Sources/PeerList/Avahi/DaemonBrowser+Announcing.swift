// A service of our own, announced while the browser runs.

extension DaemonBrowser {
    struct Announcing {
        var group: AvahiEntryGroup?
        /// The name in use; it differs from the wanted one when that is taken.
        var name: String?
        /// A closed group's callbacks are told from the current one's by this.
        var attempt = 0
    }

    /// How many names are tried in a row; another machine could take each of them.
    private static let nameLimit = 100

    /// Announces what the options ask for, once the daemon has settled this machine's own name.
    func publishIfReady() {
        guard let announcement = options.announcement, let client = connections?.primary else {
            return
        }
        guard client.state == .running else {
            // The host name is being claimed anew, and what stands under it with it.
            return closeAnnouncement()
        }
        guard announcing.group == nil else { return }
        var wanted = announcement
        wanted.name = announcing.name ?? announcement.name
        publish(wanted, on: client)
    }

    func closeAnnouncement() {
        announcing.group?.close()
        announcing.group = nil
    }

    private func publish(_ announcement: Announcement, on client: AvahiClient) {
        announcing.attempt += 1
        let attempt = announcing.attempt
        announcing.name = announcement.name
        do throws(AvahiError) {
            announcing.group = try AvahiEntryGroup(announcement, on: client, path: path) { event in
                // The group may speak before its constructor returns; it is heard after that.
                Task { await self.groupChanged(event, attempt) }
            }
        } catch {
            if error.isCollision { return useNextName() }
            report(.notice(.announceFailed, "'\(announcement.name)' cannot be announced: \(error)"))
        }
    }

    private func groupChanged(_ event: AvahiEntryGroup.Event, _ attempt: Int) {
        guard attempt == announcing.attempt, let group = announcing.group else { return }
        switch event {
        case .established:
            if let name = announcing.name { report(.announced(name: name)) }
        case .collision:
            useNextName()
        case .failed:
            let reason = group.lastError
            closeAnnouncement()
            let name = announcing.name ?? ""
            report(.notice(.announceFailed, "'\(name)' cannot be announced: \(reason)"))
        }
    }

    private func useNextName() {
        closeAnnouncement()
        guard let taken = announcing.name else { return }
        guard announcing.attempt < Self.nameLimit else {
            return report(
                .notice(
                    .announceFailed, "'\(taken)' cannot be announced, nor any name before it"))
        }
        let next = AvahiEntryGroup.alternative(to: taken)
        announcing.name = next
        report(
            .notice(
                .nameConflict,
                "the name '\(taken)' is taken on this link, so '\(next)' is tried in its place"))
        publishIfReady()
    }
}
