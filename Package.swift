// swift-tools-version: 6.2
import PackageDescription

// One set of rules for every Swift target. No unsafeFlags: nobody could depend on us with those.
let rules: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func system(_ name: String, _ pkgConfig: String?, _ apt: String, _ brew: String) -> Target {
  .systemLibrary(
    name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: rules)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
    swiftSettings: rules)
}

/// C code of ours, held to the same standard.
let cRules: [CSetting] = [
  .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
]

// A target may depend only on targets above it in this list: `scripts/check-imports` holds that.
let package = Package(
  name: "coffer",
  products: [
    .library(name: "Coffer", targets: ["Coffer"]),
    .library(name: "CofferRelay", targets: ["CofferRelay"]),
    .library(name: "CofferSimulator", targets: ["CofferSimulator"]),
    .executable(name: "coffer", targets: ["CofferTool"]),
    .executable(name: "coffer-bench", targets: ["CofferBench"]),
  ],
  targets: [
    system("CSQLCipher", "sqlcipher", "libsqlcipher-dev", "sqlcipher"),
    system("CSodium", "libsodium", "libsodium-dev", "libsodium"),
    // No pkg-config here: its file carries a -D that SwiftPM warns about in every build.
    system("CUTF8Proc", nil, "libutf8proc-dev", "utf8proc"),
    library("CofferSystem"),
    library("CofferCoding"),
    library("CofferText", ["CUTF8Proc"]),
    library("CofferCrypto", ["CSodium"]),
    library("CofferKeys", ["CofferSystem", "CofferCoding", "CofferText", "CofferCrypto"]),
    library("CofferDatabase", ["CSQLCipher", "CofferSystem"]),
    library(
      "Coffer",
      [
        "CofferSystem", "CofferCoding", "CofferText", "CofferCrypto", "CofferKeys",
        "CofferDatabase",
      ]
    ),
    library("CofferRelay", ["CofferSystem", "CofferCrypto", "CofferDatabase", "Coffer"]),
    library(
      "CofferSimulator", ["CofferSystem", "CofferCrypto", "CofferKeys", "CofferDatabase", "Coffer"]),
    library(
      "CofferCommands",
      [
        "CofferSystem", "CofferCoding", "CofferKeys", "CofferDatabase", "Coffer", "CofferRelay",
        "CofferSimulator",
      ]),
    .executableTarget(name: "CofferTool", dependencies: ["CofferCommands"], swiftSettings: rules),
    // The plain-C limit that our figures are held against; nothing but the benchmark links it.
    .target(name: "CBench", dependencies: ["CSQLCipher"], cSettings: cRules),
    .executableTarget(
      name: "CofferBench",
      dependencies: [
        "CBench", "CofferSystem", "CofferCoding", "CofferCrypto", "CofferKeys", "CofferDatabase",
        "Coffer",
      ],
      swiftSettings: rules),
    tests("CofferSystem"),
    tests("CofferCoding"),
    tests("CofferText"),
    tests("CofferCrypto", ["CofferCoding"]),
    tests("CofferKeys", ["CofferSystem", "CofferCoding", "CofferCrypto"]),
    tests("CofferDatabase", ["CofferSystem"]),
    tests(
      "Coffer", ["CofferSystem", "CofferCoding", "CofferCrypto", "CofferKeys", "CofferDatabase"],
      exclude: ["Fixtures"]),
    tests("CofferRelay", ["CofferSystem", "CofferCrypto", "CofferDatabase", "Coffer"]),
    tests(
      "CofferSimulator", ["CofferSystem", "CofferCrypto", "CofferKeys", "CofferDatabase", "Coffer"]),
    tests(
      "CofferCommands",
      ["CofferSystem", "CofferCoding", "CofferCrypto", "CofferKeys", "CofferDatabase", "Coffer"],
      exclude: ["Transcripts"]),
  ]
)
