// Shows a list of mountains in a window of GTK 4, and shuffles it every second.
//
// usage: GTKList [PICTURE]
//
// With a path, the program applies 200 random snapshots, compares the rows of GTK with each of them, saves a
// picture of the window there, and ends.
import CGTK
import DiffCore

private enum Failure: Error {
    case noDisplay
    case noPicture
    case otherRows([[String]])
}

@main struct Main {
    static func main() throws {
        guard gtk_init_check() != 0 else { throw Failure.noDisplay }
        let list = GTKList<String, String>()
        let source = DiffableDataSource(view: list) { _, path, name in
            "\(path.item + 1). \(name)"
        } headerProvider: { _, _, section in
            section
        }
        gtk_widget_set_margin_start(list.widget, 12)
        gtk_widget_set_margin_end(list.widget, 12)
        guard let window = new_window("Mountains", list.widget) else { return }
        source.apply(snapshot(["High": ["Eiger", "Tödi", "Säntis"], "Low": ["Rigi", "Napf"]]))
        show_window(window)
        if CommandLine.arguments.count > 1 {
            try check(source, list)
            run(for: 20)
            guard save_window(window, CommandLine.arguments[1]) != 0 else {
                throw Failure.noPicture
            }
        } else {
            while gtk_widget_get_visible(window) != 0 {
                run(for: 20)
                source.apply(shuffled(source.snapshot()))
            }
        }
    }

    private static func snapshot(_ sections: KeyValuePairs<String, [String]>)
        -> DiffableDataSourceSnapshot<String, String>
    { DiffableDataSourceSnapshot(sections.map { ($0.key, $0.value) }) }

    /// Returns the same items and some others, in another order.
    private static func shuffled(_ old: DiffableDataSourceSnapshot<String, String>)
        -> DiffableDataSourceSnapshot<String, String>
    {
        let names = ["Eiger", "Tödi", "Säntis", "Rigi", "Napf", "Mönch", "Pilatus"]
        var new = DiffableDataSourceSnapshot<String, String>()
        for section in ["High", "Low", "Far"].shuffled().dropLast(Int.random(in: 0...1)) {
            new.appendSections([section])
        }
        for name in names.shuffled().dropFirst() {
            new.appendItems([name], toSection: new.sectionIdentifiers.randomElement())
        }
        // The number in front of a name is part of its row.
        new.reconfigureItems(new.itemIdentifiers)
        return new
    }

    private static func check(
        _ source: DiffableDataSource<String, String>, _ list: GTKList<String, String>
    ) throws {
        for _ in 1...200 {
            let snapshot = shuffled(source.snapshot())
            source.apply(snapshot)
            let expected = snapshot.sectionIdentifiers.map { section in
                snapshot.itemIdentifiers(inSection: section).enumerated().map {
                    "\($0 + 1). \($1)"
                }
            }
            guard list.rows == expected else { throw Failure.otherRows(list.rows) }
        }
    }

    /// Handles the events of rounds of 50 milliseconds.
    private static func run(for rounds: Int) {
        for _ in 0..<rounds {
            while g_main_context_iteration(nil, 0) != 0 {}
            g_usleep(50_000)
        }
    }
}
