// Says whether a machine answers at its addresses, and whether its multicast DNS does.
package import PeerModel

extension AddressAnswer {
    /// The answer as a clause about the address: `answers, port 631 open`.
    package var text: String {
        switch machine {
        case .device(let mac):
            isOpen() || ports.isEmpty
                ? "answers" + portText(", ")
                : "the machine answers" + (mac.map { " (\($0.text))" } ?? "") + portText(", ")
        case .other(let mac): "another machine has this address now (\(mac.text))"
        case .proxy(let mac):
            "only \(mac.text) answers for it, as a router may for machines that are gone, which proves nothing"
        case .nobody: "nobody answers at this address"
        case .unknown(nil):
            "nothing answers, and nothing tells whether the machine is there"
        case .unknown(let seconds?): "nothing answers, but the machine was there \(seconds) s ago"
        }
    }

    /// Returns the states of the ports after a separator, the open ones first; empty if none was asked.
    fileprivate func portText(_ separator: String) -> String {
        let order: [Port] = [.open, .closed, .filtered]
        let texts = order.compactMap { state -> String? in
            let numbers = ports.filter { $0.value == state }.keys.sorted().map { "\($0)" }
            guard !numbers.isEmpty else { return nil }
            let noun = numbers.count == 1 ? "port" : "ports"
            let verb = isOpen() ? "" : numbers.count == 1 ? "is " : "are "
            return "\(noun) \(listed(numbers)) \(verb)\(state.rawValue)"
        }
        return texts.isEmpty ? "" : separator + texts.joined(separator: ", ")
    }

    /// The answer that tells most of a device.
    package static func best(of answers: [AddressAnswer]) -> AddressAnswer? {
        answers.first { $0.isOpen() } ?? answers.first(where: \.isOfDevice)
            ?? answers.first { if case .other = $0.machine { true } else { false } }
            ?? answers.first
    }
}

/// The answers of a device to a query by multicast DNS, and at its addresses.
package struct DeviceAnswer {
    package let name: String
    /// The result of the query.
    package let verification: Verification
    /// The name of another machine that answered the query for the device.
    package let voucher: String?
    package let addresses: [AddressAnswer]
    /// Whether no address of the device can work from here, so that none was asked.
    package let isUnreachable: Bool

    package init(
        _ name: String, _ verification: Verification, voucher: String?, addresses: [AddressAnswer],
        isUnreachable: Bool = false
    ) {
        (self.name, self.verification) = (name, verification)
        (self.voucher, self.addresses) = (voucher, addresses)
        self.isUnreachable = isUnreachable
    }

    /// Whether the device is there, as far as can be told: `nil` if that is not known.
    package var isThere: Bool? {
        if answersQuery == true || addresses.isEmpty { return answersQuery }
        let isThere = AddressAnswer.isThere(addresses)
        // A device that sleeps has a machine that answers for it.
        return isThere == false && voucher != nil ? nil : isThere
    }

    /// Whether the device itself answered the query; `nil` if it could not be sent, or another machine answered it.
    private var answersQuery: Bool? {
        switch verification {
        case .answered: voucher == nil ? true : nil
        case .unanswered: false
        case .unavailable: nil
        }
    }

    /// The answers as a sentence without its full stop.
    package var text: String {
        let best = AddressAnswer.best(of: addresses)
        let query: String
        switch verification {
        case .answered(let services, let count):
            let part = count == 1 ? "" : " for \(services.count) of \(count) services"
            query = voucher.map { "answered by \($0) for it" } ?? "answers" + part
        case .unanswered: query = "does not answer"
        case .unavailable(let reason): query = "not verified: \(reason)"
        }
        guard let best else {
            return join(query)
                + (isUnreachable ? ", but none of its addresses can work from here" : "")
        }
        if answersQuery == true {
            return best.isOfDevice
                ? join(query) + best.portText(", ")
                : join(query) + ", but at \(best.address) " + best.text
        }
        guard best.isOfDevice, answersQuery == false else {
            return join(voucher == nil && answersQuery == false ? "" : query, best)
        }
        return "\(name): the machine answers, its mDNS does not" + best.portText("; ")
    }

    /// Returns the name and what it does; after a noun, a colon separates them.
    private func join(_ query: String) -> String {
        query.hasPrefix("answers") || query.hasPrefix("does")
            ? "\(name) \(query)" : "\(name): \(query)"
    }

    private func join(_ query: String, _ best: AddressAnswer) -> String {
        let end = "\(best.address): \(best.text)"
        return query.isEmpty ? "\(name), \(end)" : "\(join(query)); \(end)"
    }
}
