// Foundation's index path with the members that UIKit adds to it, and its conversions.

#if canImport(FoundationEssentials)
    public import FoundationEssentials

    /// Foundation's index path, so that the name is not ambiguous beside an import of Foundation.
    public typealias IndexPath = FoundationEssentials.IndexPath
#else
    public import Foundation

    /// Foundation's index path, so that the name is not ambiguous beside an import of Foundation.
    public typealias IndexPath = Foundation.IndexPath
#endif

public import DiffCore

extension IndexPath {
    /// The index of the section; O(1).
    ///
    /// - Precondition: The index path has two indices.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The index of the item in its section; O(1).
    ///
    /// - Precondition: The index path has two indices.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The index of the row in its section; O(1).
    ///
    /// - Precondition: The index path has two indices.
    public var row: Int {
        get { item }
        set { item = newValue }
    }

    /// Creates the index path of an item in a section; O(1).
    public init(item: Int, section: Int) { self = [section, item] }

    /// Creates the index path of a row in a section; O(1).
    public init(row: Int, section: Int) { self = [section, row] }

    /// Converts an index path of DiffCore; O(1).
    public init(_ indexPath: DiffCore.IndexPath) { self = [indexPath.section, indexPath.item] }
}

extension DiffCore.IndexPath {
    /// Converts an index path of Foundation; O(1).
    ///
    /// - Precondition: The index path has two indices.
    public init(_ indexPath: IndexPath) {
        self.init(item: indexPath.item, section: indexPath.section)
    }
}
