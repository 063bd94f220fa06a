// More operations on a snapshot with the state that they lead to.

extension OperationVector {
    static let more: [OperationVector] = [
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
