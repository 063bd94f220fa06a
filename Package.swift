// swift-tools-version: 6.2
// The targets of peerlist, the modules that each of them imports, and the settings that all of them share.
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// Small, and where programs spend their time: messages, files, differences.
let hot: Set = [
    "DNSMessages", "DiffCore", "HeardRecords", "PeerListStack", "PeerSystem", "SilentMessages",
    "SilentProtocol", "StackProtocol", "TerminalText",
]

/// The settings of a target of Swift.
///
/// A release build for the tests (Scripts/run-tests) optimises the hot targets only: to optimise all takes the compiler
/// longer than the tests save.
func settings(of target: String) -> [SwiftSetting] {
    guard Context.environment["PEERLIST_TESTS"] != nil, !hot.contains(target) else { return strict }
    return strict + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]
}

// A target of Swift lists exactly the modules that its files import. The compiler lets a target import all that is
// below it, listed or not, so Scripts/check-borders compares the lists with the files.

/// A library of this package.
func room(
    _ name: String, _ imports: String..., in folder: String? = nil, embedding files: [String] = []
) -> Target {
    .target(
        name: name, dependencies: imports.map { .target(name: $0) }, path: folder,
        resources: files.map { .embedInCode($0) }, swiftSettings: settings(of: name))
}

/// A program of this package; what it links without importing it replaces functions of the C library.
func program(
    _ name: String, _ imports: String..., linking linked: [String] = [],
    in folder: String? = nil, without others: [String] = [], embedding files: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: (imports + linked).map { .target(name: $0) }, path: folder,
        exclude: others, resources: files.map { .embedInCode($0) },
        swiftSettings: settings(of: name))
}

/// Tests, and the programs that they start.
func tests(
    _ name: String, _ imports: String..., starting programs: [String] = [],
    without others: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: (imports + programs).map { .target(name: $0) }, exclude: others,
        swiftSettings: settings(of: name))
}

/// A C library of the system, and the Debian package with its headers.
func library(_ name: String, from package: String) -> Target {
    .systemLibrary(name: name, providers: [.apt([package])])
}

