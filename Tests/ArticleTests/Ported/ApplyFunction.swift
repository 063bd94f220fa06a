// `apply` as a value.
import UIKitNames

private final class Binder {
    let function: (NSDiffableDataSourceSnapshot<Int, Int>, Bool, (() -> Void)?) -> Void
    init(_ source: UITableViewDiffableDataSource<Int, Int>) { function = source.apply }
}
