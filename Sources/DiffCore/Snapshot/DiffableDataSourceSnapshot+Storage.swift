// The parts of a snapshot, which is copied where it is changed while another one shares it.

extension DiffableDataSourceSnapshot {
    @inlinable
    var sections: UniqueList<SectionIdentifierType> {
        get { storage.sections }
        _modify {
            unshare()
            yield &storage.sections
        }
    }

    /// The items, laid out.
    @inlinable
    var layout: Layout<ItemIdentifierType> {
        get { storage.laidOut.layout }
        _modify {
            unshare()
            var layout = storage.takeLayout()
            defer { storage.keep(layout) }
            yield &layout
        }
    }

    @inlinable
    var marks: SnapshotMarks<SectionIdentifierType, ItemIdentifierType> {
        get { storage.marks ?? SnapshotMarks() }
        _modify {
            unshare()
            var marks = storage.marks.take() ?? SnapshotMarks()
            defer { storage.marks = marks }
            yield &marks
        }
    }

    @inlinable
    mutating func unshare() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
    }
}
