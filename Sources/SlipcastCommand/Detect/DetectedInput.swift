import SlipcastBulk
@_spi(Slipcast) import SlipcastWire

/// An input as a command reads it, with what was found in it.
struct DetectedInput {
  /// A file, a folder, a table of a database; never with a password.
  var name: String
  var found: Detection
  /// The options that read it; the columns of a database are named in its location.
  var options: [ReadingOption]
  var choices: [Detection.Choice]
  /// How many of the files of a folder were looked at, and how many there are.
  var files: (looked: Int, all: Int)?

  init(_ name: String, _ found: Detection) {
    (self.name, self.found) = (name, found)
    (options, choices) = (found.options, found.choices)
  }

  var isReadable: Bool { found.isReadable }
  /// A command reads it as it is.
  var isDecided: Bool { isReadable && choices.isEmpty }

  /// The commands that read it, and what each is for; what has to be chosen is left open.
  var commands: [(use: String, command: String)] {
    let chosen = options + (isLocation ? [] : choices.map { ReadingOption($0.option, "NAME") })
    if found.isServer { return ServerCommands([name], chosen, isSigned: found.isSigned).all }
    return [("read it", CommandArguments.line(["slipcast", "convert"] + ServerCommands.words(chosen) + [name]))]
  }

  /// Its columns are named in its location.
  var isLocation: Bool { found.form == .rows }

  /// Writes the members of a source in a file of sources.
  ///
  /// - Parameter folder: the folder that the file is in.
  func writeEntry(to writer: JSONWriter, in folder: String) throws {
    writer.member("input", try SourcePath.relative(name, to: folder))
    writeOptions(to: writer)
    writeChoices(to: writer)
  }

  func writeOptions(to writer: JSONWriter) {
    guard !options.isEmpty else { return }
    writer.object("options") {
      for name in options.map(\.name).uniqued {
        let values = options.filter { $0.name == name }.compactMap(\.value)
        if values.isEmpty {
          writer.member(name, true)
        } else if name == "include" {
          writer.member(name, values)
        } else {
          writer.member(name, values[0])
        }
      }
    }
  }

  func writeChoices(to writer: JSONWriter) {
    guard !choices.isEmpty else { return }
    writer.object("choose") { for choice in choices { writer.member(choice.option, choice.values) } }
  }
}

extension [String] {
  fileprivate var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
