// A row with the changes of an update.
import PeerList

extension ListItem {
    /// Replaces old values by new ones.
    ///
    /// - Parameters:
    ///   - was: The old values.
    ///   - set: The new values, of the same fields.
    /// - Returns: The row with the new values, or `nil` if it has not the old ones.
    func replacing(_ was: RecordedItem, by set: RecordedItem) -> ListItem? {
        switch (self, was, set) {
        case (.peer(var peer), .peer(let was), .peer(let set)):
            return peer.replace(was, by: set) ? .peer(peer) : nil
        case (.service(var listing), .service(let was, let wasRest), .service(let set, let setRest)):
            guard was.matches(set), wasRest.matches(setRest), was.describe(listing.service),
                wasRest.describe(listing)
            else { return nil }
            set.replace(in: &listing.service)
            setRest.replace(in: &listing)
            return .service(listing)
        default:
            return nil
        }
    }
}

extension Peer {
    /// Replaces values; of the services those that are named, the others stay.
    fileprivate mutating func replace(
        _ was: RecordedFields<PeerField>, by set: RecordedFields<PeerField>
    ) -> Bool {
        guard was.matches(set), was.describe(self, except: .services) else { return false }
        let before = services
        set.replace(in: &self)
        guard set.has(.services) else { return true }
        services = before
        for service in was.state.services {
            let place = services.place(of: service)
            guard services.indices.contains(place), services[place].isExactly(service) else {
                return false
            }
            services.remove(at: place)
        }
        for service in set.state.services {
            let place = services.place(of: service)
            guard !services.indices.contains(place) || services[place].id != service.id else {
                return false
            }
            services.insert(service, at: place)
        }
        return true
    }
}
