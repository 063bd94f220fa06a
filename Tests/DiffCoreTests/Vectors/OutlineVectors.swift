// Operations on an outline with the state that they lead to, worked out by another program.

import Testing

/// Operations as text, and the outline after them.
struct OutlineVector: Sendable, CustomTestStringConvertible {
    let id: String
    let note: String
    /// Parted by `;`: a name, what it is given (in brackets if that is an outline), and after `<` or `>`
    /// what that is put in front of or behind, after `in` what it is put beneath.
    let operations: String
    /// Items with what is beneath them; `+` stands behind those that are expanded.
    let result: String
    let visible: String

    var testDescription: String { "\(id) \(note)" }

    static let all: [OutlineVector] = [
        OutlineVector(
            id: "O001", note: "empty",
            operations: "",
            result: "",
            visible: ""),
        OutlineVector(
            id: "O002", note: "append to root",
            operations: "append a b; append c",
            result: "a b c",
            visible: "a b c"),
        OutlineVector(
            id: "O003", note: "append to a parent: hidden until expanded",
            operations: "append a b; append x y in a",
            result: "a(x y) b",
            visible: "a b"),
        OutlineVector(
            id: "O004", note: "append to existing children goes last",
            operations: "append a b; append x in a; append y in a",
            result: "a(x y) b",
            visible: "a b"),
        OutlineVector(
            id: "O010", note: "expand two levels",
            operations: "append 0 4; append 1 2 in 0; append 3 in 2; expand 0 2",
            result: "0+(1 2+(3)) 4",
            visible: "0 1 2 3 4"),
        OutlineVector(
            id: "O011", note: "expanding an inner node under a collapsed one shows nothing yet",
            operations: "append 0 4; append 1 2 in 0; append 3 in 2; expand 2",
            result: "0(1 2+(3)) 4",
            visible: "0 4"),
        OutlineVector(
            id: "O014", note: "re-expanding restores the inner state",
            operations:
                "append 0 4; append 1 2 in 0; append 3 in 2; expand 0 2; collapse 0; expand 0",
            result: "0+(1 2+(3)) 4",
            visible: "0 1 2 3 4"),
        OutlineVector(
            id: "O015", note: "expand a leaf: state is kept without children",
            operations: "append a b; expand a; append x in a",
            result: "a+(x) b",
            visible: "a x b"),
        OutlineVector(
            id: "O017", note: "collapse an unknown item only logs",
            operations: "append a b; collapse q",
            result: "a b",
            visible: "a b"),
        OutlineVector(
            id: "O018", note: "collapse a collapsed item",
            operations: "append 0 4; append 1 2 in 0; append 3 in 2; collapse 0",
            result: "0(1 2(3)) 4",
            visible: "0 4"),
        OutlineVector(
            id: "O019", note: "insert before a child stays on the child's level",
            operations: "append 0 4; append 1 2 in 0; append 3 in 2; insert n < 1",
            result: "0(n 1 2(3)) 4",
            visible: "0 4"),
        OutlineVector(
            id: "O031", note: "delete an unknown item is ignored",
            operations: "append 0 4; append 1 2 in 0; append 3 in 2; delete q",
            result: "0(1 2(3)) 4",
            visible: "0 4"),
        OutlineVector(
            id: "O033", note: "identifiers of a deleted subtree are free again, collapsed",
            operations: """
                append 0 4; append 1 2 in 0; append 3 in 2; expand 0 2; delete 2; append 2;
                append 3 in 2
                """,
            result: "0+(1) 4 2(3)",
            visible: "0 1 4 2"),
        OutlineVector(
            id: "O035", note: "isExpanded and isVisible",
            operations: "append 0 4; append 1 2 in 0; append 3 in 2; expand 0",
            result: "0+(1 2(3)) 4",
            visible: "0 1 2 4"),
        OutlineVector(
            id: "O042", note: "replace children with a flat snapshot",
            operations: "append 0 4; append 1 2 in 0; append 3 in 2; replace [n m] in 0",
            result: "0(n m) 4",
            visible: "0 4"),
        OutlineVector(
            id: "O050", note: "insert a snapshot before an inner node",
            operations: "append 0 4; append 1 2 in 0; append 3 in 2; insertOutline [n(o)] < 2",
            result: "0(1 n(o) 2(3)) 4",
            visible: "0 4"),
        OutlineVector(
            id: "O051", note: "insert a snapshot after a parent goes behind its subtree",
            operations: "append 0 4; append 1 2 in 0; append 3 in 2; insertOutline [n+(o)] > 0",
            result: "0(1 2(3)) n+(o) 4",
            visible: "0 n o 4"),
        OutlineVector(
            id: "O055", note: "random walk of valid operations",
            operations: """
                append n0 n1; append n2; append n3 n4 in n2; append n5 in n3; append n6 in n3;
                append n7 n8 n9 in n1; delete n4; append n10 n11 n12 in n0; append n13 in n11;
                insert n14 > n11
                """,
            result: "n0(n10 n11(n13) n14 n12) n1(n7 n8 n9) n2(n3(n5 n6))",
            visible: "n0 n1 n2"),
        OutlineVector(
            id: "O056", note: "random walk of valid operations",
            operations: """
                append n0 n1 n2; insert n3 < n0; collapse n0; insert n4 < n3; collapse n4;
                collapse n3; expand n2 n1; replace [n5+(n6)] in n0; expand n6 n5; insert n7 > n3;
                replace [n8+(n9)] in n7; delete n8; append n10 n11 n12 in n2; insert n13 > n5
                """,
            result: "n4 n3 n7 n0(n5+(n6+) n13) n1+ n2+(n10 n11 n12)",
            visible: "n4 n3 n7 n0 n1 n2 n10 n11 n12"),
        OutlineVector(
            id: "O057", note: "random walk of valid operations",
            operations: """
                append n0 n1 n2; expand n0 n1; append n3 n4 in n2; append n5 n6 n7 in n2;
                insert n8 > n7; collapse n7; append n9
                """,
            result: "n0+ n1+ n2(n3 n4 n5 n6 n7 n8) n9",
            visible: "n0 n1 n2 n9"),
        OutlineVector(
            id: "O063", note: "random walk of valid operations",
            operations: """
                append n0 n1; replace [n2+(n3)] in n0; append n4 n5 n6 in n0; append n7 n8 in n2;
                delete n4; expand n5 n3; append n9 in n1; append n10 n11 in n0
                """,
            result: "n0(n2+(n3+ n7 n8) n5+ n6 n10 n11) n1(n9)",
            visible: "n0 n1"),
        OutlineVector(
            id: "O066", note: "random walk of valid operations",
            operations: """
                append n0 n1 n2; append n3 n4 n5 in n2; append n6 n7; collapse n0;
                replace [n8+(n9)] in n2; append n10 in n6; append n11 n12 n13 in n7;
                replace [n14+(n15)] in n1; collapse n0; append n16 in n13;
                append n17 n18 n19 in n0; replace [n20+(n21)] in n18; expand n8 n12;
                collapse n12
                """,
            result:
                "n0(n17 n18(n20+(n21)) n19) n1(n14+(n15)) "
                + "n2(n8+(n9)) n6(n10) n7(n11 n12 n13(n16))",
            visible: "n0 n1 n2 n6 n7"),
        OutlineVector(
            id: "O069", note: "random walk of valid operations",
            operations: """
                append n0 n1; append n2 n3 in n1; append n4 n5 in n3; delete n0; expand n3 n5;
                collapse n1; append n6; append n7 in n1; replace [n8+(n9)] in n2;
                insert n10 < n5; replace [n11+(n12)] in n3; expand n8 n7
                """,
            result: "n1(n2(n8+(n9)) n3+(n11+(n12)) n7+) n6",
            visible: "n1 n6"),
    ]
}
