// swift-tools-version: 6.2
// DiffCore beside DifferenceKit and swift-collections: a package of its own, as peerlist uses none from outside.
import PackageDescription

let package = Package(
    name: "DiffRivals",
    dependencies: [
        .package(name: "peerlist", path: "../.."),
        .package(url: "https://github.com/ra1028/DifferenceKit", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-collections", branch: "main"),
    ],
    targets: [
        .executableTarget(
            name: "DiffRivals",
            dependencies: [
                .product(name: "DiffCore", package: "peerlist"),
                .product(name: "DifferenceKit", package: "DifferenceKit"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ], path: "Sources", swiftSettings: [.strictMemorySafety()])
    ],
    swiftLanguageModes: [.v6]
)
