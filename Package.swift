// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Without Homebrew, headers and libraries are in the compiler's default folders. The package manager would ask pkg-config for
// every system library of this package, whichever product is used, and warn about missing ones.
#if os(macOS)
  func homebrew(_ name: String) -> String? { name }
#else
  func homebrew(_ name: String) -> String? { nil }
#endif

// On Linux these are loaded when they are needed (CSlipcastLater).
func linked(_ library: String) -> [LinkerSetting] { [.linkedLibrary(library, .when(platforms: [.macOS]))] }

let package = Package(
  name: "slipcast",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "SlipcastKit", targets: ["SlipcastKit"]),
    .library(name: "SlipcastSignatures", targets: ["SlipcastSignatures"]),
    .library(name: "SlipcastReceipts", targets: ["SlipcastReceipts"]),
    .library(name: "SlipcastBulk", targets: ["SlipcastBulk"]),
    .library(name: "SlipcastStores", targets: ["SlipcastStores"]),
    .library(name: "SlipcastNetwork", targets: ["SlipcastNetwork"]),
    .library(name: "SlipcastTesting", targets: ["SlipcastTesting"]),
    .executable(name: "slipcast", targets: ["slipcast"]),
  ],
  targets: [
    .systemLibrary(
      name: "CSlipcastSimdjson", pkgConfig: homebrew("simdjson"),
      providers: [.apt(["libsimdjson-dev"]), .brew(["simdjson"])]),
    .systemLibrary(
      name: "CSlipcastCrypto", pkgConfig: homebrew("libcrypto"),
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CSlipcastXML", pkgConfig: homebrew("libxml-2.0"), providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CSlipcastArchive", pkgConfig: homebrew("libarchive"),
      providers: [.apt(["libarchive-dev", "zlib1g-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CSlipcastSQLite", pkgConfig: homebrew("sqlite3"), providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CSlipcastPostgreSQL", pkgConfig: homebrew("libpq"), providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
      name: "CSlipcastMicroHTTPD", pkgConfig: homebrew("libmicrohttpd"),
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CSlipcastCurl", pkgConfig: homebrew("libcurl"),
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "CSlipcastLater"),
    .target(
      name: "CSlipcastJSON", dependencies: ["CSlipcastSimdjson"], linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "SlipcastLibC"),
    .target(name: "SlipcastSystem", dependencies: ["SlipcastLibC"]),
    .target(name: "SlipcastWire", dependencies: ["SlipcastSystem", "CSlipcastJSON", "SlipcastLibC"]),
    .target(name: "SlipcastDigest", dependencies: ["CSlipcastCrypto"]),
    .target(name: "SlipcastLegacy", dependencies: ["SlipcastWire"]),
    .target(name: "SlipcastV2", dependencies: ["SlipcastWire"]),
    .target(
      name: "CSlipcastRules", path: "Mappings", exclude: ["README.md", "rules", "schemas", "exports"],
      sources: ["embed.c"]),
    .target(
      name: "SlipcastMapping",
      dependencies: ["SlipcastWire", "SlipcastDigest", "SlipcastLegacy", "SlipcastV2", "CSlipcastRules"],
      exclude: ["README.md"]),
    .target(
      name: "SlipcastComparison",
      dependencies: ["SlipcastWire", "SlipcastLegacy", "SlipcastV2", "SlipcastMapping"], exclude: ["README.md"]),
    .target(
      name: "SlipcastReports",
      dependencies: ["CSlipcastXML", "SlipcastWire", "SlipcastMapping", "SlipcastComparison"],
      resources: [
        .embedInCode("Forms/HTML/page.css"), .embedInCode("Forms/HTML/page.js"),
      ]),
    .target(
      name: "SlipcastKit",
      dependencies: ["SlipcastWire", "SlipcastLegacy", "SlipcastV2", "SlipcastMapping", "SlipcastComparison"]),
    .target(
      name: "SlipcastSignatures",
      dependencies: ["SlipcastSystem", "CSlipcastCrypto", "SlipcastWire", "SlipcastV2"],
      exclude: ["README.md"],
      resources: [.embedInCode("Apple")]),
    .target(
      name: "SlipcastReceipts",
      dependencies: ["SlipcastWire", "SlipcastLegacy", "SlipcastV2", "SlipcastMapping", "SlipcastSignatures"]),
    .target(
      name: "SlipcastBulk",
      dependencies: [
        "SlipcastSystem", "CSlipcastArchive", "SlipcastLibC", "SlipcastWire", "SlipcastDigest", "SlipcastLegacy",
        "SlipcastV2",
        "SlipcastMapping",
        "SlipcastSignatures", "SlipcastReceipts",
      ],
      exclude: ["README.md"]),
    .target(
      name: "SlipcastStores",
      dependencies: [
        "SlipcastSystem", "CSlipcastSQLite", "CSlipcastPostgreSQL", "CSlipcastLater", "SlipcastWire", "SlipcastDigest",
        "SlipcastV2",
        "SlipcastMapping",
        "SlipcastBulk",
      ],
      exclude: ["README.md"], resources: [.embedInCode("SQL")], linkerSettings: linked("pq")),
    .target(
      name: "SlipcastNetwork",
      dependencies: [
        "CSlipcastCurl", "CSlipcastLater", "SlipcastLibC", "SlipcastWire", "SlipcastV2", "SlipcastSignatures",
      ], linkerSettings: linked("curl")),
    .target(
      name: "SlipcastOutlets",
      dependencies: [
        "SlipcastSystem", "SlipcastWire", "SlipcastDigest", "SlipcastLegacy", "SlipcastV2", "SlipcastMapping",
        "SlipcastSignatures",
        "SlipcastReceipts", "SlipcastBulk", "SlipcastStores", "SlipcastNetwork",
      ],
      exclude: ["README.md"]),
    .target(
      name: "SlipcastHTTP", dependencies: ["CSlipcastMicroHTTPD", "CSlipcastLater", "SlipcastLibC", "SlipcastSystem"],
      linkerSettings: linked("microhttpd")),
    .target(
      name: "SlipcastPages",
      dependencies: [
        "SlipcastSystem", "SlipcastHTTP", "SlipcastWire", "SlipcastDigest", "SlipcastV2", "SlipcastMapping",
        "SlipcastComparison", "SlipcastReports", "SlipcastBulk", "SlipcastStores", "SlipcastTimeline",
      ],
      exclude: ["README.md"], resources: [.embedInCode("Assets")]),
    .target(
      name: "SlipcastServer",
      dependencies: [
        "SlipcastSystem", "SlipcastHTTP", "SlipcastNetwork", "SlipcastLibC", "SlipcastWire", "SlipcastDigest",
        "SlipcastMapping",
        "SlipcastSignatures",
        "SlipcastReceipts", "SlipcastBulk", "SlipcastStores", "SlipcastOutlets",
      ],
      exclude: ["README.md"]),
    .target(
      name: "SlipcastFetch",
      dependencies: [
        "SlipcastSystem", "SlipcastNetwork", "SlipcastWire", "SlipcastDigest", "SlipcastLegacy", "SlipcastV2",
        "SlipcastMapping",
        "SlipcastSignatures", "SlipcastReceipts", "SlipcastBulk",
      ],
      exclude: ["README.md"]),
    .target(
      name: "SlipcastTimeline", dependencies: ["SlipcastWire", "SlipcastV2", "SlipcastMapping", "SlipcastBulk"],
      exclude: ["README.md"]),
    .target(
      name: "SlipcastParity",
      dependencies: [
        "SlipcastWire", "SlipcastMapping", "SlipcastComparison", "SlipcastBulk", "SlipcastStores",
        "SlipcastTimeline",
      ],
      exclude: ["README.md"]),
    .target(
      name: "SlipcastTesting",
      dependencies: [
        "SlipcastSystem", "SlipcastWire", "SlipcastV2", "SlipcastMapping", "SlipcastComparison", "SlipcastReports",
      ]),
    .target(name: "CSlipcastProcess"),
    .target(
      name: "SlipcastCommand",
      dependencies: [
        "SlipcastSystem", "CSlipcastProcess", "SlipcastLibC", "SlipcastWire", "SlipcastDigest", "SlipcastV2",
        "SlipcastMapping",
        "SlipcastComparison",
        "SlipcastReports", "SlipcastSignatures", "SlipcastReceipts", "SlipcastBulk", "SlipcastStores",
        "SlipcastTimeline", "SlipcastParity", "SlipcastNetwork", "SlipcastOutlets", "SlipcastServer", "SlipcastFetch",
        "SlipcastHTTP", "SlipcastPages",
      ],
      resources: [
        .embedInCode("Help/help.txt"), .embedInCode("Help/options.txt"), .embedInCode("Completions/completion.bash"),
        .embedInCode("Completions/completion.fish"), .embedInCode("Completions/completion.zsh"),
      ]),
    .executableTarget(name: "slipcast", dependencies: ["SlipcastCommand"]),
    .target(
      name: "CSlipcastBench", dependencies: ["CSlipcastSimdjson"], linkerSettings: [.linkedLibrary("simdjson")]),
    .executableTarget(
      name: "slipcast-bench",
      dependencies: [
        "SlipcastSystem", "CSlipcastBench", "CSlipcastCrypto", "SlipcastLibC", "SlipcastWire", "SlipcastLegacy",
        "SlipcastMapping",
        "SlipcastSignatures",
        "SlipcastReceipts", "SlipcastBulk",
      ],
      path: "Sources/SlipcastBench"),
    .target(
      name: "SlipcastTestSupport", dependencies: ["SlipcastLibC", "SlipcastWire", "SlipcastMapping", "SlipcastBulk"],
      path: "Tests/Support"),
    .target(
      name: "SlipcastFuzzTargets",
      dependencies: [
        "SlipcastWire", "SlipcastLegacy", "SlipcastV2", "SlipcastMapping", "SlipcastComparison", "SlipcastReports",
        "SlipcastSignatures", "SlipcastReceipts", "SlipcastBulk", "SlipcastStores", "SlipcastCommand",
        "SlipcastTestSupport",
      ],
      path: "Tests/fuzz/Targets"),
    .testTarget(
      name: "SlipcastFuzzTests", dependencies: ["SlipcastFuzzTargets", "SlipcastTestSupport"], path: "Tests/fuzz/Tests"),
    .testTarget(name: "SlipcastWireTests", dependencies: ["SlipcastWire", "SlipcastTestSupport"]),
    .testTarget(name: "SlipcastLegacyTests", dependencies: ["SlipcastWire", "SlipcastLegacy", "SlipcastTestSupport"]),
    .testTarget(name: "SlipcastV2Tests", dependencies: ["SlipcastWire", "SlipcastV2"]),
    .testTarget(
      name: "SlipcastMappingTests",
      dependencies: [
        "SlipcastWire", "SlipcastLegacy", "SlipcastV2", "SlipcastMapping", "SlipcastKit",
        "SlipcastTestSupport",
      ]),
    .testTarget(
      name: "SlipcastComparisonTests",
      dependencies: [
        "SlipcastWire", "SlipcastLegacy", "SlipcastV2", "SlipcastMapping", "SlipcastComparison", "SlipcastTestSupport",
      ]),
    .testTarget(
      name: "SlipcastReportsTests",
      dependencies: ["SlipcastV2", "SlipcastMapping", "SlipcastComparison", "SlipcastReports", "SlipcastTestSupport"]),
    .testTarget(
      name: "SlipcastSignaturesTests",
      dependencies: ["SlipcastWire", "SlipcastSignatures", "SlipcastTestSupport"]),
    .testTarget(
      name: "SlipcastReceiptsTests",
      dependencies: [
        "SlipcastWire", "SlipcastLegacy", "SlipcastMapping", "SlipcastKit", "SlipcastSignatures", "SlipcastReceipts",
        "SlipcastTestSupport",
      ]),
    .testTarget(
      name: "SlipcastBulkTests",
      dependencies: [
        "SlipcastSystem", "SlipcastWire", "SlipcastDigest", "SlipcastV2", "SlipcastMapping",
        "SlipcastSignatures",
        "SlipcastBulk",
        "SlipcastTestSupport",
      ]),
    .testTarget(
      name: "SlipcastStoresTests",
      dependencies: [
        "SlipcastSystem", "SlipcastWire", "SlipcastV2", "SlipcastMapping", "SlipcastBulk", "SlipcastStores",
        "SlipcastTestSupport",
      ]),
    .testTarget(
      name: "SlipcastTimelineTests",
      dependencies: [
        "SlipcastWire", "SlipcastV2", "SlipcastMapping", "SlipcastBulk", "SlipcastTimeline", "SlipcastTestSupport",
      ]),
    .testTarget(
      name: "SlipcastOutletsTests",
      dependencies: [
        "SlipcastWire", "SlipcastMapping", "SlipcastLegacy", "SlipcastReceipts", "SlipcastOutlets",
        "SlipcastTestSupport",
      ]),
    .testTarget(
      name: "SlipcastServerTests",
      dependencies: [
        "SlipcastSystem", "SlipcastHTTP", "SlipcastBulk", "SlipcastNetwork", "SlipcastServer", "SlipcastTestSupport",
      ]),
    .testTarget(
      name: "SlipcastPagesTests",
      dependencies: ["SlipcastHTTP", "SlipcastMapping", "SlipcastPages", "SlipcastReports", "SlipcastTestSupport"]),
    .testTarget(
      name: "SlipcastNetworkTests",
      dependencies: ["SlipcastWire", "SlipcastV2", "SlipcastSignatures", "SlipcastNetwork"]),
    .testTarget(
      name: "SlipcastFetchTests",
      dependencies: ["SlipcastNetwork", "SlipcastV2", "SlipcastBulk", "SlipcastFetch", "SlipcastWire"]),
    .testTarget(
      name: "SlipcastTestingTests",
      dependencies: ["SlipcastReports", "SlipcastTesting", "SlipcastTestSupport"]),
    .testTarget(
      name: "ParityExamples", dependencies: ["SlipcastTesting"], path: "Examples/testing",
      exclude: ["README.md", "Cases"]),
    .testTarget(
      name: "SlipcastParityTests",
      dependencies: [
        "SlipcastWire", "SlipcastV2", "SlipcastMapping", "SlipcastComparison", "SlipcastBulk", "SlipcastStores",
        "SlipcastParity", "SlipcastTestSupport",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "slipcast", "SlipcastCommand", "SlipcastWire", "SlipcastBulk", "SlipcastMapping",
        "SlipcastComparison",
        "SlipcastSignatures", "SlipcastV2", "SlipcastTimeline", "SlipcastOutlets", "SlipcastTestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// Ordinary builds do not contain libFuzzer. `make fuzz` sets this variable to `plain`, or to `address` for AddressSanitizer.
if Context.environment["SLIPCAST_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CSlipcastFuzzer", path: "Tests/fuzz/CSlipcastFuzzer"),
    .executableTarget(
      name: "slipcast-fuzz", dependencies: ["CSlipcastFuzzer", "SlipcastFuzzTargets"], path: "Tests/fuzz/Driver",
      // libFuzzer has its own `main`; the linker uses the first one.
      linkerSettings: [
        .unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld", "-Xlinker", "--allow-multiple-definition"])
      ]),
  ]
}

for target in package.targets where target.type != .system && !target.name.hasPrefix("CSlipcast") {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}

// `make test` compiles everything once: code whose speed the tests feel with optimization, the rest without. Dependent packages
// must not get such flags. Optimizing takes six times the time of compiling, so what only puts others together, waits for a
// network, or has no test that runs long, is left as it is. A module is compiled in one piece with its interface, and of others
// only this package is indexed (for tests of XCTest): what reads the same imports again takes more time than a test.
if Context.environment["SLIPCAST_OPTIMIZED"] != nil {
  let unhurried: Set = [
    "SlipcastFetch", "SlipcastNetwork", "SlipcastTesting", "SlipcastKit", "SlipcastHTTP", "SlipcastPages",
    "SlipcastServer", "SlipcastOutlets", "SlipcastReports", "SlipcastStores", "SlipcastCommand", "SlipcastFuzzTargets",
    "slipcast", "slipcast-bench",
  ]
  let whole = [
    "-wmo", "-num-threads", "2", "-disable-batch-mode", "-no-emit-module-separately-wmo",
    "-index-ignore-system-modules",
  ]
  for target in package.targets where target.type != .system {
    if target.name.hasPrefix("CSlipcast") {
      target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-O2"])]
      target.cxxSettings = (target.cxxSettings ?? []) + [.unsafeFlags(["-O2"])]
    } else {
      let isHurried = target.type != .test && !unhurried.contains(target.name)
      let flags = whole + (isHurried ? ["-O", "-DOPTIMIZED"] : [])
      target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
    }
  }
}

// Only code under test has counters, one byte for each branch: no checks, no server, no code of others. Comparisons are not
// traced; that takes more time than it saves with words at hand.
if let kind = Context.environment["SLIPCAST_FUZZ"] {
  let counters = "edge,inline-8bit-counters,pc-table"
  let tried = [
    "SlipcastWire", "SlipcastLegacy", "SlipcastV2", "SlipcastMapping", "SlipcastComparison", "SlipcastReports",
    "SlipcastSignatures", "SlipcastReceipts", "SlipcastBulk", "SlipcastStores", "SlipcastCommand",
  ]
  for target in package.targets where tried.contains(target.name) {
    target.swiftSettings =
      (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer", "-sanitize-coverage=\(counters)"])]
  }
  // Commands are internal to their target.
  for target in package.targets where target.name == "SlipcastCommand" {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-enable-testing"])]
  }
  for target in package.targets where target.name == "CSlipcastJSON" {
    target.cxxSettings = [
      .unsafeFlags(["-fsanitize-coverage=\(counters)", "-fsanitize-coverage-ignorelist=Tests/fuzz/uncounted.txt"])
    ]
  }
  if kind == "address" {
    for target in package.targets where target.type != .system {
      if target.name.hasPrefix("CSlipcast") {
        target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=address"])]
        target.cxxSettings = (target.cxxSettings ?? []) + [.unsafeFlags(["-fsanitize=address"])]
      } else {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=address"])]
      }
      if target.name == "slipcast-fuzz" {
        target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-sanitize=address"])]
      }
    }
  }
}
