// A store of the main actor that marks what has changed.
import UIKitNames

@MainActor private final class RecipeStore {
    struct Recipe: Identifiable, Sendable {
        let id: UUID
        var title: String
    }
    private(set) var recipes: [Recipe.ID: Recipe] = [:]
    var onChange: ((Recipe.ID) -> Void)?
    func update(_ recipe: Recipe) {
        recipes[recipe.id] = recipe
        onChange?(recipe.id)
    }
}
private final class RecipesController: UIViewController {
    private let store = RecipeStore()
    private var dataSource: UICollectionViewDiffableDataSource<Int, RecipeStore.Recipe.ID>!
    func observe() {
        store.onChange = { [weak self] id in
            guard let self, var snapshot = self.dataSource?.snapshot(),
                snapshot.indexOfItem(id) != nil
            else { return }
            snapshot.reconfigureItems([id])
            self.dataSource.apply(snapshot, animatingDifferences: true)
        }
    }
}
