import Foundation
import SlipcastTestSupport
import Testing

@testable import SlipcastCommand

/// The sources of the package.
enum Sources {
  static let root = Folder.package("Sources")

  static func files(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.sorted()
      .map { folder + "/" + $0 }
  }
}

/// What the code of the commands asks of the command line, read from its source.
struct AskedOptions {
  struct File {
    var name: String
    /// Types that it declares or extends.
    var types: Set<String>
    /// All words that begin like a type.
    var mentions: Set<String>
    /// Names of options that it asks for.
    var asked: Set<String>
    /// All texts in quotes, among which are names of options that a loop asks for.
    var texts: Set<String>
  }

  let files: [File]

  init() throws {
    files = try Sources.files(in: Sources.root + "/SlipcastCommand").map { path in
      let source = try String(contentsOfFile: path, encoding: .utf8)
      let code = source.split(separator: "\n").filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
        .joined(separator: "\n")
      let types = code.matches(of: #/\b(?:enum|struct|class|extension|protocol)\s+([A-Z]\w+)/#).map { String($0.1) }
      let calls = code.matches(of: #/\.(?:has|last|all|value|number|time|required)\("([a-z0-9-]+)"/#)
        .map { String($0.1) }
      let others = code.matches(of: #/(?:pointer|certificates)\(arguments, "([a-z0-9-]+)"/#).map { String($0.1) }
      return File(
        name: String(path.split(separator: "/").last ?? ""), types: Set(types),
        mentions: Set(code.matches(of: #/\b([A-Z]\w+)/#).map { String($0.1) }), asked: Set(calls + others),
        texts: Set(code.matches(of: #/"([a-z0-9-]+)"/#).map { String($0.1) }))
    }
  }

  /// The files that a type's code reaches by the types that they name.
  func reached(from type: String) -> [File] {
    var (types, found): (Set<String>, [File]) = ([type], [])
    while let file = files.first(where: { file in
      !file.types.isDisjoint(with: types) && !found.contains { $0.name == file.name }
    }) {
      found.append(file)
      // Extensions of what everybody uses lead nowhere in particular; the list of all commands leads everywhere.
      let mentions = file.types.isDisjoint(with: ["Slipcast", "UsageError"]) ? file.mentions : []
      types.formUnion(mentions.subtracting(["Arguments", "Option", "Slipcast", "Console"]))
    }
    return found
  }
}

/// The tables and the code that asks them know the same options.
@Suite struct AskedOptionTests {
  private static let asked = Result { try AskedOptions() }

  /// Commands by the name of the type that runs them.
  private static let types = Dictionary(
    uniqueKeysWithValues: Slipcast.commands.map { ("\($0)", $0.description) })

  @Test func everyOptionThatTheCodeAsksForIsInTheTable() throws {
    let asked = try Self.asked.get()
    let reached = Self.types.mapValues { _ in Set<String>() }.keys.map {
      ($0, Set(asked.reached(from: $0).map(\.name)))
    }
    var count = 0
    for file in asked.files {
      // A command's own file asks its own table; what several share asks the table of one of them.
      let own = Self.types.filter { file.types.contains($0.key) }.map(\.value)
      let sharing = reached.filter { $0.1.contains(file.name) }.compactMap { Self.types[$0.0] }
      let tables = own.isEmpty ? sharing : own
      for name in file.asked {
        count += 1
        let isCommon = Option.common.contains { $0.name == name }
        #expect(isCommon || tables.contains { $0.option(name) != nil }, "\(file.name) asks for --\(name)")
      }
    }
    #expect(count > 100)
  }

  @Test(arguments: Table.names)
  func everyOptionInTheTableIsAskedFor(_ name: String) throws {
    let command = try Table.command(name)
    let type = try #require(Self.types.first { $0.value.name == name }?.key)
    let files = try Self.asked.get().reached(from: type)
    let asked = files.reduce(into: Set<String>()) { $0.formUnion($1.asked) }
    // A few are asked for in loops over their names.
    let looped = files.filter { !$0.name.contains("Description") && !$0.name.contains("Options") }
      .reduce(into: Set<String>()) { $0.formUnion($1.texts) }
    for option in command.options {
      #expect(asked.contains(option.name) || looped.contains(option.name), "--\(option.name) of \(name)")
    }
  }
}
