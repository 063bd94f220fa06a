// A service of our own, announced while the browser runs.
import Glibc

extension LinkBrowser {
    struct Announcing {
        var group: (any Lookup)?
        /// The name in use; it differs from the wanted one when that is taken.
        var name: String?
        /// A closed group's callbacks are told from the current one's by this.
        var attempt = 0
        /// What the stack that was asked before announces until this one does, and until when at the latest.
        var former: (group: any Lookup, stack: any LookupStack, due: Duration)?
        /// The host name that was reported not to be the machine's own.
        var reportedHost = ""
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
            reportOtherHostName()
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

    /// Reports that this machine is announced under another host name than its own, which was taken.
    ///
    /// A second responder on the machine, such as systemd-resolved, takes it as well as another machine
    /// does, when its records of the host differ from Avahi's. Of avahi-daemon its log tells the same.
    private func reportOtherHostName() {
        guard let stack = stack as? EmbeddedStack, stack.hostName != stack.wantedHostName,
            stack.hostName != announcing.reportedHost
        else { return }
        announcing.reportedHost = stack.hostName
        let owner =
            hasOtherResponder()
            ? "another mDNS responder, probably one on this machine, owns \(stack.wantedHostName); "
                + "'peerlist doctor' names those that run here"
            : "another machine owns \(stack.wantedHostName)"
        report(.notice(.hostNameConflict, "announced as \(stack.hostName), since \(owner)"))
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

/// Whether the machine has more sockets at the port of multicast DNS than the helper's one for each family.
private func hasOtherResponder() -> Bool {
    ["udp", "udp6"].contains { table in
        guard let file = unsafe fopen("/proc/self/net/\(table)", "re") else { return false }
        defer { unsafe _ = fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        var count = 0
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            // "sl local_address:port rem_address:port …", in hexadecimal digits.
            let text = line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            let words = String(decoding: text, as: UTF8.self).split(separator: " ")
            if words.dropFirst().first?.hasSuffix(":14E9") == true { count += 1 }
        }
        return count > 1
    }
}
