// The description of a device, as UPnP and WS-Discovery share it.

/// The values that a device tells about itself in a document at its own address.
///
/// Values are printable, and at most 255 bytes long. Read by `init(upnp:)` and `init(metadata:)`.
package struct DeviceDescription: Sendable, Hashable {
    /// The name of a value: UPnP's word for it, if it has one.
    package enum Key: String, Sendable, Hashable, CaseIterable {
        case friendlyName, manufacturer, manufacturerURL, modelName, modelNumber, modelDescription
        case serialNumber, firmwareVersion
        case udn = "UDN"
        case presentationURL
        /// The name of a Windows computer.
        case computerName
        /// The workgroup of a computer that belongs to one.
        case workgroup
        /// The domain of a computer that belongs to one.
        case domain
    }

    /// A value with its name.
    package struct Field: Sendable, Hashable {
        package let key: Key
        package let value: String
    }

    /// The values in the order of ``Key``, each key at most once.
    package internal(set) var fields: [Field] = []
    /// The type of the device as users see it, such as `upnp:MediaRenderer:1`; `nil` if there is none.
    package internal(set) var type: String?

    /// The value of a key.
    package subscript(key: Key) -> String? { fields.first { $0.key == key }?.value }

    /// Sets the values, in the order of their keys.
    mutating func setFields(_ value: (Key) -> String?) {
        fields = Key.allCases.compactMap { key in
            value(key)?.tidied.map { Field(key: key, value: $0) }
        }
    }
}