/// C of this package.
func c(_ name: String, _ includes: String..., linking libraries: [String] = []) -> Target {
    .target(
        name: name, dependencies: includes.map { .target(name: $0) },
        cSettings: [.treatAllWarnings(as: .error)],
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

let package = Package(
    name: "peerlist",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "peerlist", targets: ["PeerListCommand"]),
        .executable(name: "peerlist-mdns", targets: ["PeerListStack"]),
        .library(name: "PeerList", targets: ["PeerList"]),
        .library(name: "PeerRecording", targets: ["PeerRecording"]),
        .library(name: "TerminalList", targets: ["TerminalList"]),
        .library(name: "DiffCore", targets: ["DiffCore"]),
        .library(name: "UIKitNames", targets: ["UIKitNames"]),

        .executable(name: "mountain-search", targets: ["MountainSearch"]),
        .executable(name: "wifi-settings", targets: ["WiFiSettings"]),
        .executable(name: "insertion-sort", targets: ["InsertionSort"]),
        .executable(name: "recipes", targets: ["Recipes"]),
        .executable(name: "sidebar", targets: ["Sidebar"]),
        .executable(name: "find-peers", targets: ["FindPeers"]),
    ],
    targets: [
        // C
        library("CAvahiCore", from: "libavahi-core-dev"),
        library("CSeccomp", from: "libseccomp-dev"),
        library("CNcurses", from: "libncurses-dev"),
        library("CZlib", from: "zlib1g-dev"),
        library("CUnistring", from: "libunistring-dev"),
        library("CExpat", from: "libexpat1-dev"),
        library("CResolv", from: "libc6-dev"),
        library("CMalloc", from: "libc6-dev"),
        c("CSteadyTime"),
        c("COlderGlibc"),
        c("CSpawn"),
        c("CProgram"),
        c("CNetlink"),
        c("CLoader"),
        c("CAvahi", "CLoader", linking: ["avahi-common"]),
        c("CMosquitto", "CLoader"),
        c("CTerminalText"),
        c("CTerminalGuard", "CSpawn"),

        // Lists that know no peers
        room("DiffCore"),
        room("UIKitNames", "DiffCore"),
        room("TerminalText", "CTerminalText"),
        room(
            "TerminalList", "CNcurses", "CTerminalGuard", "DiffCore", "TerminalText",
            embedding: [
                "Terminal/Descriptions/linux", "Terminal/Descriptions/screen-256color",
                "Terminal/Descriptions/xterm-256color",
            ]),

        // What is known, what happened, and its words
        room("PeerSystem", "CSpawn"),
        room("PeerModel", "DiffCore"),
        room("PeerHappenings", "PeerModel"),
        room(
            "PeerRecording", "CZlib", "DiffCore", "PeerCapture", "PeerHappenings", "PeerModel",
            "PeerSystem"),
        room(
            "PeerText", "CUnistring", "DiffCore", "PeerHappenings", "PeerModel", "PeerRecording",
            "PeerSystem", "TerminalText"),
        room(
            "PeerLedger", "PeerHappenings", "PeerModel", "PeerRecording", "PeerSystem", "PeerText",
            "TerminalText"),

        // Sources: the link, captures, the fleet. The helper process reads what strangers send.
        room("DNSMessages", "CResolv"),
        room("SilentMessages", "CExpat"),
        room("HeardRecords", "DNSMessages", "PeerModel"),
        room("StackProtocol"),
        room("SilentProtocol", "SilentMessages", "StackProtocol"),
        program(
            "PeerListStack", "CAvahiCore", "CSeccomp", "DNSMessages", "SilentMessages",
            "SilentProtocol", "StackProtocol",
            linking: ["COlderGlibc", "CSteadyTime"]),
        room(
            "PeerList", "CAvahi", "CNetlink", "DNSMessages", "HeardRecords", "PeerModel",
            "PeerSystem", "StackProtocol"),
        room("SilentDevices", "DNSMessages", "PeerModel", "SilentMessages"),
        room(
            "PeerSilent", "PeerList", "PeerModel", "PeerSystem", "SilentDevices", "SilentMessages",
            "SilentProtocol", "StackProtocol"),
        room(
            "PeerCapture", "DNSMessages", "HeardRecords", "PeerModel", "SilentDevices",
            "SilentMessages"),
        room(
            "PeerFleet", "CMosquitto", "PeerHappenings", "PeerModel", "PeerRecording", "PeerSystem"),

        // The session, and its outputs
        room(
            "PeerSession", "DiffCore", "PeerFleet", "PeerHappenings", "PeerLedger", "PeerList",
            "PeerModel", "PeerRecording", "PeerSystem", "PeerText", "TerminalText"),
        room(
            "PeerHooks", "PeerHappenings", "PeerModel", "PeerRecording", "PeerSystem", "PeerText"),
        room(
            "PeerScreen", "DiffCore", "PeerHappenings", "PeerHooks", "PeerLedger", "PeerModel",
            "PeerRecording", "PeerSession", "PeerSystem", "PeerText", "TerminalList"),
        room(
            "PeerExport", "PeerHappenings", "PeerModel", "PeerRecording", "PeerSystem", "PeerText"),
        room(
            "PeerExpect", "PeerHappenings", "PeerHooks", "PeerLedger", "PeerModel", "PeerRecording",
            "PeerSystem", "PeerText"),
        room(
            "PeerReport", "PeerExpect", "PeerHappenings", "PeerModel", "PeerRecording",
            "PeerSystem", "PeerText", "TerminalText"),

        // The command
        room(
            "PeerDoctor", "DNSMessages", "PeerFleet", "PeerLedger", "PeerList", "PeerModel",
            "PeerRecording", "PeerSilent", "PeerSystem", "PeerText", "TerminalText"),
        program(
            "PeerListCommand", "CMalloc", "CProgram", "PeerDoctor", "PeerExpect",
            "PeerExport", "PeerFleet", "PeerHooks", "PeerLedger", "PeerList", "PeerModel",
            "PeerRecording", "PeerReport", "PeerScreen", "PeerSession", "PeerSilent", "PeerSystem",
            "PeerText", "TerminalList", linking: ["COlderGlibc"], embedding: ["Demo/demo.pcap"]),

        // Examples and benchmarks
        program("MountainSearch", "DiffCore", "TerminalList", in: "Examples/MountainSearch"),
        program("WiFiSettings", "DiffCore", "TerminalList", in: "Examples/WiFiSettings"),
        program("InsertionSort", "DiffCore", "TerminalList", in: "Examples/InsertionSort"),
        program("Recipes", "DiffCore", "TerminalList", in: "Examples/Recipes"),
        program("Sidebar", "DiffCore", "TerminalList", in: "Examples/Sidebar"),
        program("FindPeers", "PeerList", in: "Examples/FindPeers"),
        program(
            "DiffBench", "DiffCore", in: "Benchmarks/DiffBench",
            without: ["README.md", "ratios.txt"]),
        program(
            "LineBench", "DiffCore", "PeerModel", "PeerRecording", in: "Benchmarks/LineBench"),

        // What tests use
        room("TestSupport", in: "Tests/TestSupport"),
        room("LabSupport", "CSpawn", in: "Tests/LabSupport"),
        room(
            "PeerListTestSupport", "DiffCore", "PeerModel", "PeerRecording", "SilentDevices",
            "SilentMessages", in: "Tests/PeerListTestSupport"),
        program(
            "TerminalListDemo", "DiffCore", "TerminalList", in: "Tests/TerminalListDemo"),
        program("DeviceJudge", "PeerListTestSupport", in: "Tests/DeviceJudge"),
        program("VerifyingPeerlist", "PeerList", in: "Tests/VerifyingPeerlist"),

        // Tests
        tests("GroundTests", "LabSupport"),
        tests("DiffCoreTests", "CMalloc", "DiffCore", "TestSupport"),
        tests("ArticleTests", "DiffCore", "LabSupport", "UIKitNames", without: ["Ported"]),
        tests(
            "TerminalListTests", "DiffCore", "LabSupport", "TerminalList", "TestSupport",
            "UIKitNames", starting: ["TerminalListDemo"], without: ["Screens"]),
        tests(
            "ExamplesTests", "InsertionSort", "LabSupport", "MountainSearch", "Recipes", "Sidebar",
            "TerminalList", "TestSupport", "WiFiSettings", without: ["Screens"]),
        tests("PeerSystemTests", "LabSupport", "PeerSystem"),
        tests("DNSMessagesTests", "DNSMessages", "TestSupport"),
        tests("SilentMessagesTests", "SilentMessages", "TestSupport"),
        tests(
            "SilentDevicesTests", "PeerListTestSupport", "PeerModel", "SilentDevices",
            "SilentMessages"),
        tests("HeardRecordsTests", "DNSMessages", "HeardRecords", "PeerModel"),
        tests(
            "PeerModelTests", "DiffCore", "LabSupport", "PeerListTestSupport", "PeerModel",
            "TestSupport"),
        tests(
            "PeerHappeningsTests", "PeerHappenings", "PeerListTestSupport", "PeerModel",
            "TestSupport"),
        tests(
            "PeerRecordingTests", "DiffCore", "PeerListTestSupport", "PeerModel", "PeerRecording",
            "TestSupport"),
        tests(
            "PeerTextTests", "PeerListTestSupport", "PeerModel", "PeerRecording", "PeerText",
            "TerminalText", "TestSupport"),
        tests(
            "PeerLedgerTests", "LabSupport", "PeerHappenings", "PeerLedger", "PeerListTestSupport",
            "PeerModel", "PeerRecording", "PeerText", "TestSupport"),
        tests(
            "PeerListTests", "DNSMessages", "HeardRecords", "LabSupport", "PeerList",
            "PeerListTestSupport",
            "PeerSystem", "StackProtocol", "TestSupport"),
        tests(
            "PeerCaptureTests", "DNSMessages", "LabSupport", "PeerCapture", "PeerModel",
            "PeerRecording", "TestSupport"),
        tests(
            "PeerFleetTests", "DiffCore", "LabSupport", "PeerFleet", "PeerHappenings",
            "PeerListTestSupport", "PeerModel", "PeerRecording", "PeerSystem", "TestSupport"),
        tests(
            "PeerSessionTests", "DiffCore", "LabSupport", "PeerFleet", "PeerHappenings",
            "PeerLedger",
            "PeerListTestSupport", "PeerModel", "PeerRecording", "PeerSession", "PeerSystem",
            "PeerText", "TerminalText", without: ["Screens"]),
        tests(
            "PeerHooksTests", "DiffCore", "LabSupport", "PeerHappenings", "PeerHooks", "PeerLedger",
            "PeerListTestSupport", "PeerModel", "PeerRecording", "PeerText", "TestSupport"),
        tests(
            "PeerScreenTests", "DiffCore", "LabSupport", "PeerExport", "PeerFleet",
            "PeerHappenings", "PeerHooks", "PeerLedger", "PeerListTestSupport", "PeerModel",
            "PeerRecording", "PeerReport", "PeerScreen", "PeerSession", "PeerText", "TerminalList",
            "TestSupport",
            without: ["Screens"]),
        tests(
            "PeerExportTests", "LabSupport", "PeerExport", "PeerHappenings", "PeerListTestSupport",
            "PeerModel", "PeerRecording", "PeerText", "TestSupport", without: ["Screens"]),
        tests(
            "PeerExpectTests", "PeerExpect", "PeerHappenings", "PeerListTestSupport", "PeerModel",
            "PeerRecording", "PeerSession", "PeerText", "TestSupport"),
        tests(
            "PeerReportTests", "LabSupport", "PeerExpect", "PeerHappenings", "PeerListTestSupport",
            "PeerModel", "PeerRecording", "PeerReport", "PeerSession", "TestSupport"),
        tests(
            "PeerDoctorTests", "DNSMessages", "LabSupport", "PeerDoctor", "PeerFleet", "PeerList",
            "PeerListTestSupport", "PeerModel", "PeerRecording", "PeerSilent", "PeerText",
            without: ["Screens"]),
        tests(
            "PeerListCommandTests", "LabSupport", "PeerExpect", "PeerExport", "PeerFleet",
            "PeerHappenings", "PeerHooks", "PeerLedger", "PeerList", "PeerListCommand",
            "PeerListTestSupport", "PeerModel", "PeerRecording", "PeerReport", "PeerScreen",
            "PeerSession", "PeerText", "TerminalList", "TestSupport",
            without: ["Captures", "Screens"]),
        tests(
            "LANTests", "LabSupport", "PeerListTestSupport", "PeerModel", "PeerRecording",
            starting: ["FindPeers", "PeerListCommand", "PeerListStack", "VerifyingPeerlist"],
            without: ["Screens"]),
    ],
    swiftLanguageModes: [.v6]
)
