// Wi-Fi settings: two sections, one of which comes and goes with a switch.
import Foundation
import Testing
import UIKitNames

private struct Network: Hashable {
    let name: String
    let identifier = UUID()

    func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

@MainActor private final class WiFiSettingsViewController {
    enum Section: CaseIterable { case config, networks }
    enum ItemType { case wifiEnabled, currentNetwork, availableNetwork }

    struct Item: Hashable {
        let title: String
        let type: ItemType
        let network: Network?
        private let identifier: UUID

        init(title: String, type: ItemType) {
            (self.title, self.type, network, identifier) = (title, type, nil, UUID())
        }

        init(network: Network) {
            title = network.name
            (type, self.network, identifier) = (.availableNetwork, network, network.identifier)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
        var isConfig: Bool { type == .wifiEnabled || type == .currentNetwork }
    }

    let tableView = ListStandIn<Section, Item>()
    var dataSource: UITableViewDiffableDataSource<Section, Item>! = nil
    var isEnabled = true
    var availableNetworks: Set<Network> = []
    lazy var configurationItems = [
        Item(title: "Wi-Fi", type: .wifiEnabled), Item(title: "home", type: .currentNetwork),
    ]
    let reuseIdentifier = "reuse-identifier"

    func configureDataSource() {
        dataSource = UITableViewDiffableDataSource<Section, Item>(tableView: tableView) {
            [weak self]
            (tableView: ListStandIn<Section, Item>, indexPath: IndexPath, item: Item)
                -> UITableViewCell? in
            guard let self else { return nil }
            let cell = tableView.dequeueReusableCell(
                withIdentifier: reuseIdentifier, for: indexPath)
            cell.text = item.title
            switch item.type {
            case .wifiEnabled: cell.accessories = [isEnabled ? "on" : "off"]
            case .currentNetwork, .availableNetwork: cell.accessories = [">"]
            }
            return cell
        }
        dataSource.defaultRowAnimation = .automatic
        updateUI(animated: false)
    }

    func updateUI(animated: Bool = true) {
        let items = configurationItems.filter { $0.type != .currentNetwork || isEnabled }
        var currentSnapshot = NSDiffableDataSourceSnapshot<Section, Item>()
        currentSnapshot.appendSections([.config])
        currentSnapshot.appendItems(items, toSection: .config)
        if isEnabled {
            let sorted = availableNetworks.sorted { $0.name < $1.name }
            currentSnapshot.appendSections([.networks])
            currentSnapshot.appendItems(sorted.map { Item(network: $0) }, toSection: .networks)
        }
        currentSnapshot.reloadItems(items.filter { $0.type == .wifiEnabled })
        dataSource.apply(currentSnapshot, animatingDifferences: animated)
    }
}

@MainActor @Suite struct WiFiTests {
    @Test func `the networks come and go with the switch`() {
        let controller = WiFiSettingsViewController()
        controller.availableNetworks = [Network(name: "guests"), Network(name: "office")]
        controller.configureDataSource()
        #expect(controller.tableView.lines == [["Wi-Fi on", "home >"], ["guests >", "office >"]])
        controller.isEnabled = false
        controller.updateUI()
        #expect(controller.tableView.lines == [["Wi-Fi off"]])
        controller.isEnabled = true
        controller.updateUI()
        #expect(controller.tableView.lines == [["Wi-Fi on", "home >"], ["guests >", "office >"]])
    }

    @Test func `a provider whose owner is gone leaves rows empty`() {
        let view = ListStandIn<
            WiFiSettingsViewController.Section, WiFiSettingsViewController.Item
        >()
        var owner: WiFiSettingsViewController? = WiFiSettingsViewController()
        let dataSource = UITableViewDiffableDataSource<
            WiFiSettingsViewController.Section, WiFiSettingsViewController.Item
        >(tableView: view) { [weak owner] tableView, indexPath, item in
            guard owner != nil else { return nil }
            return UITableViewCell()
        }
        owner = nil
        var snapshot = dataSource.snapshot()
        snapshot.appendSections([.config])
        snapshot.appendItems([.init(title: "Wi-Fi", type: .wifiEnabled)])
        dataSource.apply(snapshot)
        #expect(view.lines == [[""]])
    }
}
