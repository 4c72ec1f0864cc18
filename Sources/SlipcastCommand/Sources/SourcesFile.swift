import SlipcastBulk
import SlipcastStores
import SlipcastSystem
@_spi(Slipcast) import SlipcastWire

/// The file of `--sources`: inputs, each with the options that read it.
///
/// An option is called as on the command line, and checked by the same table. `detect --to` writes such a file.
struct SourcesFile {
  /// One source, and where the file has it.
  struct Entry {
    var input: String
    /// The options that read it, as if they had been given on the command line with this input alone.
    var arguments: Arguments
    /// Where the file has it: `sources.json: sources[2]`.
    var place: String
  }

  /// The options that say how a source is read; those of a run are not for the file.
  static let options = OptionTable.options(of: "rows").filter { !["sources", "max-record"].contains($0.name) }
  private static let shape =
    "{\"schema\": 1, \"sources\": [{\"input\": …, \"options\": {…}}]}, as detect --to writes it"

  let path: String
  let entries: [Entry]

  init(_ path: String) throws {
    self.path = path
    if path != "-", Platform.kind(path) == .folder {
      throw UsageError(
        "\(path) is a folder, not a file of sources: slipcast detect \(path)/* --to sources.json writes one")
    }
    let bytes = try Files.read(path)
    let (text, reader) = (JSONBuffer(bytes.dropFirst(ByteOrderMark.count(in: bytes))), JSONReader(names: []))
    defer { withExtendedLifetime((text, reader)) {} }
    let tape: JSONTape
    do throws(JSONError) { tape = try reader.read(text) } catch {
      throw UsageError(
        "\(path) is not a file of sources, which slipcast detect --to writes (byte \(error.offset): \(error.message)); "
          + "name records as an input")
    }
    let root = JSONElement(tape: tape)
    guard root.kind == .object, root["schema"]?.integer == 1, let list = root["sources"], list.kind == .array else {
      throw UsageError("\(path) is not a file of sources: expected \(Self.shape)")
    }
    let folder = path == "-" ? "" : SourcePath.folder(of: path)
    try Self.checkNames(root, ["schema", "sources"], path)
    entries = try list.children.map { try Self.entry($0, path, folder) }
    if entries.isEmpty { throw Self.fault(path, list, "expected at least one source, found none") }
    if entries.count(where: { $0.input == "-" }) > 1 {
      throw Self.fault(path, list, "two sources are standard input, which can be read only once")
    }
  }

  // MARK: reading

  private static func entry(_ item: JSONElement, _ path: String, _ folder: String) throws -> Entry {
    guard item.kind == .object else { throw wrong(path, item, "an object with \"input\"") }
    try checkNames(item, ["input", "options", "choose"], path)
    if let choices = item["choose"], choices.kind != .object || !choices.children.isEmpty {
      throw undecided(choices, path)
    }
    guard let input = item["input"] else { throw fault(path, item, "\"input\" is missing: a file, folder or database") }
    guard let name = input.string, !name.isEmpty else {
      throw wrong(path, input, "the name of a file, folder or database")
    }
    let words = try item["options"].map { try self.words($0, path) } ?? []
    let place = "\(path): \(JSONPath(tape: item.tape, index: item.index))"
    let arguments = try UsageError.at(place) {
      let arguments = try Arguments(words, for: ConvertCommand.description)
        .with(operands: [SourcePath.resolved(name, in: folder)])
      _ = try (InputOptions.tables(arguments), InputOptions.body(arguments), InputOptions.pointers(arguments))
      return arguments
    }
    return Entry(input: arguments.operands[0], arguments: arguments, place: place)
  }

  /// The options of a source, as words of a command line.
  private static func words(_ options: JSONElement, _ path: String) throws -> [String] {
    guard options.kind == .object else { throw wrong(path, options, "an object with options") }
    try checkNames(options, Self.options.map(\.name), path)
    return try options.children.flatMap { member -> [String] in
      guard let option = Self.options.first(where: { $0.name == member.name }) else { return [] }
      guard option.value != nil else {
        guard member.kind == .true else { throw wrong(path, member, "true") }
        return ["--\(option.name)"]
      }
      let values = option.isRepeatable && member.kind == .array ? member.children : [member]
      return try values.map { value in
        guard let text = value.string else {
          throw wrong(path, value, option.isRepeatable ? "a text or a list of texts" : "a text")
        }
        return "--\(option.name)=\(text)"
      }
    }
  }

  // MARK: faults

  private static func checkNames(_ object: JSONElement, _ names: [String], _ path: String) throws {
    var seen: Set<String> = []
    for member in object.children {
      guard names.contains(member.name) else {
        throw fault(
          path, member, "expected one of \(names.joined(separator: ", "))\(UsageError.hint(member.name, names))")
      }
      guard seen.insert(member.name).inserted else { throw fault(path, member, "\"\(member.name)\" is given twice") }
    }
  }

  private static func undecided(_ choices: JSONElement, _ path: String) -> UsageError {
    let options = choices.children.map { choice in
      "\(choice.name): \(choice.children.compactMap(\.string).joined(separator: " or "))"
    }
    return fault(
      path, choices,
      "this source is undecided (\(options.joined(separator: "; "))); put one of them into its \"options\" (of a "
        + "database, into the parameters of its \"input\"), or none, and remove \"choose\"")
  }

  private static func wrong(_ path: String, _ element: JSONElement, _ expected: String) -> UsageError {
    fault(path, element, "expected \(expected), found \(element.kind.description)")
  }

  private static func fault(_ path: String, _ element: JSONElement, _ message: String) -> UsageError {
    UsageError("\(path): \(JSONPath(tape: element.tape, index: element.index)): \(message)")
  }
}

extension UsageError {
  /// Says where a fault of the command line was found.
  static func at<Result>(_ place: String?, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as UsageError { throw error.at(place) }
  }

  /// The same of what waits.
  static func at<Result>(_ place: String?, _ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch let error as UsageError { throw error.at(place) }
  }

  private func at(_ place: String?) -> UsageError { place.map { UsageError("\($0): \(message)") } ?? self }
}
