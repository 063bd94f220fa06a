// What is tried again: browses that failed, and services that there was no room for.

extension LinkBrowser {
    /// The time after which a browse that failed is tried again.
    static let browseRetry = Duration.seconds(10)
    /// The least time between two looks at whether what found no room has room now.
    static let roomCheck = Duration.seconds(60)

    /// A browse could not be made, for some reason, or has ended, for none; it is tried again in a
    /// while.
    func browseFailed(_ browse: FailedBrowse, _ error: AvahiError?) {
        browsing.failed.insert(browse)
        if browsing.retryDue == nil { browsing.retryDue = now + Self.browseRetry }
        planTimer()
        if let error, error.isTooManyObjects { return lowerLimits() }
        guard resolving.toldErrors.insert(error ?? .disconnected).inserted else { return }
        let what = browse.type.map { "services of type \($0)" } ?? "the service types"
        let reason = error.map { "\(what) cannot be browsed: \($0)" }
        report(.notice(.lookupFailed, reason ?? "the browse for \(what) failed"))
    }

    /// Tries again what failed, and looks for what found no room, where that is due.
    func continueTrying() {
        guard isRunning else { return }
        probeTypes()
        if let due = browsing.retryDue, due <= now {
            let failed = browsing.failed
            (browsing.failed, browsing.retryDue) = ([], nil)
            for browse in failed {
                if let type = browse.type, let family = browse.family {
                    self.browse(type, family)
                } else if browsing.types == nil {
                    browseTypes()
                }
            }
        }
        if let due = roomCheckDue, due <= now {
            roomCheckDue = nil
            makeUseOfRoom()
        }
    }

    /// When something is tried again, or `nil` for never.
    func tryingDeadline() -> Duration? {
        [browsing.retryDue, browsing.typeProbeDue, roomCheckDue].compactMap { $0 }.min()
    }

    /// Something found no room; it is looked for again when there is some.
    func planRoomCheck() {
        if roomCheckDue == nil { roomCheckDue = now + Self.roomCheck }
        planTimer()
    }

    private func makeUseOfRoom() {
        if resolving.isOverLimit {
            let room = Self.serviceLimit - resolving.services.count
            guard room >= Self.serviceLimit / 8 else { return planRoomCheck() }
            return beginAgain()
        }
        if browsing.hasToldTypeLimit { closeEmptyTypes() }
    }

    /// Gives up the types that somebody made up and nobody offers, and lets others have their room.
    private func closeEmptyTypes() {
        let offered = Set(resolving.services.values.map { Identity.canonical($0.instance.type) })
        for (type, browses) in browsing.services {
            // A subtype's services bear the name of the whole type.
            guard isStrange(type), !type.contains("._sub."),
                !offered.contains(Identity.canonical(type))
            else { continue }
            for browse in browses.values { browse.close() }
            browsing.services[type] = nil
            browsing.strangeCount -= 1
            browsing.later.removeAll { $0 == type }
        }
        browsing.types?.close()
        browseTypes()
        planRoomCheck()
    }

    /// There is room again for what was left out.
    private func beginAgain() {
        lookAnew()
        report(
            .notice(.serviceRoom, "there is room for services again, so all are looked for anew"))
    }

    /// Finds all there is once more; what was known before is doubted when the time for that is over.
    func lookAnew() {
        guard isRunning, let host = stack?.hostName else { return }
        closeAddresses()
        closeResolvers()
        closeBrowsers()
        verifying.doubts = DoubtSchedule()
        suspecting = Suspecting()
        report(.handedOver(to: backend, host: host))
        caughtUpDue = now + Self.catchUp
        beginBrowsing()
        planTimer()
    }
}
