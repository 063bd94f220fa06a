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

    @inlinable
    var settled: Layout<ItemIdentifierType> {
        get { storage.settled }
        _modify {
            unshare()
            yield &storage.settled
        }
    }

    @inlinable
    var filling: Filling<ItemIdentifierType>? {
        get { storage.filling }
        _modify {
            unshare()
            yield &storage.filling
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
