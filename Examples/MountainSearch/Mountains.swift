// A mountain, and the table of mountains: names, heights in metres, and countries.

/// A mountain. Two values are the same item if they have the same identifier, whatever else differs.
struct Mountain: Identifiable, Hashable, Sendable {
    let id: Int
    let name: String
    let height: Int
    let place: String

    static func == (left: Mountain, right: Mountain) -> Bool { left.id == right.id }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Returns the mountains whose name contains a text, alphabetically.
    static func filtered(with filter: String) -> [Mountain] {
        all.filter { $0.contains(filter) }.sorted { $0.name < $1.name }
    }

    private func contains(_ filter: String) -> Bool {
        filter.isEmpty || name.lowercased().contains(filter.lowercased())
    }
}

extension Mountain {
    /// Mountains of all continents; of a disputed height the one on many maps.
    static let all = table.enumerated().map { number, row in
        Mountain(id: number, name: row.0, height: row.1, place: row.2)
    }

    private static let table: [(String, Int, String)] = [
        ("Mount Everest", 8849, "Nepal, China"),
        ("K2", 8611, "Pakistan, China"),
        ("Kangchenjunga", 8586, "Nepal, India"),
        ("Lhotse", 8516, "Nepal, China"),
        ("Makalu", 8485, "Nepal, China"),
        ("Cho Oyu", 8188, "Nepal, China"),
        ("Dhaulagiri", 8167, "Nepal"),
        ("Manaslu", 8163, "Nepal"),
        ("Nanga Parbat", 8126, "Pakistan"),
        ("Annapurna", 8091, "Nepal"),
        ("Gasherbrum I", 8080, "Pakistan, China"),
        ("Broad Peak", 8051, "Pakistan, China"),
        ("Gasherbrum II", 8035, "Pakistan, China"),
        ("Shishapangma", 8027, "China"),
        ("Nanda Devi", 7816, "India"),
        ("Tirich Mir", 7708, "Pakistan"),
        ("Gangkhar Puensum", 7570, "Bhutan"),
        ("Ama Dablam", 6812, "Nepal"),
        ("Mount Kailash", 6638, "China"),
        ("Mount Damavand", 5609, "Iran"),
        ("Mount Ararat", 5137, "Turkey"),
        ("Mount Kinabalu", 4095, "Malaysia"),
        ("Mount Fuji", 3776, "Japan"),
        ("Mount Rinjani", 3726, "Indonesia"),
        ("Aconcagua", 6961, "Argentina"),
        ("Ojos del Salado", 6893, "Argentina, Chile"),
        ("Huascarán", 6768, "Peru"),
        ("Illimani", 6438, "Bolivia"),
        ("Chimborazo", 6263, "Ecuador"),
        ("Alpamayo", 5947, "Peru"),
        ("Cotopaxi", 5897, "Ecuador"),
        ("Fitz Roy", 3405, "Argentina, Chile"),
        ("Denali", 6190, "United States"),
        ("Mount Logan", 5959, "Canada"),
        ("Pico de Orizaba", 5636, "Mexico"),
        ("Popocatépetl", 5393, "Mexico"),
        ("Mount Whitney", 4421, "United States"),
        ("Mount Elbert", 4401, "United States"),
        ("Mount Rainier", 4392, "United States"),
        ("Mauna Kea", 4207, "United States"),
        ("Mount Robson", 3954, "Canada"),
        ("Chirripó", 3821, "Costa Rica"),
        ("Mount St. Helens", 2549, "United States"),
        ("Kilimanjaro", 5895, "Tanzania"),
        ("Mount Kenya", 5199, "Kenya"),
        ("Mount Stanley", 5109, "DR Congo, Uganda"),
        ("Ras Dashen", 4550, "Ethiopia"),
        ("Toubkal", 4167, "Morocco"),
        ("Mount Cameroon", 4040, "Cameroon"),
        ("Teide", 3715, "Spain"),
        ("Thabana Ntlenyana", 3482, "Lesotho"),
        ("Table Mountain", 1085, "South Africa"),
        ("Elbrus", 5642, "Russia"),
        ("Kazbek", 5054, "Georgia, Russia"),
        ("Mont Blanc", 4806, "France, Italy"),
        ("Dufourspitze", 4634, "Switzerland"),
        ("Matterhorn", 4478, "Switzerland, Italy"),
        ("Jungfrau", 4158, "Switzerland"),
        ("Gran Paradiso", 4061, "Italy"),
        ("Eiger", 3967, "Switzerland"),
        ("Großglockner", 3798, "Austria"),
        ("Mulhacén", 3479, "Spain"),
        ("Aneto", 3404, "Spain"),
        ("Marmolada", 3343, "Italy"),
        ("Etna", 3357, "Italy"),
        ("Zugspitze", 2962, "Germany"),
        ("Musala", 2925, "Bulgaria"),
        ("Mount Olympus", 2917, "Greece"),
        ("Triglav", 2864, "Slovenia"),
        ("Gerlachovský štít", 2655, "Slovakia"),
        ("Rysy", 2501, "Poland, Slovakia"),
        ("Galdhøpiggen", 2469, "Norway"),
        ("Hvannadalshnúkur", 2110, "Iceland"),
        ("Kebnekaise", 2097, "Sweden"),
        ("Ben Nevis", 1345, "United Kingdom"),
        ("Vesuvius", 1281, "Italy"),
        ("Snowdon", 1085, "United Kingdom"),
        ("Carrauntoohil", 1038, "Ireland"),
        ("Puncak Jaya", 4884, "Indonesia"),
        ("Mount Wilhelm", 4509, "Papua New Guinea"),
        ("Aoraki / Mount Cook", 3724, "New Zealand"),
        ("Mount Taranaki", 2518, "New Zealand"),
        ("Mount Kosciuszko", 2228, "Australia"),
        ("Vinson Massif", 4892, "Antarctica"),
        ("Mount Erebus", 3794, "Antarctica"),
    ]
}
