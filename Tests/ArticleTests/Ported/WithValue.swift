// A value with another part.
import UIKitNames

private protocol WithValue {}
extension WithValue {
    func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}
extension NSDiffableDataSourceSnapshot: WithValue {}
private func with(_ source: UITableViewDiffableDataSource<Int, Int>) {
    source.apply(source.snapshot().with { $0.deleteItems([1]) })
}
