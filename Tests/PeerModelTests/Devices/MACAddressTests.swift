// Tests parsing and classifying MAC addresses.
import PeerModel
import Testing

@Suite struct MACAddressTests {
    @Test(arguments: [
        "aabbccddeeff", "AABBCCDDEEFF", "aa:bb:cc:dd:ee:ff", "AA-BB-CC-DD-EE-FF", "aabb.ccdd.eeff",
    ])
    func `an address is 12 hexadecimal digits, however they are grouped`(text: String) {
        #expect(MACAddress(text)?.description == "aabbccddeeff")
        #expect(MACAddress(text) == MACAddress(bytes: [0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff]))
    }

    @Test(arguments: [
        "", "0", "00", ":", "aabbccddeef", "aabbccddeeff0", "aabbccddeefg", "+abbccddeeff",
        "aa:bb:cc:dd:ee", "aa:bb:cc:dd:ee:ff:00", "aa:bb:cc:dd:ee:ff:", "aa:bb-cc:dd:ee:ff",
        "a:bbb:cc:dd:ee:ff", "aabb:ccdd:eeff", "aa.bb.cc.dd.ee.ff", "aabbcc-ddeeff",
        "aa bb cc dd ee ff", "ａabbccddeeff", "::::::::::::",
    ])
    func `other text is no address`(text: String) {
        #expect(MACAddress(text) == nil)
    }

    @Test(arguments: ["000000000000", "01005e0000fb", "3333000000fb", "ffffffffffff"])
    func `zeros and multicast addresses are no address of an interface`(text: String) {
        #expect(MACAddress(text) == nil)
    }

    @Test func `other numbers of bytes than six are no address`() {
        #expect(MACAddress(bytes: [1, 2, 3, 4, 5]) == nil)
        #expect(MACAddress(bytes: [UInt8](repeating: 2, count: 8)) == nil)
        #expect(MACAddress(bytes: [0, 0, 0, 0, 0, 1])?.description == "000000000001")
    }

    @Test func `the second lowest bit of the first byte marks locally administered addresses`() {
        #expect(MACAddress("001122334455")?.isUniversal == true)
        #expect(MACAddress("021122334455")?.isUniversal == false)
        #expect(MACAddress("ae1122334455")?.isUniversal == false)
    }
}
