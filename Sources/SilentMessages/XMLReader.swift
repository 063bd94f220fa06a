// Reads small XML documents of strangers with expat.
import CExpat

/// Reads an XML document within bounds, in UTF-8, UTF-16, ISO-8859-1 or ASCII.
///
/// A document with a document type is refused, so that none declares entities.
package enum XMLReader {
    /// The maximum size of a document in bytes.
    package static let sizeLimit = 65_536
    /// The maximum number of elements within each other.
    package static let depthLimit = 16
    /// The maximum number of elements.
    package static let elementLimit = 4_096
    /// The maximum number of bytes of an element's text that are kept; the scopes of cameras are the longest text.
    package static let textLimit = 4_096
    /// The maximum number of namespaces in scope.
    package static let namespaceLimit = 64
    /// The maximum length in bytes of a name and of a namespace's URI.
    package static let nameLimit = 255

    /// The reason for which a document is not read.
    package enum Refusal: Error, Hashable, CaseIterable, CustomStringConvertible {
        case tooLong, documentType, tooDeep, tooManyElements, longName, tooManyNamespaces, malformed
        /// The document is not of the expected kind.
        case otherDocument

        package var description: String {
            switch self {
            case .tooLong: "the document is longer than \(sizeLimit) bytes"
            case .documentType: "the document has a document type, which could declare entities"
            case .tooDeep: "more than \(depthLimit) elements are within each other"
            case .tooManyElements: "the document has more than \(elementLimit) elements"
            case .longName: "a name or a namespace is longer than \(nameLimit) bytes"
            case .tooManyNamespaces: "more than \(namespaceLimit) namespaces are in scope"
            case .malformed: "the document is not well-formed XML of a known encoding"
            case .otherDocument: "the document is of another kind"
            }
        }
    }

    /// Separates a namespace from a local name; expat refuses a URI that contains it.
    fileprivate static let separator = UInt8(ascii: "\n")

    /// Returns the root element of a document.
    package static func read(_ bytes: [UInt8]) throws(Refusal) -> XMLElement {
        guard bytes.count <= sizeLimit else { throw .tooLong }
        guard let parser = XMLTreeParser() else { throw .malformed }
        let isComplete = parser.parse(bytes)
        if let refusal = parser.refusal { throw refusal }
        guard isComplete, let root = parser.root else { throw .malformed }
        return root
    }
}

/// A parser of expat, and the elements that it has read so far.
@safe private final class XMLTreeParser {
    /// The parser, which refers to this object as its user data, and ends with it.
    private let parser: XML_Parser
    private(set) var root: XMLElement?
    private(set) var refusal: XMLReader.Refusal?
    /// The elements that have not ended, from the root, each with its text.
    private var open: [(element: XMLElement, text: [UInt8])] = []
    private var count = 0
    private var namespaces: [(prefix: [UInt8], uri: String)] = []

