// What is said of a device that was asked: by multicast DNS, at its addresses and on its ports.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import PeerText
import Testing

@Suite struct AddressAnswerTextTests {
    private static let mac = MACAddress("00:00:5e:00:53:01")

    private func answer(
        _ machine: AddressAnswer.Machine = .device(mac), _ ports: [UInt16: AddressAnswer.Port] = [:]
    ) -> AddressAnswer {
        AddressAnswer(address: "10.0.0.5", machine: machine, ports: ports)
    }

    private func text(
        _ verification: Verification, voucher: String? = nil, _ answers: AddressAnswer...,
        isUnreachable: Bool = false
    ) -> (String, Bool?) {
        let answer = DeviceAnswer(
            "NAS", verification, voucher: voucher, addresses: answers, isUnreachable: isUnreachable)
        return (answer.text, answer.isThere)
    }

    @Test func `an answer at an address is said with its ports`() throws {
        let other = try #require(Self.mac)
        #expect(answer().text == "answers")
        #expect(answer(.device(nil), [631: .open]).text == "answers, port 631 open")
        #expect(
            answer(.device(Self.mac), [631: .open, 80: .closed, 443: .closed]).text
                == "answers, port 631 open, ports 80 and 443 closed")
        #expect(
            answer(.device(Self.mac), [631: .filtered]).text
                == "the machine answers (00:00:5e:00:53:01), port 631 is filtered")
        #expect(
            answer(.other(other)).text
                == "another machine has this address now (00:00:5e:00:53:01)")
        #expect(answer(.nobody).text == "nobody answers at this address")
        #expect(answer(.unknown(secondsAgo: 12)).text.hasSuffix("there 12 s ago"))
        #expect(answer(.unknown(secondsAgo: nil)).text.contains("nothing tells"))
        #expect(answer(.proxy(other)).text.contains("proves nothing"))
    }

    @Test func `a device that answers is there, whatever its ports`() {
        let all = Verification.answered([UUID()], of: 1)
        #expect(text(all) == ("NAS answers", true))
        #expect(text(all, answer(.device(nil), [80: .open])) == ("NAS answers, port 80 open", true))
        #expect(
            text(all, answer(.device(nil), [80: .closed])) == (
                "NAS answers, port 80 is closed", true
            ))
        #expect(
            text(all, answer(.nobody))
                == ("NAS answers, but at 10.0.0.5 nobody answers at this address", true))
        #expect(
            text(.answered([UUID()], of: 3)) == ("NAS answers for 1 of 3 services", true))
        #expect(
            text(all, isUnreachable: true)
                == ("NAS answers, but none of its addresses can work from here", true))
    }

    @Test func `a device whose mDNS is silent is there if its machine answers`() {
        #expect(
            text(.unanswered, answer(.device(Self.mac), [631: .open]))
                == ("NAS: the machine answers, its mDNS does not; port 631 open", true))
        #expect(
            text(.unanswered, answer(.nobody))
                == ("NAS, 10.0.0.5: nobody answers at this address", false))
        #expect(text(.unanswered) == ("NAS does not answer", false))
        #expect(text(.unanswered, answer(.unknown(secondsAgo: nil))).1 == nil)
    }

    @Test func `another machine that answers a query says nothing of the device`() {
        let all = Verification.answered([UUID()], of: 1)
        #expect(text(all, voucher: "fritz.box") == ("NAS: answered by fritz.box for it", nil))
        #expect(
            text(all, voucher: "fritz.box", answer(.nobody))
                == (
                    "NAS: answered by fritz.box for it; 10.0.0.5: nobody answers at this address",
                    nil
                ))
    }

    @Test func `the answer that tells most is said`() {
        let answers = [answer(.nobody), answer(), answer(.device(nil), [80: .open])]
        #expect(AddressAnswer.best(of: answers) == answers[2])
        #expect(AddressAnswer.best(of: Array(answers.prefix(2))) == answers[1])
        #expect(AddressAnswer.best(of: []) == nil)
    }

    @Test func `an address that may not work is said with the reason`() {
        var peer = Peer.full
        peer.addresses = ["10.0.0.5", "192.168.40.7", "10.9.9.9", "fd5c::7", "172.17.0.1"]
        peer.reach = [
            "10.0.0.5": .here, "192.168.40.7": .routed, "10.9.9.9": .routedByDefault,
            "fd5c::7": .nowhere, "172.17.0.1": .impossible, "127.0.0.1": .impossible,
        ]
        #expect(peer.announcedAddresses == peer.addresses + ["127.0.0.1"])
        #expect(
            peer.announcedAddresses.map { peer.obstacle(at: $0) } == [
                nil, "behind a router", "only the default route leads there",
                "no route leads there", "not on this link: others wait for it in vain",
                "every machine's address for itself: others wait for it in vain",
            ])
    }
}
