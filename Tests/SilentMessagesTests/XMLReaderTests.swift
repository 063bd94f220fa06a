// Tests the reading of XML: namespaces, encodings, and documents that are made to cost memory or time.
import SilentMessages
import TestSupport
import Testing

@Suite struct XMLReaderTests {
    private func read(_ text: String) throws(XMLReader.Refusal) -> XMLElement {
        try XMLReader.read(Array(text.utf8))
    }

    /// Returns the reason for which a document is refused.
    private func refusal(_ text: String) -> XMLReader.Refusal? {
        do throws(XMLReader.Refusal) {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `an element has its name, text and children`() throws {
        let root = try read(
            "<?xml version='1.0'?><a n='1' xmlns:x='u' x:m='2'>t<!-- c --><x:b>&lt;&#228;</x:b><b/>u</a>"
        )
        #expect(root.name == XMLName("a", in: nil))
        #expect(root.text == "tu")
        #expect(root.children.map(\.name) == [XMLName("b", in: "u"), XMLName("b", in: nil)])
        #expect(root["b"]?.text == "<ä")
        #expect(root.all("b").count == 2)
        #expect(root["b", "c"] == nil)
    }

    @Test func `names in text stand for the namespaces in scope`() throws {
        let root = try read(
            """
            <a xmlns="d" xmlns:p="u"><Types xmlns:q="v">p:A q:B C r:D p:E:F</Types>\
            <Types xmlns:p="w" xmlns="">p:A C</Types><Types>p:A q:B</Types></a>
            """)
        #expect(
            root.all("Types").map(\.types) == [
                [
                    XMLName("A", in: "u"), XMLName("B", in: "v"), XMLName("C", in: "d"),
                    XMLName("D", in: nil), XMLName("E:F", in: "u"),
                ], [XMLName("A", in: "w"), XMLName("C", in: "")],
                [XMLName("A", in: "u"), XMLName("B", in: nil)],
            ])
    }

    @Test func `UTF-16 and ISO-8859-1 are read, and unknown encodings are not`() throws {
        let wide = "\u{feff}<a>é</a>".utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        #expect(try XMLReader.read(wide).text == "é")
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8)
        #expect(try XMLReader.read(latin + [0xe9] + "</a>".utf8).text == "é")
        #expect(refusal("<?xml version='1.0' encoding='EBCDIC'?><a/>") == .malformed)
        #expect(throws: XMLReader.Refusal.malformed) {
            try XMLReader.read(Array("<a>".utf8) + [0xe9] + "</a>".utf8)
        }
    }

    @Test(arguments: [
        "<!DOCTYPE a><a/>", "<!DOCTYPE a SYSTEM 'http://192.168.1.1/a.dtd'><a/>",
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]><a/>",
        "<!DOCTYPE a PUBLIC 'p' 's' [<!ATTLIST a b CDATA 'c'>]><a/>",
    ])
    func `a document type is refused, whatever it declares`(text: String) {
        #expect(refusal(text) == .documentType)
    }

    @Test func `entities that multiply are refused before they are expanded`() {
        let bomb = (1...9).map {
            "<!ENTITY e\($0) '\(String(repeating: "&e\($0 - 1);", count: 10))'>"
        }
        let text = "<!DOCTYPE a [<!ENTITY e0 'lol'>\(bomb.joined())]><a>&e9;</a>"
        #expect(refusal(text) == .documentType)
    }

    @Test(arguments: [
        "", " ", "a", "<a>", "<a></b>", "<a/><b/>", "<a b=1/>", "<a>&nbsp;</a>", "<a>&#0;</a>",
        "<a>\0</a>", "<x:a/>", "<a b='1' b='2'/>", "<a>]]></a>", "<a xmlns:p='u&#10;v'><p:b/></a>",
    ])
    func `text that is not well-formed is refused`(text: String) {
        #expect(refusal(text) == .malformed)
    }

    @Test func `a document at its limits is read, and a larger one is not`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(refusal(nested(XMLReader.depthLimit)) == nil)
        #expect(refusal(nested(XMLReader.depthLimit + 1)) == .tooDeep)
        #expect(refusal(nested(9_000)) == .tooDeep)
        func wide(_ count: Int) -> String {
            "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>"
        }
        #expect(refusal(wide(XMLReader.elementLimit)) == nil)
        #expect(refusal(wide(XMLReader.elementLimit + 1)) == .tooManyElements)
        func long(_ count: Int) -> String {
            "<a>" + String(repeating: " ", count: count - 7) + "</a>"
        }
        #expect(refusal(long(XMLReader.sizeLimit)) == nil)
        #expect(refusal(long(XMLReader.sizeLimit + 1)) == .tooLong)
        func names(_ count: Int) -> String {
            "<a" + (0..<count).map { " xmlns:p\($0)='u'" }.joined() + "/>"
        }
        #expect(refusal(names(XMLReader.namespaceLimit)) == nil)
        #expect(refusal(names(XMLReader.namespaceLimit + 1)) == .tooManyNamespaces)
        func named(_ count: Int) -> String { "<\(String(repeating: "n", count: count))/>" }
        #expect(refusal(named(XMLReader.nameLimit)) == nil)
        #expect(refusal(named(XMLReader.nameLimit + 1)) == .longName)
        let uri = String(repeating: "u", count: XMLReader.nameLimit)
        #expect(refusal("<a xmlns='\(uri)'/>") == nil)
        #expect(refusal("<a xmlns='\(uri)u'/>") == .longName)
    }

    @Test func `namespaces that are out of scope do not count`() {
        let text = "<a>" + String(repeating: "<b xmlns:p='u'/>", count: 200) + "</a>"
        #expect(refusal(text) == nil)
    }

    @Test func `long text is cut between characters, and its last word is not whole`() throws {
        let root = try read("<a>x\(String(repeating: "é", count: 3_000))</a>")
        #expect(root.text.utf8.count == XMLReader.textLimit - 1)
        #expect(root.isCut && root.text.hasSuffix("é"))
        #expect(root.words.isEmpty)
        let whole = try read("<a>\(String(repeating: "é", count: XMLReader.textLimit / 2))</a>")
        #expect(!whole.isCut && whole.text.utf8.count == XMLReader.textLimit)
        let emoji = try read("<a>xy\(String(repeating: "😀", count: 3_000))</a>")
        #expect(emoji.text.hasSuffix("😀") && emoji.text.utf8.count == XMLReader.textLimit - 2)
    }

    @Test func `attributes that are long or many do no harm`() throws {
        let long = try read("<a b='\(String(repeating: "x", count: 60_000))'><c/></a>")
        #expect(long.children.count == 1)
        let many = try read("<a\((0..<5_000).map { " a\($0)='1'" }.joined())><c/></a>")
        #expect(many.children.count == 1)
    }

    @Test func `each refusal has a sentence of its own`() {
        let sentences = XMLReader.Refusal.allCases.map(\.description)
        #expect(Set(sentences).count == sentences.count)
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `any change of a document leaves it within bounds`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array("<a xmlns:p='u'><p:Types>p:A</p:Types><c d='e'>f&amp;</c></a>".utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            bytes[.random(in: 0..<bytes.count, using: &generator)] =
                .random(in: 0...255, using: &generator)
        }
        guard let root = try? XMLReader.read(bytes) else { return }
        #expect(root.text.utf8.count + root.children.reduce(0) { $0 + $1.text.utf8.count } <= 60)
    }
}
