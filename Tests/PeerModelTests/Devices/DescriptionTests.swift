// Tests what is read from the descriptions of devices of UPnP and WS-Discovery.
import PeerModel
import PeerListTestSupport
import Testing

@Suite struct DescriptionTests {
    /// Returns the profile of a device without a host name.
    private func profile(_ type: String, _ txt: [String]) -> DeviceProfile {
        DeviceProfile(services: [Service(type, "4d696e69", txt)], host: "")
    }

    @Test(arguments: [
        ("[TV] Den", "P1", "Den"), ("[TV][LG]42LB", "P1", "42LB"), ("[TV]", "P1", "[TV]"),
        ("10.0.0.1 - Den - RINCON_949F3E01020304", "P1", "Den"), ("Box (10.0.0.1)", "P1", "Box"),
        ("Box (attic)", "P1", "Box (attic)"), ("Box UPnP/1.0 Box 1.2", "P1", "Box"),
        ("PC-1: ann:", "P1", "PC-1"), ("Den - P1 Media Renderer", "P1", "Den"), ("P1", "P1", "P1"),
        ("P1: Den", "P1", "Den"), ("Den:P1", "P1", "Den"), ("Ann (PC-1 : P1)", "P1", "PC-1"),
        ("Den DLNA Server", "P1", "Den"), ("10.0.0.1 - P1", "P1", "P1"),
    ])
    func `a name is told without what the device puts around it`(
        friendly: String, model: String, name: String
    ) {
        for type in ["upnp:MediaServer:1", "upnp:MediaRenderer:1"] {
            let profile = profile(type, ["friendlyName=\(friendly)", "modelName=\(model)"])
            #expect(profile.name?.value == name, "\(type)")
        }
    }

    @Test(arguments: [
        ("Smart TV", "UR73003", "UR73003"), ("Smart TV", "1.0", "Smart TV"),
        ("Smart TV", "AllShare1.0", "Smart TV"), ("One", "S13", "One"),
        ("SoundTouch 10", "BST10", "SoundTouch 10"), ("", "DS216+", "DS216+"), ("", "12", "-"),
    ])
    func `the number of a model is told if its name tells less`(
        model: String, number: String, shown: String
    ) {
        let profile = profile("upnp:Basic:1", ["modelName=\(model)", "modelNumber=\(number)"])
        #expect(profile.model?.value ?? "-" == shown)
    }

    @Test(arguments: [
        ("modelName=TV-Set", DeviceKind.tv), ("modelDescription=AV Receiver", .speaker),
        ("manufacturer=Denon", .speaker), ("modelName=TVMill", .mediaPlayer),
        ("modelName=Blu-ray Disc Player", .mediaPlayer), ("server=WebOS/1.5 UPnP/1.0", .tv),
        ("modelName=Windows Media Player", .computer),
    ])
    func `words of its description tell what kind a renderer is`(txt: String, kind: DeviceKind) {
        #expect(profile("upnp:MediaRenderer:1", [txt]).kind?.value == kind)
    }

    @Test(arguments: ["upnp:MediaServer:1", "wsd:pub:Computer"])
    func `the model and maker of a program are not those of its computer`(type: String) {
        for program in ["MiniDLNA", "wsdd", "Microsoft Publication Service"] {
            let profile = profile(type, ["modelName=\(program)", "manufacturer=Acme"])
            #expect(profile.model == nil && profile.maker == nil, "\(program)")
            #expect(profile.kind?.value == .computer, "\(program)")
        }
        #expect(profile(type, ["modelName=P1", "manufacturer=Acme"]).maker?.value == "Acme")
    }

    @Test func `a maker that is not told is the first word of a name`() {
        func maker(_ model: String) -> String? {
            profile("upnp:Basic:1", ["modelName=\(model)"]).maker?.value
        }
        #expect(maker("Panasonic VIErA") == "Panasonic" && maker("Philips TV DMR") == "Philips")
        #expect(maker("Thing by Panasonic") == nil)
    }
}
