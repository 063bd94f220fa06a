// The inputs and effects of the discovery engine: everything that passes between decisions and I/O.
package import FoundationEssentials
package import HeardRecords

/// An event that the discovery engine handles.
package enum DiscoveryInput: Sendable {
    /// The browser was started.
    case start
    /// A daemon was asked for its state; `isSilent` if it did not answer.
    case inquired(isSilent: Bool)
    /// A connection to the daemon failed.
    case daemonRefused(StackError)
    /// The helper could not be started; the text is the reason.
    case helperRefused(String)
    /// The interfaces of this machine, at the start or after a change.
    case interfaces([LocalInterface])
    /// The states of all stacks, after the state of a stack changed or a stack was made.
    case stacks([StackSlot: StackStatus])
    /// An open lookup reported an event, or was refused.
    case lookup(LookupKey, LookupEvent)
    /// The result of a probe: the services that answered, or the error that prevented the probe.
    case probed(ProbeID, Result<Set<UUID>, ProbeError>)
    /// A host on the link named a service type.
    case typeAnswered(String)
    /// The kernel's neighbour table was read.
    case neighbours(NeighbourTable)
    /// The witness, which listens to the link, reported something.
    case witness(WitnessReport)
    /// Another source than multicast DNS found a service on a path.
    case foundByOthers(NetworkPath)
    /// The user asked to verify services; the result has the same number.
    case verify([UUID], Int)
    /// The time that the engine asked for has come.
    case tick
}

/// A report of the witness, which listens to the packets on the link.
package enum WitnessReport: Sendable {
    /// The witness listens.
    case listening
    /// Records that are new, and the senders of records.
    case heard([HeardRecord], [HeardSender])
    /// Names, senders, records or paths are left out, because there are too many.
    case omitted
    /// The witness could not be started or has ended; the text is the reason.
    case failed(String)
    /// Nothing more is appended to the capture; the text is the reason.
    case captureEnded(String)
    /// A problem of the witness for the user, in a sentence.
    case warning(String)
}

/// An action of the discovery engine, which its driver carries out.
package enum DiscoveryEffect: Sendable {
    /// Reports an event to the reader.
    case report(DiscoveryEvent.Kind)
    /// Opens a lookup through the stack in use.
    case open(LookupKey, LookupRequest)
    /// Closes a lookup, if it is open.
    case close(LookupKey)
    /// Probes services on the link.
    case probe(ProbeID, [LinkProbe.Question])
    /// Queries the service types on the link, apart from the known types.
    case askForTypes(known: Set<String>)
    /// Queries the addresses of hosts on the link.
    case askForAddresses(hosts: [String], Set<NetworkPath>)
    /// Reads the kernel's neighbour table.
    case readNeighbours
    /// Starts the witness on the paths of this machine.
    case startWitness
    /// Reports the addresses of this machine if a new address was not reported yet.
    case reportOwnAddresses
    /// Reports that this machine is announced under another host name than the wanted one.
    case reportHostNameConflict(wanted: String, used: String)
    /// Asks, on another thread, whether the daemon answers.
    case inquireDaemon
    /// Connects to the daemon as a candidate; `waits` for a daemon that is not running yet.
    case connectDaemon(waits: Bool)
    /// Starts a helper as a candidate.
    case startHelper
    /// Makes a candidate the stack in use.
    case use(StackSlot)
    /// Makes the stack in use the former stack, which keeps its announcement until it is closed.
    case retire
    /// Closes a stack.
    case closeStack(StackSlot)
    /// Ends the former stack and its announcement without a goodbye, if the stack can.
    case abandonFormer
    /// The browser has started, with the host name of this machine, or could not be started.
    case started(Result<String, BackendError>)
    /// A verification is over.
    case verified(Int, Verification)
}

extension DiscoveryEffect {
    /// Whether the kernel may know MAC addresses that it did not know before.
    var isReasonToReadNeighbours: Bool {
        switch self {
        case .report(.addresses(_, let addresses)): !addresses.isEmpty
        case .verified: true
        default: false
        }
    }
}

/// A stack that the driver holds.
package enum StackSlot: Sendable, Hashable, CaseIterable {
    /// The stack in use.
    case current
    /// A daemon that may be used once it is ready.
    case daemon
    /// A helper that may be used once it is ready.
    case helper
    /// The stack that was in use before, while it still announces the service.
    case former
}

/// A lookup or announcement that is open at most once.
package enum LookupKey: Sendable, Hashable {
    case types
    case services(type: String, AddressFamily)
    case resolver(UUID)
    case record(ServiceRecord, UUID)
    case addresses(host: String, AddressFamily)
    /// The device-info record of a host under a name.
    case deviceInfo(host: String, name: String)
    case announcement
    /// The announcement through the stack that was in use before.
    case formerAnnouncement
}

/// The reason for a probe of services.
package enum ProbePurpose: Sendable, Hashable {
    /// The user verifies services.
    case verification
    /// Unresponsive services are probed again.
    case unresponsive
    /// Services timed out on one path.
    case suspects
    /// Hosts showed no sign of life.
    case silentHosts
    /// Hosts have lost addresses.
    case lostAddresses
    /// Hosts have addresses that another host has too.
    case sharedAddresses
}

package struct ProbeID: Sendable, Hashable {
    package let purpose: ProbePurpose
    let number: Int
}

/// The moment at which an input is handled, and the effects decided so far.
struct DiscoveryStep {
    let reading: ClockReading
    private(set) var effects: [DiscoveryEffect] = []
    /// The hosts that were removed with their last service.
    var removedHosts: [String] = []

    var now: Duration { reading.now }

    mutating func add(_ effect: DiscoveryEffect) { effects.append(effect) }

    mutating func report(_ kind: DiscoveryEvent.Kind) { add(.report(kind)) }

    mutating func open(_ key: LookupKey, _ request: LookupRequest) { add(.open(key, request)) }

    mutating func close(_ key: LookupKey) { add(.close(key)) }
}
