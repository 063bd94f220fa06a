// What people call the service types.
import PeerList

/// What people call the service types: `_ipp._tcp` is "Internet Printer".
struct TypeTitles: Sendable {
    private let titles: [String: String]

    /// The names of the well-known types, and before them those given.
    init(_ titles: [String: String] = [:]) { self.titles = titles }

    /// The names that are installed on this machine, Avahi's before those known here.
    static func installed() -> TypeTitles { TypeTitles(TypeDatabase.titles()) }

    /// What people call a type; `nil` where nothing but the type itself is known.
    func title(of type: String) -> String? { titles[type] ?? KnownServiceType.of(type)?.title }

    /// What stands above the services of a type: `Web site  _http._tcp`.
    func header(of type: String) -> String { title(of: type).map { "\($0)  \(type)" } ?? type }
}
