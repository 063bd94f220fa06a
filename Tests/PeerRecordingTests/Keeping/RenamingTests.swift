// A file that gets another name takes no other file's place.
import Glibc
import PeerList
import Testing

@testable import PeerRecording

@Suite struct RenamingTests {
    private let folder: LinesFolder

    init() throws { folder = try LinesFolder() }

    private static let ways = [renameToFree, renameAfterLook]

    @Test(arguments: 0..<2) func `a free name is taken`(way: Int) throws {
        try folder.write("a\n")
        #expect(Self.ways[way](folder.path(), folder.path("old")) == nil)
        #expect(try folder.names() == ["old"])
        #expect(try folder.text("old") == "a\n")
    }

    @Test(arguments: 0..<2) func `a name that something has is left to it`(way: Int) throws {
        try folder.write("a\n")
        try folder.write("b\n", to: "old")
        #expect(Self.ways[way](folder.path(), folder.path("old")) == EEXIST)
        #expect(try folder.text() == "a\n")
        #expect(try folder.text("old") == "b\n")
    }

    @Test(arguments: 0..<2) func `what is not there is told`(way: Int) {
        #expect(Self.ways[way](folder.path(), folder.path("old")) == ENOENT)
        #expect(Self.ways[way](folder.path(), folder.path("no/old")) == ENOENT)
    }
}
