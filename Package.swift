// swift-tools-version: 6.3
// The targets of peerlist, who may lean on whom, and the settings that all of them share.
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

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
        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .systemLibrary(name: "CAvahiCore", providers: [.apt(["libavahi-core-dev"])]),
        .systemLibrary(name: "CSeccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CLibUUID", providers: [.apt(["uuid-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"])]),
        .systemLibrary(
            name: "CNetlinkRoute", pkgConfig: "libnl-route-3.0",
            providers: [.apt(["libnl-route-3-dev"])]),
        .systemLibrary(name: "CResolv", providers: [.apt(["libc6-dev"])]),
        .systemLibrary(name: "CMalloc", providers: [.apt(["libc6-dev"])]),
        .target(name: "CSteadyTime", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CSpawn", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CProgram", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CMosquitto", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "CTerminalGuard", dependencies: ["CSpawn"],
            cSettings: [.treatAllWarnings(as: .error)]),

        .target(name: "DiffCore", swiftSettings: strict),
        .target(name: "UIKitNames", dependencies: ["DiffCore"], swiftSettings: strict),
        .target(
            name: "TerminalList", dependencies: ["DiffCore", "CNcurses", "CTerminalGuard"],
            swiftSettings: strict),
        .target(name: "DNSMessages", dependencies: ["CResolv"], swiftSettings: strict),
        .target(name: "StackProtocol", swiftSettings: strict),
        .target(name: "PeerSystem", swiftSettings: strict),
        .target(
            name: "PeerModel", dependencies: ["PeerSystem", "DiffCore", "CLibUUID"],
            swiftSettings: strict),
        .target(
            name: "PeerList",
            dependencies: [
                "PeerModel", "PeerSystem", "DNSMessages", "StackProtocol", "CAvahi",
                "CNetlinkRoute", "CSpawn",
            ],
            swiftSettings: strict),
        .target(name: "PeerHappenings", dependencies: ["PeerModel"], swiftSettings: strict),
        .target(
            name: "PeerRecording",
            dependencies: ["PeerHappenings", "PeerSystem", "PeerModel", "DiffCore", "CZlib"],
            swiftSettings: strict),
        .target(
            name: "PeerCapture",
            dependencies: [
                "PeerHappenings", "PeerModel", "PeerRecording", "DNSMessages", "StackProtocol",
                "DiffCore",
            ],
            swiftSettings: strict),
        .target(
            name: "PeerFleet",
            dependencies: ["PeerModel", "PeerRecording", "DiffCore", "CMosquitto"],
            swiftSettings: strict),
        .executableTarget(
            name: "PeerListStack",
            dependencies: [
                "DNSMessages", "StackProtocol", "CAvahiCore", "CSeccomp", "CSteadyTime",
            ],
            swiftSettings: strict),
        .target(
            name: "PeerText",
            dependencies: [
                "PeerHappenings",
                "PeerSystem", "PeerModel", "PeerRecording", "TerminalList", "CUnistring",
            ],
            swiftSettings: strict),
        .target(
            name: "PeerSession",
            dependencies: [
                "PeerHappenings",
                "PeerText", "PeerSystem", "PeerModel", "PeerList", "PeerRecording", "PeerFleet",
                "DiffCore",
                "TerminalList",
            ],
            swiftSettings: strict),
        .target(
            name: "PeerScreen",
            dependencies: [
                "PeerHappenings",
                "PeerSession", "PeerText", "PeerSystem", "PeerModel", "PeerRecording", "PeerFleet",
                "TerminalList", "DiffCore",
            ],
            swiftSettings: strict),
        .target(
            name: "PeerReport",
            dependencies: [
                "PeerExpect", "PeerHappenings", "PeerSession", "PeerText", "PeerSystem",
                "PeerModel",
                "PeerRecording", "DiffCore",
            ],
            swiftSettings: strict),
        .target(
            name: "PeerExport",
            dependencies: [
                "PeerHappenings", "PeerSession", "PeerText", "PeerSystem", "PeerModel",
                "PeerRecording",
            ],
            swiftSettings: strict),
        .target(
            name: "PeerExpect",
            dependencies: [
                "PeerHappenings", "PeerSession", "PeerText", "PeerSystem", "PeerModel",
                "PeerRecording",
            ],
            swiftSettings: strict),
        .target(
            name: "PeerDoctor",
            dependencies: [
                "PeerSession", "PeerText", "PeerSystem", "PeerModel", "PeerList", "PeerRecording",
                "PeerFleet",
                "DNSMessages", "TerminalList",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "PeerListCommand",
            dependencies: [
                "PeerHappenings",
                "PeerDoctor", "PeerScreen", "PeerReport", "PeerExport", "PeerExpect", "PeerSession",
                "PeerText", "PeerSystem", "PeerModel", "PeerList", "PeerRecording", "PeerCapture",
                "PeerFleet",
                "TerminalList", "CMalloc", "CProgram",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "DiffBench", dependencies: ["DiffCore"], path: "Benchmarks/DiffBench",
            exclude: ["ratios.txt"], swiftSettings: strict),
        .executableTarget(
            name: "LineBench", dependencies: ["PeerModel", "PeerRecording", "DiffCore"],
            path: "Benchmarks/LineBench", swiftSettings: strict),

        .executableTarget(
            name: "MountainSearch", dependencies: ["TerminalList", "DiffCore"],
            path: "Examples/MountainSearch", swiftSettings: strict),
        .executableTarget(
            name: "WiFiSettings", dependencies: ["TerminalList", "DiffCore"],
            path: "Examples/WiFiSettings", swiftSettings: strict),
        .executableTarget(
            name: "InsertionSort", dependencies: ["TerminalList", "DiffCore"],
            path: "Examples/InsertionSort", swiftSettings: strict),
        .executableTarget(
            name: "Recipes", dependencies: ["TerminalList", "DiffCore"],
            path: "Examples/Recipes", swiftSettings: strict),
        .executableTarget(
            name: "FindPeers", dependencies: ["PeerList"], path: "Examples/FindPeers",
            swiftSettings: strict),
        .executableTarget(
            name: "Sidebar", dependencies: ["TerminalList", "DiffCore"],
            path: "Examples/Sidebar", swiftSettings: strict),

        .executableTarget(
            name: "TerminalListDemo", dependencies: ["TerminalList", "DiffCore"],
            path: "Tests/TerminalListDemo", swiftSettings: strict),
        .executableTarget(
            name: "DeviceJudge", dependencies: ["PeerListTestSupport"],
            path: "Tests/DeviceJudge", swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .target(
            name: "PeerListTestSupport", dependencies: ["PeerModel", "PeerRecording", "DiffCore"],
            path: "Tests/PeerListTestSupport", swiftSettings: strict),
        .testTarget(
            name: "DiffCoreTests", dependencies: ["DiffCore", "TestSupport", "CMalloc"],
            swiftSettings: strict),
        .testTarget(
            name: "ArticleTests", dependencies: ["UIKitNames", "DiffCore", "LabSupport"],
            exclude: ["Ported"], swiftSettings: strict),
        .testTarget(
            name: "TerminalListTests",
            dependencies: [
                "TerminalList", "TerminalListDemo", "UIKitNames", "DiffCore", "TestSupport",
                "LabSupport",
            ],
            exclude: ["Screens"], swiftSettings: strict),
        .testTarget(
            name: "PeerSystemTests", dependencies: ["PeerSystem", "LabSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DNSMessagesTests", dependencies: ["DNSMessages", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PeerModelTests",
            dependencies: [
                "PeerSystem", "PeerModel", "DiffCore", "TestSupport",
                "PeerListTestSupport",
                "LabSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PeerListTests",
            dependencies: [
                "PeerSystem", "PeerModel", "PeerList", "DNSMessages", "StackProtocol", "DiffCore",
                "TestSupport",
                "PeerListTestSupport",
                "LabSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PeerHappeningsTests",
            dependencies: ["PeerHappenings", "PeerModel", "PeerListTestSupport", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PeerRecordingTests",
            dependencies: [
                "PeerHappenings",
                "PeerSystem", "PeerRecording", "PeerModel", "DiffCore", "TestSupport",
                "PeerListTestSupport",
                "LabSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PeerCaptureTests",
            dependencies: [
                "PeerCapture", "PeerHappenings", "PeerModel", "PeerRecording", "DNSMessages",
                "PeerListTestSupport", "LabSupport", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PeerFleetTests",
            dependencies: [
                "PeerFleet", "PeerModel", "PeerRecording", "DiffCore", "TestSupport",
                "PeerListTestSupport", "LabSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PeerTextTests",
            dependencies: [
                "PeerHappenings", "PeerText", "PeerModel", "PeerRecording", "TerminalList",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PeerSessionTests",
            dependencies: [
                "PeerHappenings",
                "PeerSession", "PeerText", "PeerSystem", "PeerFleet", "TerminalList", "PeerModel",
                "PeerRecording", "PeerListTestSupport", "LabSupport", "TestSupport", "DiffCore",
            ],
            exclude: ["Screens"], swiftSettings: strict),
        .testTarget(
            name: "PeerScreenTests",
            dependencies: [
                "PeerReport",
                "PeerHappenings",
                "PeerScreen", "PeerSession", "PeerText", "PeerFleet", "TerminalList", "PeerModel",
                "PeerRecording", "PeerListTestSupport", "LabSupport", "TestSupport", "DiffCore",
            ],
            exclude: ["Screens"], swiftSettings: strict),
        .testTarget(
            name: "PeerReportTests",
            dependencies: [
                "PeerHappenings",
                "PeerReport", "PeerExpect", "PeerSession", "PeerText", "PeerModel", "PeerRecording",
                "PeerListTestSupport", "LabSupport", "TestSupport", "DiffCore",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PeerExportTests",
            dependencies: [
                "PeerHappenings",
                "PeerExport", "PeerSession", "PeerText", "PeerModel", "PeerRecording",
                "PeerListTestSupport", "LabSupport", "TestSupport", "DiffCore",
            ],
            exclude: ["Screens"], swiftSettings: strict),
        .testTarget(
            name: "PeerExpectTests",
            dependencies: [
                "PeerHappenings",
                "PeerExpect", "PeerSession", "PeerText", "PeerModel", "PeerRecording",
                "PeerListTestSupport", "LabSupport", "TestSupport", "DiffCore",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PeerDoctorTests",
            dependencies: [
                "PeerDoctor", "PeerText", "PeerFleet", "PeerModel", "PeerList", "PeerRecording",
                "DNSMessages",
                "PeerListTestSupport", "LabSupport",
            ],
            exclude: ["Screens"], swiftSettings: strict),
        .testTarget(
            name: "PeerListCommandTests",
            dependencies: [
                "PeerHappenings",
                "PeerListCommand", "PeerDoctor", "PeerScreen", "PeerReport", "PeerExport",
                "PeerExpect", "PeerSession",
                "PeerText", "PeerSystem", "PeerFleet", "TerminalList", "PeerModel", "PeerList",
                "PeerRecording",
                "PeerListTestSupport", "LabSupport", "TestSupport", "DiffCore",
            ],
            exclude: ["Captures", "Screens"], swiftSettings: strict),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "MountainSearch", "WiFiSettings", "InsertionSort", "Recipes", "Sidebar",
                "TerminalList", "TestSupport", "LabSupport",
            ],
            exclude: ["Screens"], swiftSettings: strict),

        .executableTarget(
            name: "VerifyingPeerlist", dependencies: ["PeerList"],
            path: "Tests/VerifyingPeerlist", swiftSettings: strict),
        .target(
            name: "LabSupport", dependencies: ["CSpawn"], path: "Tests/LabSupport",
            swiftSettings: strict),
        .testTarget(
            name: "GroundTests", dependencies: ["LabSupport"], swiftSettings: strict),
        .testTarget(
            name: "LANTests",
            dependencies: [
                "PeerModel", "PeerRecording", "PeerListCommand", "PeerListStack",
                "VerifyingPeerlist", "FindPeers", "LabSupport", "PeerListTestSupport",
            ],
            exclude: ["Screens"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