    init?() {
        guard
            let parser = unsafe XML_ParserCreateNS(nil, XML_Char(XMLReader.separator))
        else { return nil }
        unsafe self.parser = parser
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(parser, startElement, endElement)
        unsafe XML_SetCharacterDataHandler(parser, characterData)
        unsafe XML_SetNamespaceDeclHandler(parser, startNamespace, endNamespace)
        unsafe XML_SetStartDoctypeDeclHandler(parser, startDocumentType)
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Parses a whole document; returns whether it is well-formed and was not refused.
    func parse(_ document: [UInt8]) -> Bool {
        unsafe document.withUnsafeBytes {
            let start = unsafe $0.bindMemory(to: XML_Char.self).baseAddress
            return unsafe XML_Parse(parser, start, Int32($0.count), 1) == XML_STATUS_OK
        }
    }

    /// Stops the parser, which may call handlers some more, for what it has read before.
    func refuse(_ refusal: XMLReader.Refusal) {
        guard self.refusal == nil else { return }
        self.refusal = refusal
        unsafe _ = XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    func start(_ name: [UInt8]) {
        let parts = name.split(separator: XMLReader.separator)
        count += 1
        guard let local = parts.last, local.count <= XMLReader.nameLimit else {
            return refuse(.longName)
        }
        guard count <= XMLReader.elementLimit else { return refuse(.tooManyElements) }
        guard open.count < XMLReader.depthLimit else { return refuse(.tooDeep) }
        let namespace = parts.count > 1 ? String(decoding: parts[0], as: UTF8.self) : nil
        let name = XMLName(String(decoding: local, as: UTF8.self), in: namespace)
        open.append((XMLElement(name: name), []))
    }

    func append(_ text: UnsafeBufferPointer<UInt8>) {
        guard let last = open.indices.last else { return }
        let room = XMLReader.textLimit - open[last].text.count
        unsafe open[last].text += text.prefix(room)
        if text.count > room { open[last].element.isCut = true }
    }

    func end() {
        guard var (element, bytes) = open.popLast() else { return }
        if element.isCut { bytes.removeLast(UTF8.incompleteSuffix(of: bytes)) }
        element.text = String(decoding: bytes, as: UTF8.self)
        if element.name.local == "Types" { element.types = element.words.map(resolve) }
        if let parent = open.indices.last {
            open[parent].element.children.append(element)
        } else {
            root = element
        }
    }

    func declare(_ prefix: [UInt8], _ uri: [UInt8]) {
        guard prefix.count <= XMLReader.nameLimit, uri.count <= XMLReader.nameLimit else {
            return refuse(.longName)
        }
        guard namespaces.count < XMLReader.namespaceLimit else {
            return refuse(.tooManyNamespaces)
        }
        namespaces.append((prefix, String(decoding: uri, as: UTF8.self)))
    }

    func undeclare() { _ = namespaces.popLast() }

    /// Returns the name that a word stands for; a word without a prefix is in the default namespace.
    private func resolve(_ word: Substring) -> XMLName {
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count > 1 ? Array(parts[0].utf8) : []
        return XMLName(
            String(parts.last ?? ""), in: namespaces.last { $0.prefix == prefix }?.uri)
    }
}

extension UTF8 {
    /// Returns the number of bytes at the end that are not a whole character, of valid text that was cut.
    fileprivate static func incompleteSuffix(of bytes: [UInt8]) -> Int {
        let tail = bytes.reversed().prefix { isContinuation($0) }.count
        guard let lead = bytes.dropLast(tail).last, lead >= 0xc0 else { return 0 }
        let width = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
        return tail + 1 < width ? tail + 1 : 0
    }
}

/// Returns the object of a handler's user data.
private func parser(_ context: UnsafeMutableRawPointer?) -> XMLTreeParser? {
    unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
}

/// Copies a string of C.
private func bytes(_ text: UnsafePointer<XML_Char>?) -> [UInt8] {
    unsafe text.map { unsafe Array(String(cString: $0).utf8) } ?? []
}

private func startElement(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?,
    attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
    unsafe parser(context)?.start(bytes(name))
}

private func endElement(context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?) {
    unsafe parser(context)?.end()
}

private func characterData(
    context: UnsafeMutableRawPointer?, text: UnsafePointer<XML_Char>?, count: Int32
) {
    let text = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
    unsafe parser(context)?.append(text.bindMemory(to: UInt8.self))
}

private func startNamespace(
    context: UnsafeMutableRawPointer?, prefix: UnsafePointer<XML_Char>?,
    uri: UnsafePointer<XML_Char>?
) {
    unsafe parser(context)?.declare(bytes(prefix), bytes(uri))
}

private func endNamespace(context: UnsafeMutableRawPointer?, prefix: UnsafePointer<XML_Char>?) {
    unsafe parser(context)?.undeclare()
}

private func startDocumentType(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?,
    system: UnsafePointer<XML_Char>?, publicID: UnsafePointer<XML_Char>?, hasSubset: Int32
) {
    unsafe parser(context)?.refuse(.documentType)
}
