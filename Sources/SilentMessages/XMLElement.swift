// An element of a small XML document, with its text and its children.

/// A name in XML, with the namespace that its prefix stands for (Namespaces in XML 1.0).
package struct XMLName: Sendable, Hashable {
    package let local: String
    /// The URI of the namespace; `nil` if the name has none, or its prefix is not declared.
    package let namespace: String?

    package init(_ local: String, in namespace: String?) {
        (self.local, self.namespace) = (local, namespace)
    }
}

/// An element of a document that ``XMLReader`` has read.
package struct XMLElement: Sendable, Hashable {
    package let name: XMLName
    /// The element's own text, as far as it is within ``XMLReader/textLimit``.
    package internal(set) var text = ""
    /// The names in the text of an element `Types`, which lists qualified names.
    package internal(set) var types: [XMLName] = []
    /// Whether the text exceeds the limit, so that its last word may be cut.
    package internal(set) var isCut = false
    package internal(set) var children: [XMLElement] = []

    /// The words of the text that are whole.
    package var words: [Substring] {
        let words = text.split(whereSeparator: \.isWhitespace)
        return isCut ? words.dropLast() : words
    }

    /// Returns the children with a local name, of whatever namespace, because devices often choose a wrong one.
    package func all(_ local: String) -> [XMLElement] { children.filter { $0.name.local == local } }

    /// Returns the first element at a path of local names beneath the element.
    package subscript(path: String...) -> XMLElement? {
        var element: XMLElement? = self
        for local in path { element = element?.children.first { $0.name.local == local } }
        return element
    }
}
