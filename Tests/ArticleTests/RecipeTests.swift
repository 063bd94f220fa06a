// Recipes: identifiers in the snapshot, and a store beside it.
import Foundation
import Testing
import UIKitNames

private struct Recipe: Identifiable, Codable {
    let id: UUID
    var title: String
    var ingredients: [String]
    var isFavorite = false

    init(_ title: String, _ ingredients: String...) {
        (id, self.title, self.ingredients) = (UUID(), title, ingredients)
    }
}

private typealias UICollectionView = ListStandIn<RecipeListViewController.Section, Recipe.ID>

@MainActor private final class RecipeListViewController {
    enum Section { case main }

    private let collectionView = UICollectionView()
    private var dataSource: UICollectionViewDiffableDataSource<Section, Recipe.ID>!
    private var recipes: [Recipe.ID: Recipe] = [:]

    var lines: [String] { collectionView.lines.flatMap { $0 } }
    var provided: [Recipe.ID] { collectionView.provided }

    func viewDidLoad(_ stored: [Recipe]) {
        recipes = Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0) })
        let recipeRegistration = UICollectionView.CellRegistration<UICollectionViewListCell, Recipe>
        {
            cell, indexPath, recipe in
            cell.text = recipe.title
            cell.secondaryText = recipe.ingredients.joined(separator: ",")
            cell.accessories = recipe.isFavorite ? ["♥"] : []
        }
        dataSource = UICollectionViewDiffableDataSource(collectionView: collectionView) {
            [weak self] collectionView, indexPath, identifier -> UICollectionViewCell? in
            guard let self, let recipe = recipes[identifier] else { return nil }
            return collectionView.dequeueConfiguredReusableCell(
                using: recipeRegistration, for: indexPath, item: recipe)
        }
        var snapshot = NSDiffableDataSourceSnapshot<Section, Recipe.ID>()
        snapshot.appendSections([.main])
        snapshot.appendItems(stored.map(\.id), toSection: .main)
        dataSource.applySnapshotUsingReloadData(snapshot)
    }

    func recipeDidChange(_ recipe: Recipe) {
        recipes[recipe.id] = recipe
        guard dataSource.indexPath(for: recipe.id) != nil else { return }
        var snapshot = dataSource.snapshot()
        snapshot.reconfigureItems([recipe.id])
        dataSource.apply(snapshot, animatingDifferences: true)
    }

    func didAddRecipe(_ recipe: Recipe) {
        recipes[recipe.id] = recipe
        var snapshot = dataSource.snapshot()
        snapshot.appendItems([recipe.id], toSection: .main)
        dataSource.apply(snapshot)
    }

    func didDeleteRecipe(at indexPath: IndexPath) {
        guard let identifier = dataSource.itemIdentifier(for: indexPath) else { return }
        recipes[identifier] = nil
        var snapshot = dataSource.snapshot()
        snapshot.deleteItems([identifier])
        dataSource.apply(snapshot, animatingDifferences: true)
    }

    func position(of recipe: Recipe) -> IndexPath? {
        if let indexPath = dataSource.indexPath(for: recipe.id) { return indexPath }
        return nil
    }
}

@MainActor @Suite struct RecipeTests {
    private let controller = RecipeListViewController()
    private let bread = Recipe("Bread", "flour", "salt")
    private let soup = Recipe("Soup", "leek")

    init() { controller.viewDidLoad([bread, soup]) }

    @Test func `the recipes are shown with their contents`() {
        #expect(controller.lines == ["Bread flour,salt", "Soup leek"])
    }

    @Test func `only the cell of a changed recipe is configured again`() {
        var favourite = soup
        favourite.isFavorite = true
        controller.recipeDidChange(favourite)
        #expect(controller.lines == ["Bread flour,salt", "Soup leek ♥"])
        #expect(controller.provided == [soup.id])
    }

    @Test func `recipes are added and deleted`() {
        let tea = Recipe("Tea", "mint")
        controller.didAddRecipe(tea)
        #expect(controller.position(of: tea) == IndexPath(row: 2, section: 0))
        controller.didDeleteRecipe(at: IndexPath(item: 0, section: 0))
        #expect(controller.lines == ["Soup leek", "Tea mint"])
        controller.recipeDidChange(bread)
        #expect(controller.lines == ["Soup leek", "Tea mint"])
    }
}
