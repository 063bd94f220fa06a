// Operations on a snapshot with the state that they lead to, worked out by another program.

import Testing

/// Operations as text, and the snapshot after them.
struct OperationVector: Sendable, CustomTestStringConvertible {
    let id: String
    let note: String
    /// Parted by `;`: a name, what it is given, and after `<` or `>` what that is put in front of
    /// or behind, after `in` a section.
    let operations: String
    let result: String
    var reloadedItems: [String] = []
    var reconfiguredItems: [String] = []
    var reloadedSections: [String] = []

    var testDescription: String { "\(id) \(note)" }

    static let all: [OperationVector] = [
        OperationVector(
            id: "S002", note: "append sections keeps order",
            operations: "appendSections A B; appendSections C",
            result: "A() B() C()"),
        OperationVector(
            id: "S003", note: "items go to the last section by default",
            operations: "appendSections A B; appendItems x y",
            result: "A() B(x y)"),
        OperationVector(
            id: "S016", note: "appending a mix of new and existing items",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                appendItems n y b in A
                """,
            result: "A(a c n y b) B(x z)"),
        OperationVector(
            id: "S017", note: "re-appending the whole section in another order re-orders it",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                appendItems c a b in A
                """,
            result: "A(c a b) B(x y z)"),
        OperationVector(
            id: "S019", note: "insert before middle, several",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                insertItems n m < b
                """,
            result: "A(a n m b c) B(x y z)"),
        OperationVector(
            id: "S020", note: "insert after last",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                insertItems n > c
                """,
            result: "A(a b c n) B(x y z)"),
        OperationVector(
            id: "S021", note: "insert after in the second section",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                insertItems n > x
                """,
            result: "A(a b c) B(x n y z)"),
        OperationVector(
            id: "S024", note: "insert existing item from another section before",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                insertItems z < b
                """,
            result: "A(a z b c) B(x y)"),
        OperationVector(
            id: "S031", note: "delete every item leaves empty sections",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                deleteItems a b c x y z
                """,
            result: "A() B()"),
        OperationVector(
            id: "S032", note: "delete an unknown item is ignored",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                deleteItems q a
                """,
            result: "A(b c) B(x y z)"),
        OperationVector(
            id: "S034",
            note:
                "deleteAllItems also removes the sections (UIKit); a following append needs a section",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                deleteAllItems
                """,
            result: ""),
        OperationVector(
            id: "S039",
            note: "delete the last section in order, then append goes to the one before",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                deleteSections B; appendItems n
                """,
            result: "A(a b c n)"),
        OperationVector(
            id: "S041", note: "delete an unknown section is ignored",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                deleteSections Z
                """,
            result: "A(a b c) B(x y z)"),
        OperationVector(
            id: "S044", note: "move before, backwards",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                moveItem c < a
                """,
            result: "A(c a b) B(x y z)"),
        OperationVector(
            id: "S045", note: "move after, forwards",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                moveItem a > c
                """,
            result: "A(b c a) B(x y z)"),
        OperationVector(
            id: "S047", note: "move before the direct successor changes nothing",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                moveItem a < b
                """,
            result: "A(a b c) B(x y z)"),
        OperationVector(
            id: "S049", note: "move before, across sections",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                moveItem b < y
                """,
            result: "A(a c) B(x b y z)"),
        OperationVector(
            id: "S051", note: "move the only item out of a section leaves it empty",
            operations:
                "appendSections A B; appendItems a in A; appendItems x in B; moveItem a > x",
            result: "A() B(x a)"),
        OperationVector(
            id: "S056", note: "insert sections after the last",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                insertSections C > B; appendItems n
                """,
            result: "A(a b c) B(x y z) C(n)"),
        OperationVector(
            id: "S063", note: "move section carries its items; the default append target changes",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                moveSection A > B; appendItems n
                """,
            result: "B(x y z) A(a b c n)"),
        OperationVector(
            id: "S067", note: "reload items marks them and leaves the order",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                reloadItems b x
                """,
            result: "A(a b c) B(x y z)",
            reloadedItems: ["b", "x"]),
        OperationVector(
            id: "S070", note: "reloading twice counts once",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                reloadItems a; reloadItems a b
                """,
            result: "A(a b c) B(x y z)",
            reloadedItems: ["a", "b"]),
        OperationVector(
            id: "S075", note: "a deleted item loses its reload mark",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                reloadItems a b; deleteItems a
                """,
            result: "A(b c) B(x y z)",
            reloadedItems: ["b"]),
        OperationVector(
            id: "S078", note: "deleting a section drops marks of the section and of its items",
            operations: """
                appendSections A B; appendItems a b c in A; appendItems x y z in B;
                reloadSections A B; reloadItems a x; deleteSections A
                """,
            result: "B(x y z)",
            reloadedItems: ["x"],
            reloadedSections: ["B"]),
        OperationVector(
            id: "S079", note: "queries on a filled snapshot",
            operations: "appendSections A B; appendItems a b c in A; appendItems x y z in B",
            result: "A(a b c) B(x y z)"),
        OperationVector(
            id: "S084", note: "random walk of valid operations",
            operations: """
                appendSections A B C; moveSection B > A; appendItems i2 in B;
                appendItems i2 in A; appendItems i2 in B; appendItems i2 in A; reloadItems i2;
                insertItems i1 > i2; deleteItems i2 i1; appendItems i3 in C
                """,
            result: "A() B() C(i3)"),
        OperationVector(
            id: "S085", note: "random walk of valid operations",
            operations:
                "appendSections A B C; moveSection C > B; insertSections D > B; deleteSections B",
            result: "A() D() C()"),
        OperationVector(
            id: "S092", note: "random walk of valid operations",
            operations: """
                appendSections A B C; appendItems i8 i7 i5 in C; deleteItems i5 i7;
                reloadItems i8
                """,
            result: "A() B() C(i8)",
            reloadedItems: ["i8"]),
        OperationVector(
            id: "S094", note: "random walk of valid operations",
            operations: """
                appendSections A B C; insertSections D < A; appendItems i13 i12 i8 in C;
                moveSection A < C; reloadItems i12; appendItems i2 i9 in D;
                insertItems i7 i5 > i8; deleteSections B; appendItems i0 i3 i10 in A;
                deleteItems i13 i0; reconfigureItems i2; appendItems i0 in A;
                appendItems i8 i5 in D; deleteItems i8; appendItems i12 i2 in D
                """,
            result: "D(i9 i5 i12 i2) A(i3 i10 i0) C(i7)",
            reloadedItems: ["i12"],
            reconfiguredItems: ["i2"]),
        OperationVector(
            id: "S098", note: "random walk of valid operations",
            operations: """
                appendSections A B C; deleteSections B; appendItems i13 i12 in C;
                insertItems i5 i4 < i12; deleteItems i13 i4; reloadItems i12
                """,
            result: "A() C(i5 i12)",
            reloadedItems: ["i12"]),
        OperationVector(
            id: "S099", note: "random walk of valid operations",
            operations: "appendSections A B C; moveSection B < A; moveSection B > A",
            result: "A() B() C()"),
        OperationVector(
            id: "S101", note: "random walk of valid operations",
            operations: """
                appendSections A B C; moveSection C < B; moveSection B > C; deleteSections C;
                moveSection A < B; appendItems i12 in A; deleteItems i12; insertSections D > B;
                moveSection D < B; deleteSections D; insertSections D < B
                """,
            result: "A() D() B()"),
        OperationVector(
            id: "S102", note: "random walk of valid operations",
            operations: """
                appendSections A B C; insertSections D < B; moveSection D < A;
                appendItems i2 i4 in B; appendItems i13 i8 in D; reloadItems i4;
                moveSection D < A; insertItems i6 < i2; deleteItems i4; moveItem i13 < i8;
                moveSection B > C
                """,
            result: "D(i13 i8) A() C() B(i6 i2)"),
        OperationVector(
            id: "S107", note: "random walk of valid operations",
            operations: """
                appendSections A B C; appendItems i6 i1 i2 in C; moveSection B > A;
                insertSections D > A; appendItems i0 in A; deleteSections C;
                insertItems i8 i1 < i0
                """,
            result: "A(i8 i1 i0) D() B()"),
        OperationVector(
            id: "S110", note: "random walk of valid operations",
            operations: """
                appendSections A B C; deleteSections A; insertSections D > C; moveSection D > C;
                moveSection B > D
                """,
            result: "C() D() B()"),
        OperationVector(
            id: "S111", note: "random walk of valid operations",
            operations: """
                appendSections A B C; appendItems i7 in A; deleteItems i7; moveSection B > C;
                moveSection A > C
                """,
            result: "C() A() B()"),
        OperationVector(
            id: "S115", note: "random walk of valid operations",
            operations: """
                appendSections A B C; moveSection B < C; insertSections D > C; moveSection C < B;
                moveSection C > D; appendItems i7 in B
                """,
            result: "A() B(i7) D() C()"),
        OperationVector(
            id: "S116", note: "random walk of valid operations",
            operations: """
                appendSections A B C; appendItems i12 i11 i13 in C; appendItems i13 i12 in C;
                moveSection B > C; appendItems i7 in C
                """,
            result: "A() C(i11 i13 i12 i7) B()"),
        OperationVector(
            id: "S117", note: "random walk of valid operations",
            operations: """
                appendSections A B C; appendItems i7 i2 in A; reloadItems i2; moveSection C < A;
                moveSection A > C; reloadItems i7; deleteItems i2 i7
                """,
            result: "C() A() B()"),
        OperationVector(
            id: "S119", note: "random walk of valid operations",
            operations: """
                appendSections A B C; moveSection B < C; appendItems i8 in A; deleteItems i8;
                appendItems i0 i2 i6 in B; moveItem i6 < i2
                """,
            result: "A() B(i0 i6 i2) C()"),
        OperationVector(
            id: "S123", note: "random walk of valid operations",
            operations: """
                appendSections A B C; appendItems i4 in C; reconfigureItems i4;
                insertItems i5 > i4; moveSection A > B; moveItem i4 > i5; insertSections D < C;
                moveItem i5 < i4; insertItems i0 > i5; reloadItems i5
                """,
            result: "B() A() D() C(i5 i0 i4)",
            reloadedItems: ["i5"],
            reconfiguredItems: ["i4"]),
    ]
}
