// Pairs of snapshots with the changes that a list view must be told, computed by another program.

import Testing

/// Two snapshots as text, and what their difference must be.
struct DiffVector: Sendable, CustomTestStringConvertible {
    let id: String
    let note: String
    let old: String
    let new: String
    var sectionDeletes: [Int] = []
    var sectionInserts: [Int] = []
    var sectionMoves = 0
    /// Places as `section.item`, ascending.
    var itemDeletes: [String] = []
    var itemInserts: [String] = []
    /// Moves across sections as `section.item>section.item`.
    var crossMoves: [String] = []
    var movesWithin = 0
    /// Deletes, inserts and moves across sections, whatever happens to the sections.
    var byIdentity = [0, 0, 0]

    var testDescription: String { "\(id) \(note)" }

    static let all: [DiffVector] = [
        DiffVector(
            id: "D001", note: "both empty", old: "", new: ""),
        DiffVector(
            id: "D002", note: "no change", old: "A(a b c d e f)", new: "A(a b c d e f)"),
        DiffVector(
            id: "D004", note: "first fill", old: "A()", new: "A(a b c)",
            itemInserts: ["0.0", "0.1", "0.2"], byIdentity: [0, 3, 0]),
        DiffVector(
            id: "D005", note: "emptied", old: "A(a b c)", new: "A()",
            itemDeletes: ["0.0", "0.1", "0.2"], byIdentity: [3, 0, 0]),
        DiffVector(
            id: "D008", note: "arrival at the end", old: "A(a b c d e)", new: "A(a b c d e n)",
            itemInserts: ["0.5"], byIdentity: [0, 1, 0]),
        DiffVector(
            id: "D009", note: "departure at the front", old: "A(a b c d e)", new: "A(b c d e)",
            itemDeletes: ["0.0"], byIdentity: [1, 0, 0]),
        DiffVector(
            id: "D010", note: "departure in the middle", old: "A(a b c d e)", new: "A(a b d e)",
            itemDeletes: ["0.2"], byIdentity: [1, 0, 0]),
        DiffVector(
            id: "D014", note: "last to first is one move", old: "A(a b c)", new: "A(c a b)",
            movesWithin: 1),
        DiffVector(
            id: "D015", note: "first to last of ten", old: "A(a b c d e f g h i j)",
            new: "A(b c d e f g h i j a)", movesWithin: 1),
        DiffVector(
            id: "D020", note: "reverse of eight", old: "A(a b c d e f g h)",
            new: "A(h g f e d c b a)", movesWithin: 7),
        DiffVector(
            id: "D023", note: "block of two moved over three", old: "A(a b c d e)",
            new: "A(c d e a b)", movesWithin: 2),
        DiffVector(
            id: "D027", note: "delete before a move", old: "A(a b c d e)", new: "A(c d e b)",
            itemDeletes: ["0.0"], movesWithin: 1, byIdentity: [1, 0, 0]),
        DiffVector(
            id: "D034", note: "half leaves, the rest reversed", old: "A(a b c d e f g h)",
            new: "A(h f d b)", itemDeletes: ["0.0", "0.2", "0.4", "0.6"], movesWithin: 3,
            byIdentity: [4, 0, 0]),
        DiffVector(
            id: "D035", note: "two sections, no change", old: "A(a b c) B(x y z)",
            new: "A(a b c) B(x y z)"),
        DiffVector(
            id: "D036", note: "one item across, to the end", old: "A(a b c) B(x y z)",
            new: "A(b c) B(x y z a)", crossMoves: ["0.0>1.3"], byIdentity: [0, 0, 1]),
        DiffVector(
            id: "D039", note: "all items change sides", old: "A(a b c) B(x y z)",
            new: "A(x y z) B(a b c)",
            crossMoves: ["0.0>1.0", "0.1>1.1", "0.2>1.2", "1.0>0.0", "1.1>0.1", "1.2>0.2"],
            byIdentity: [0, 0, 6]),
        DiffVector(
            id: "D041", note: "sections swapped and items stay in place: all cross",
            old: "A(a b c) B(x y z)", new: "B(a b c) A(x y z)", sectionMoves: 1,
            crossMoves: ["0.0>0.0", "0.1>0.1", "0.2>0.2", "1.0>1.0", "1.1>1.1", "1.2>1.2"],
            byIdentity: [0, 0, 6]),
        DiffVector(
            id: "D042", note: "section move with a move inside it", old: "A(a b c) B(x y z)",
            new: "B(y z x) A(a b c)", sectionMoves: 1, movesWithin: 1),
        DiffVector(
            id: "D044", note: "section deleted with its items", old: "A(a b c) B(x y z)",
            new: "B(x y z)", sectionDeletes: [0], byIdentity: [3, 0, 0]),
        DiffVector(
            id: "D046", note: "section deleted, one item survives in another",
            old: "A(a b c) B(x y z)", new: "B(x a y z)", sectionDeletes: [0],
            itemInserts: ["0.1"], byIdentity: [2, 0, 1]),
        DiffVector(
            id: "D047", note: "section inserted, takes an old item", old: "A(a b c) B(x y z)",
            new: "A(a b) C(c) B(x y z)", sectionInserts: [1], itemDeletes: ["0.2"],
            byIdentity: [0, 0, 1]),
        DiffVector(
            id: "D048", note: "section deleted and inserted, all its items go over",
            old: "A(a b c) B(x y z)", new: "C(a b c) B(x y z)", sectionDeletes: [0],
            sectionInserts: [0], byIdentity: [0, 0, 3]),
        DiffVector(
            id: "D058", note: "departure in one section, arrival in the other",
            old: "A(a b c) B(x y z)", new: "A(a c) B(x y n z)", itemDeletes: ["0.1"],
            itemInserts: ["1.2"], byIdentity: [1, 1, 0]),
        DiffVector(
            id: "D059", note: "an item crosses while its old neighbour leaves",
            old: "A(a b c) B(x y z)", new: "A(c) B(a x y z)", itemDeletes: ["0.1"],
            crossMoves: ["0.0>1.0"], byIdentity: [1, 0, 1]),
        DiffVector(
            id: "D060", note: "an empty section gets all items of the other", old: "A(a b c) B()",
            new: "A() B(c a b)", crossMoves: ["0.0>1.1", "0.1>1.2", "0.2>1.0"],
            byIdentity: [0, 0, 3]),
        DiffVector(
            id: "D062", note: "random edits", old: "D(i7) B(i2 i12) C(i16) A(i4 i8 i17)",
            new: "D() B(i12 i7)", sectionDeletes: [2, 3], itemDeletes: ["1.0"],
            crossMoves: ["0.0>1.1"], byIdentity: [5, 0, 1]),
        DiffVector(
            id: "D063", note: "random edits", old: "E(i11) D()", new: "E(i11)",
            sectionDeletes: [1]),
        DiffVector(
            id: "D064", note: "random edits", old: "E(i3) B()", new: "E(i3)", sectionDeletes: [1]),
        DiffVector(
            id: "D065", note: "random edits", old: "D(i4 i16 i12 i6 i1 i20 i14 i8 i21 i13)",
            new: "D(i4 i16 i6 i1 i20 i14 i8 i21 i12 i13)", movesWithin: 1),
        DiffVector(
            id: "D070", note: "random edits",
            old: "A(i14 i21 i22 i11 i2) D(i5 i8 i10 i4 i19 i12 i13)",
            new: "A(i14 i21 i22 i11 i2) D(i10 i5 i8 i4 i12 i13)", itemDeletes: ["1.4"],
            movesWithin: 1, byIdentity: [1, 0, 0]),
        DiffVector(
            id: "D072", note: "random edits", old: "E() A(i16)", new: "E() A(i16)"),
        DiffVector(
            id: "D074", note: "random edits", old: "C(i4 i0 i9 i17 i3)",
            new: "C(i4 i0 i9 i17 i3)"),
        DiffVector(
            id: "D076", note: "random edits", old: "E(i1 i16) D(i0 i20)",
            new: "E(i1 i20 i16 i9) D(i0 i6)", itemInserts: ["0.3", "1.1"],
            crossMoves: ["1.1>0.1"], byIdentity: [0, 2, 1]),
        DiffVector(
            id: "D077", note: "random edits", old: "B(i5 i21 i8 i23 i17) D(i16 i19)",
            new: "B(i5 i17 i21 i23 i8) D(i16 i19)", movesWithin: 2),
        DiffVector(
            id: "D080", note: "random edits", old: "D()", new: "D(i0)", itemInserts: ["0.0"],
            byIdentity: [0, 1, 0]),
        DiffVector(
            id: "D081", note: "random edits", old: "B(i7 i10 i19 i8 i2 i0)",
            new: "B(i10 i2 i7 i19 i8 i0)", movesWithin: 2),
        DiffVector(
            id: "D087", note: "random edits", old: "C(i22 i23 i3 i9) B(i1 i10 i13) E(i17 i6 i20)",
            new: "C(i22 i23 i3 i9) B(i1 i10 i13) D() E(i17 i6 i20) A()", sectionInserts: [2, 4]),
        DiffVector(
            id: "D094", note: "random edits", old: "A(i20 i15)", new: "A(i15)",
            itemDeletes: ["0.0"], byIdentity: [1, 0, 0]),
        DiffVector(
            id: "D095", note: "random edits", old: "E() D(i19 i11) B() C(i4 i15 i18)",
            new: "B() E() D(i11) C(i4 i19 i15 i18)", sectionMoves: 1, crossMoves: ["1.0>3.1"],
            byIdentity: [0, 0, 1]),
        DiffVector(
            id: "D097", note: "random edits", old: "C() B() D()", new: "C() B() E() D(i6) A()",
            sectionInserts: [2, 4], itemInserts: ["3.0"], byIdentity: [0, 1, 0]),
        DiffVector(
            id: "D101", note: "random edits",
            old: "B(i14 i8 i13 i6 i9 i16 i1 i11 i3 i5 i18 i21 i15 i22) D(i23 i7)",
            new: "B(i14 i8 i13 i6 i9 i16 i1 i11 i5 i18 i21 i15 i22) D(i23 i7)",
            itemDeletes: ["0.8"], byIdentity: [1, 0, 0]),
        DiffVector(
            id: "D104", note: "random edits",
            old: "C(i10 i3 i9 i1) B(i18 i23 i7 i8 i4 i12) A(i11 i14 i5 i6 i15)",
            new: "C(i10 i3 i9 i6 i1) A(i11 i14 i15) B(i23 i7 i8 i4 i12)", sectionMoves: 1,
            itemDeletes: ["1.0", "2.2"], crossMoves: ["2.3>0.3"], byIdentity: [2, 0, 1]),
        DiffVector(
            id: "D106", note: "random edits",
            old: "B(i6 i18 i15 i23 i12 i14 i11 i0 i2 i3 i8) C(i7 i1 i9 i13 i4 i19 i21)",
            new: "C(i7 i1 i4 i9 i13 i19 i20 i21) B(i6 i18 i15 i23 i11 i12 i14 i0 i2 i3 i8)",
            sectionMoves: 1, itemInserts: ["0.6"], movesWithin: 2, byIdentity: [0, 1, 0]),
        DiffVector(
            id: "D107", note: "shuffle of 30",
            old:
                "A(i0 i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12 i13 i14 i15 i16 i17 i18 "
                + "i19 i20 i21 i22 i23 i24 i25 i26 i27 i28 i29)",
            new:
                "A(i26 i24 i25 i13 i9 i5 i4 i7 i21 i3 i23 i18 i8 i20 i10 i14 i0 i17 i27 "
                + "i15 i6 i1 i16 i19 i2 i29 i12 i22 i11 i28)",
            movesWithin: 20),
    ]
}
