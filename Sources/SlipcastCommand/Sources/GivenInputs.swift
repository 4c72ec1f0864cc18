import SlipcastBulk

/// The inputs of a run: those of the command line, or those of `--sources`, each with the options that read it.
struct GivenInputs {
  /// Inputs that are read with the same options.
  struct Group {
    var names: [String]
    /// The options that read them.
    var arguments: Arguments
    /// Where a file of sources has them; `nil` for the command line.
    var place: String?

    /// What their rows have where; `nil` where the options of the run say it.
    func pointers() throws -> RowPointers? {
      guard let place else { return nil }
      var pointers = try InputOptions.pointers(arguments)
      pointers.place = place
      return pointers
    }

    /// Adds the place to what is wrong with them.
    func checked<Result>(_ body: () throws -> Result) throws -> Result { try UsageError.at(place, body) }
  }

  let groups: [Group]

  /// - Parameters:
  ///   - names: the inputs of the command line.
  ///   - option: names the file of sources.
  ///   - reading: the options that the file replaces, where they are for these inputs alone.
  init(
    _ names: [String], _ arguments: Arguments, option: String = "sources",
    replacing reading: [String] = SourcesFile.options.map(\.name)
  ) throws {
    guard let path = arguments.last(option) else {
      groups = [Group(names: names, arguments: arguments)]
      return
    }
    if let name = names.first {
      throw UsageError("--\(option) names all inputs; add \(name) to \(path), or leave out --\(option)")
    }
    if let name = reading.first(where: { arguments.has($0) }) {
      throw UsageError("--\(option) says how each source is read; put --\(name) into the \"options\" of \(path)")
    }
    groups = try SourcesFile(path).entries.map {
      Group(names: [$0.input], arguments: $0.arguments, place: $0.place)
    }
  }

  /// Every input, in order.
  var names: [String] { groups.flatMap(\.names) }
}
