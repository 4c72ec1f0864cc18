import SlipcastBulk
import SlipcastSystem
import SlipcastWire

/// Reads and writes whole small files.
enum Files {
  /// The most bytes of a file that is read whole.
  static let longest = 64 << 20

  /// Writes a whole file, which gets its name when it is whole; `-` is standard output.
  static func write(_ text: String, to path: String) throws { try write(to: path) { try $0(text) } }

  static func write(to path: String, _ pieces: (_ emit: @escaping (String) throws -> Void) throws -> Void) throws {
    let file: any LineOutput =
      path == "-" ? StreamOutput(isJSON: false) : try FileOutput(path, compression: Compression.none)
    try pieces { text in
      var text = text
      try text.withUTF8 { bytes throws in try file.write(bytes.span, part: .whole) }
    }
    try file.finish()
  }

  /// All bytes of a file; `-` is standard input.
  ///
  /// - Parameter limit: the most bytes that are read; a longer file is an error.
  static func read(_ path: String, limit: Int = Files.longest) throws -> [UInt8] {
    let descriptor = path == "-" ? 0 : try Platform.open(path)
    defer { if descriptor > 2 { Platform.close(descriptor) } }
    var bytes: [UInt8] = []
    while true {
      let got = try Platform.read(descriptor, to: &bytes, most: 64 << 10, path: path)
      if got == 0 { return bytes }
      if bytes.count > limit {
        throw FileError(path: path, doing: "read more than \(limit >> 20) MiB", number: Platform.tooLarge)
      }
    }
  }
}

extension Files {
  /// Reads a file that holds a secret: errors name its option, because the value may be the secret itself.
  ///
  /// A value that is certainly a path is named too.
  static func secret<Result>(_ option: String, _ read: () throws -> Result) throws -> Result {
    do {
      return try read()
    } catch var error as FileError {
      error.path = isPath(error.path) ? "\(option) \(error.path)" : option
      throw error
    }
  }

  /// It is in a folder that exists, and its name has an extension, as no secret has.
  private static func isPath(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.last, let dot = name.lastIndex(of: "."), ShownName.isName(name) else { return false }
    let folder = parts.count == 1 ? "." : parts.dropLast().joined(separator: "/")
    return 1...4 ~= name[name.index(after: dot)...].count && Platform.kind(folder.isEmpty ? "/" : folder) == .folder
  }

  /// All bytes of a file that is no longer than a limit; `nil` for a longer one.
  static func head(_ path: String, count: Int) throws -> [UInt8]? {
    do {
      return try read(path, limit: count)
    } catch let error as FileError where error.number == Platform.tooLarge {
      return nil
    }
  }
}
