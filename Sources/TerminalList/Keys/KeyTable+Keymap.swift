// Keys as users choose them: what is given to one binding is taken from the others.

extension KeyTable {
    /// The bindings with the keys that a user chose, without those that no key is left for.
    static func remapped(_ bindings: [KeyBinding], by keymap: [String: [Key]]) -> [KeyBinding] {
        if keymap.isEmpty { return bindings }
        let forQuit = Set([Key.control("c")])
        var chosen: Set<Key> = []
        var keys = bindings.map { binding -> [Key]? in
            guard let name = binding.name, let wanted = keymap[name] else { return nil }
            let free = wanted.filter { key in
                let isOurs = binding.isQuit || !forQuit.contains(key)
                return isOurs && chosen.insert(key).inserted
            }
            return binding.isQuit ? free + forQuit.subtracting(free) : free
        }
        chosen.formUnion(forQuit)
        for (place, binding) in bindings.enumerated() where keys[place] == nil {
            keys[place] = binding.keys.filter {
                !chosen.contains($0) || (binding.isQuit && forQuit.contains($0))
            }
        }
        if let help = bindings.firstIndex(where: \.isHelp), keys[help]?.isEmpty == true {
            for place in keys.indices { keys[place]?.removeAll { $0 == .function(1) } }
            keys[help] = [.function(1)]
        }
        return zip(bindings, keys).compactMap { binding, keys in
            let isTyped = binding.keys.isEmpty
            return isTyped || keys?.isEmpty == false ? binding.with(keys ?? []) : nil
        }
    }
}

extension KeyBinding {
    fileprivate var isHelp: Bool { if case .help = action { true } else { false } }
    fileprivate var isQuit: Bool { if case .quit = action { true } else { false } }
}
