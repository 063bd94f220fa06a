// Colours and attributes by their names.
import Testing

@testable import TerminalList

@Suite struct ThemeTests {
    @Test func `every colour is found again by its name`() {
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
    func `what is no colour has none`(name: String) {
        #expect(Theme.Color(name: name) == nil)
    }

    @Test func `a look is found again by its words`() {
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
    func `what is no look has none`(words: String) {
        #expect(Theme.Look(words) == nil)
    }

    @Test func `themes and tones are found by their names`() {
        #expect(Theme.names.map { Theme.named($0) } == [.standard, .bright, .mono])
        #expect(Theme.named("dark") == nil)
        for tone in Style.Tone.allCases { #expect(Style.Tone(name: tone.name) == tone) }
        #expect(Style.Tone(name: "better") == nil)
    }

    @Test func `a theme without colours has none`() {
        #expect(Style.Tone.allCases.allSatisfy { Theme.mono[$0].color == .none })
    }

    @Test func `without colours a theme's attributes stay`() {
        var theme = Theme.bright
        theme[.caution] = Theme.Look(.palette(200), .underline)
        let palette = Palette(theme, usesColor: false)
        let plain = palette.attributes(of: .plain)
        for tone in [Style.Tone.good, .bad, .caution, .accent] {
            let look = palette.attributes(of: Style(tone: tone))
            #expect(look.pair == 0)
            #expect(look.attributes != plain.attributes, "\(tone) is told by its attributes")
        }
    }

    /// What has arrived, changed or left is told by a sign, however it looks.
    @Test func `state is told without any colour or attribute`() {
        let list = ListFixture()
        list.show(["a", "b"], animating: false)
        list.draw()
        list.show(["b", "c"], changed: ["b"])
        #expect(list.names() == [" - a", " ~ b", " + c"])
    }
}
