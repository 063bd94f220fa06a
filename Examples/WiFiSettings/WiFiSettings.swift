// Wi-Fi settings: a switch that shows and hides a section, and networks that appear and disappear.
import DiffCore
import Glibc
import TerminalList

/// A switch, and while it is on the networks in range.
///
/// Keys and the timer change the model only; then ``update(_:)`` fills a new snapshot from the model,
/// always in one place, so that no case can be forgotten.
@MainActor final class WiFiSettings {
    enum Section { case settings, networks }

    /// An item: different kinds in one list.
    enum Item: Hashable { case power, network(Network.ID) }

    let view = TerminalListView<Section, Item>(columns: [
        ListColumn("Name", minimum: 16, ideal: 26, rank: 2),
        ListColumn("Signal", minimum: 6, ideal: 6, rank: 1),
    ])
    private lazy var dataSource = DiffableDataSource<Section, Item>(view: view) {
        [unowned self] _, _, item in
        cell(of: item)
    } headerProvider: { _, _, section in
        section == .networks ? "Networks" : nil
    }

    private var isOn = true
    private var joined: Network.ID?
    private var networks = Dictionary(uniqueKeysWithValues: Network.all.map { ($0.id, $0) })
    private var generator: any RandomNumberGenerator

    init(generator: any RandomNumberGenerator = SystemRandomNumberGenerator()) {
        self.generator = generator
        view.keys = .standard(adding: [
            // A click on the switch, or on a selected row, has the effect of Enter.
            KeyBinding([.enter], "switch Wi-Fi, or join or leave a network", hint: "choose") {
                [unowned self] in choose(view.selectedItem)
            },
            KeyBinding([.right, .character("i")], "about the network", hint: "about") {
                [unowned self] in showDetails(of: view.selectedItem)
            },
            KeyBinding([.character("w")], "switch Wi-Fi on or off", hint: "Wi-Fi") {
                [unowned self] in choose(.power)
            },
        ])
        view.header = ListHeader("Wi-Fi settings")
        update(animated: false)
        view.select(.power)
    }

    private func cell(of item: Item) -> ListCell {
        guard case .network(let id) = item, let network = networks[id] else {
            return ListCell(["Wi-Fi"], accessories: [.toggle(isOn: isOn)], style: Style(.bold))
        }
        return ListCell(
            [.init(id), .init(String(repeating: "|", count: network.signal))],
            accessories: id == joined ? [.checkmark, .disclosure] : [.disclosure])
    }

    /// Shows the model; the contents of the items `changed` have changed.
    private func update(_ changed: [Item] = [], animated: Bool = true) {
        var snapshot = DiffableDataSourceSnapshot<Section, Item>()
        snapshot.appendSections([.settings])
        snapshot.appendItems([.power])
        // A joined network moves to the first section: the same item at another position.
        if let joined { snapshot.appendItems([.network(joined)]) }
        if isOn {
            let others = networks.values.filter { $0.isInRange && $0.id != joined }
            snapshot.appendSections([.networks])
            snapshot.appendItems(others.map(\.id).sorted().map(Item.network))
        }
        snapshot.reconfigureItems(changed.filter { snapshot.indexOfItem($0) != nil })
        dataSource.apply(snapshot, animatingDifferences: animated)
    }

    private func choose(_ item: Item?) {
        guard let item, dataSource.indexPath(for: item) != nil else { return }
        switch item {
        case .power: (isOn, joined) = (!isOn, nil)
        case .network(let id): joined = joined == id ? nil : id
        }
        update([item])
    }

    private func showDetails(of item: Item?) {
        guard case .network(let id)? = item, let network = networks[id] else { return }
        let lines = ["Signal: \(network.signal) of 4", id == joined ? "Joined" : "Not joined"]
        view.pane = TextPane(
            id, id, lines.map { TextPane.Line([.init($0)]) }, placement: .full)
    }

    /// Simulates a change: a network appears or disappears, and the signal of another one changes.
    func step() {
        let ids = networks.keys.sorted().filter { $0 != joined }
        guard isOn, let id = ids.randomElement(using: &generator),
            let other = ids.randomElement(using: &generator)
        else { return }
        networks[id]?.isInRange.toggle()
        networks[other]?.signal = Int.random(in: 1...4, using: &generator)
        update([.network(other)])
    }

    /// Shows the list until the user quits, and simulates a change every two seconds.
    func run() async -> Int32 {
        let air = Task { while (try? await Task.sleep(for: .seconds(2))) != nil { step() } }
        defer { air.cancel() }
        return await view.run()
    }
}

@main @MainActor enum Program {
    static func main() async { exit(await WiFiSettings().run()) }
}
