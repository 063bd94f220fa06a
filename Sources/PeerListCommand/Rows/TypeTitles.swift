// The titles of service types.
import PeerList

/// The titles of service types: `_ipp._tcp` is "Internet printing".
struct TypeTitles: Sendable {
    /// Returns the title of a type, or `nil` if the type is not known.
    func title(of type: String) -> String? { KnownServiceType.of(type)?.title }

    /// Returns the title of the section of a type: `Web site  _http._tcp`.
    func header(of type: String) -> String { title(of: type).map { "\($0)  \(type)" } ?? type }
}
