// swift-tools-version: 6.3
// A list of GTK 4 that a data source drives: a package of its own, so that peerlist builds without GTK.
import PackageDescription

let package = Package(
    name: "gtk-list",
    dependencies: [.package(name: "peerlist", path: "../..")],
    targets: [
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .executableTarget(
            name: "GTKList",
            dependencies: ["CGTK", .product(name: "DiffCore", package: "peerlist")]),
    ]
)
