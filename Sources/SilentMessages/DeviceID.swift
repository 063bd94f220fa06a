// Identifies devices by the UUIDs that they tell in messages and descriptions.

/// The identifier of a device in UPnP and WS-Discovery.
enum DeviceID {
    /// Returns the canonical text of an identifier, `uuid:…`.
    ///
    /// A UUID is in lower case (UPnP Device Architecture 2.0, section 1.1.4; RFC 9562, section 4). Identifiers of
    /// devices that have no UUID, such as `uuid:RINCON_…`, are kept as they are, since their case may matter.
    ///
    /// - Parameter text: `uuid:…`, or `urn:uuid:…` as in WS-Discovery.
    /// - Returns: The identifier; `nil` for other text, and unless it is a token.
    static func canonical(_ text: some StringProtocol) -> String? {
        let start = text.dropping(prefix: "urn:") ?? text.dropping(prefix: "")
        guard let id = start?.dropping(prefix: "uuid:")?.token else { return nil }
        return "uuid:" + (isUUID(id) ? id.lowercased() : id)
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy(\.isHexDigit)
    }
}
