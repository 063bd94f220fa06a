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

    static let all = handmade + more

    private static let handmade: [OperationVector] = [
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
    ]
}
