// Tests of the names of colours, looks and themes.
import Glibc
import TerminalList
import Testing

@Suite struct ThemeTests {
    @Test func `every colour is found by its name`() {
        for number in UInt8.min...UInt8.max {
            let color = Theme.Color.palette(number)
            #expect(Theme.Color(name: color.name) == color)
        }
        #expect(Theme.Color(name: "none") == Theme.Color.none)
        #expect(Theme.Color(name: "bright-red") == .palette(9))
        #expect(Theme.Color(name: "9") == .palette(9))
        #expect(Theme.Color(name: "green/114") == .graded(2, fine: 114))
        #expect(Theme.Color(name: "none/245") == .graded(nil, fine: 245))
        #expect(
            ["/3", "red/", "red/256", "red/03", "1/2/3"].allSatisfy { Theme.Color(name: $0) == nil }
        )
    }

    @Test(arguments: ["", "256", "-1", "+1", "01", "bright-", "bright-none", "Green", "grün"])
    func `an invalid colour is rejected`(name: String) {
        #expect(Theme.Color(name: name) == nil)
    }

    @Test func `every look is parsed from its description`() {
        for raw in UInt8(0)..<16 {
            for color in [
                Theme.Color.none, .palette(3), .palette(200), .graded(1, fine: 9),
                .graded(nil, fine: 240),
            ] {
                let look = Theme.Look(color, Style.Attributes(rawValue: raw))
                #expect(Theme.Look(look.description) == look)
            }
        }
        #expect(Theme.Look("bold green") == Theme.Look(.palette(2), .bold))
        #expect(Theme.Look("underline") == Theme.Look(.none, .underline))
    }

    @Test(arguments: ["", " ", "green red", "blink", "bold,green", "green bold x"])
    func `an invalid look is rejected`(words: String) {
        #expect(Theme.Look(words) == nil)
    }

    @Test func `themes and tones are found by name`() {
        #expect(Theme.names.map { Theme.named($0) } == [.standard, .bright, .light, .mono])
        #expect(Theme.named("dark") == nil)
        for tone in Style.Tone.allCases { #expect(Style.Tone(name: tone.name) == tone) }
        #expect(Style.Tone(name: "better") == nil)
    }

    @Test func `the mono theme has no colours`() {
        #expect(Style.Tone.allCases.allSatisfy { Theme.mono[$0].color == .none })
    }

    /// Returns the contrast of a colour of xterm's palette to white (WCAG 2.2, relative luminance).
    private func contrastToWhite(_ number: UInt8) -> Double {
        let ordinary: [[Double]] = [
            [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205],
            [0, 205, 205], [229, 229, 229], [127, 127, 127], [255, 0, 0], [0, 255, 0],
            [255, 255, 0], [92, 92, 255], [255, 0, 255], [0, 255, 255], [255, 255, 255],
        ]
        let levels: [Double] = [0, 95, 135, 175, 215, 255]
        let index = Int(number)
        let parts: [Double] =
            switch index {
            case ..<16: ordinary[index]
            case 232...: Array(repeating: Double(8 + 10 * (index - 232)), count: 3)
            default: [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map { levels[$0] }
            }
        let linear = parts.map { part in
            let value = part / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 1.05 / (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)
    }

    @Test(arguments: Style.Tone.allCases)
    func `the light theme can be read on white`(tone: Style.Tone) {
        let look = Theme.light[tone]
        #expect(!look.attributes.contains(.dim))
        for name in look.color.name.split(separator: "/") where name != "none" {
            let color = Theme.Color(name: String(name))
            let number = (0...UInt8.max).first { Theme.Color.palette($0) == color }
            #expect(contrastToWhite(number ?? 255) >= 4.5, "\(name)")
        }
        #expect(contrastToWhite(244) < 4.5 && contrastToWhite(0) > 20)
    }

    @Test(arguments: [Theme.standard, .bright, .light])
    func `categories have colours on terminals with 256 only, each another one`(theme: Theme) {
        let categories = Style.Tone.allCases.filter { $0.name.hasPrefix("category") }
        let looks = categories.map { theme[$0].description }
        #expect(looks.count == 6)
        #expect(looks.allSatisfy { $0.hasPrefix("none/") })
        #expect(Set(looks).count == looks.count)
    }

    @Test func `changes are visible without colours and attributes`() {
        let list = ListFixture()
        list.show(["a", "b"], animating: false)
        list.draw()
        list.show(["b", "c"], changed: ["b"])
        #expect(list.names() == [" - a", " ~ b", " + c"])
    }
}
