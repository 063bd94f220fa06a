// A service type that a user asks for, in full or by its short name.

/// A service type, such as `_ssh._tcp`, or one of its subtypes (RFC 6763, section 7).
///
/// Types are compared in lower case, as DNS does.
public struct ServiceType: Sendable, Hashable {
    /// The type without its subtype: `_http._tcp`.
    public let name: String

    /// The subtype's own label, such as `_printer`, or `nil` where all of the type is meant.
    public let subtype: String?

    /// A type that is known to be valid.
    init(name: String, subtype: String? = nil) {
        self.name = name
        self.subtype = subtype
    }
}

extension ServiceType: CustomStringConvertible {
    /// What is browsed for: `_http._tcp` or `_printer._sub._http._tcp`.
    public var description: String { subtype.map { "\($0)._sub.\(name)" } ?? name }
}

/// Says why a text is no service type, and what to write in its place.
public struct InvalidServiceType: Error, Hashable, CustomStringConvertible {
    /// The text, as it was given.
    public let text: String

    /// Why it is none and what to do, to be read after the text.
    public let reason: String

    /// The text in quotation marks and the reason.
    ///
    /// The text is whatever was given: escape it before it reaches a terminal.
    public var description: String { "'\(text)' \(reason)" }
}
