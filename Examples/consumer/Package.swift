// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Your package names a version instead: .package(url: "…/slipcast.git", from: "0.1.0").
    .package(name: "slipcast", path: "../..")
  ],
  targets: [
    .executableTarget(name: "consumer", dependencies: [.product(name: "SlipcastKit", package: "slipcast")]),
    .testTarget(name: "ConsumerTests", dependencies: [.product(name: "SlipcastTesting", package: "slipcast")]),
  ],
  swiftLanguageModes: [.v6]
)
