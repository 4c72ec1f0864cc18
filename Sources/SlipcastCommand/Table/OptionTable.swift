import SlipcastBulk
import SlipcastMapping
import SlipcastReports
import Synchronization

/// The options of all commands, as `options.txt` lists them.
enum OptionTable {
  private static let texts = SectionedText(PackageResources.options_txt)
  private static let known = Mutex<[String: [Option]]>([:])

  /// The options of a command, or of a list that commands share.
  static func options(of name: String) -> [Option] {
    if let options = known.withLock({ $0[name] }) { return options }
    let options = read(name)
    known.withLock { $0[name] = options }
    return options
  }

  private static func read(_ name: String) -> [Option] {
    var (options, heading) = ([Option](), String?.none)
    for lines in texts.paragraphs(of: name).dropFirst() {
      if lines[0].hasPrefix("## ") {
        heading = String(lines[0].dropFirst(3))
      } else if lines[0].hasPrefix("--") {
        options.append(Option(lines, heading))
      } else {
        options += lines.flatMap(listed).map { Option($0, under: $0.heading ?? heading) }
      }
    }
    return options
  }

  /// `@list`, or `@list: name, name`.
  private static func listed(_ line: String) -> [Option] {
    let parts = line.dropFirst().split(separator: ":").map(String.init)
    let names = parts.count > 1 ? parts[1].split { $0 == "," || $0 == " " } : nil
    return options(of: parts[0]).filter { names?.contains($0.name[...]) ?? true }
  }

  /// `name: meaning`, names without one, or the name in braces of words that other parts of the program define.
  fileprivate static func choices(_ text: String) -> [Choice] {
    switch text {
    case "{classes}":
      return DifferenceClass.allCases.filter { $0 != .conflict && $0 != .identical && $0.isCompared }
        .map { Choice($0.rawValue, $0.meaning) }
    case "{compressions}": return Compression.allCases.map { Choice($0.rawValue) }
    case "{formats}": return ReportFormat.allCases.map { Choice($0.rawValue) }
    default:
      guard let colon = text.firstIndex(of: ":") else {
        return text.split { $0 == "," || $0 == " " }.map { Choice(String($0)) }
      }
      return [Choice(String(text[..<colon]), String(text[colon...].dropFirst(2)))]
    }
  }

  fileprivate static func completed(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    return text.replacing("{record names}", with: InputOptions.recordNames)
      .replacing("{extensions}", with: ReportFormat.extensions)
  }
}

extension Option {
  /// - Parameter lines: a paragraph of `options.txt`.
  fileprivate init(_ lines: [String], _ heading: String?) {
    let usage = lines[0].dropFirst(2).split(separator: " ", maxSplits: 1).map(String.init)
    self.init(name: usage[0], value: usage.count > 1 ? usage[1] : nil, heading: heading)
    var sentences: [String] = []
    for line in lines.dropFirst() {
      if line.hasPrefix(": ") {
        for mark in line.split(separator: " ").dropFirst() { set(mark) }
      } else if line.hasPrefix("= ") {
        byDefault = OptionTable.completed(String(line.dropFirst(2)))
      } else if line.hasPrefix("- ") {
        choices += OptionTable.choices(String(line.dropFirst(2)))
      } else {
        sentences.append(line)
      }
    }
    help = OptionTable.completed(sentences.joined(separator: " "))
  }

  fileprivate init(_ option: Option, under heading: String?) {
    self = option
    self.heading = heading
  }

  private mutating func set(_ mark: Substring) {
    switch mark {
    case "required": isRequired = true
    case "repeatable": isRepeatable = true
    case "reads": file = .read
    case "writes": file = .written
    case "folder": isFolder = true
    case "others": takesOthers = true
    default: fatalError("unknown mark in options.txt: \(mark)")
    }
  }
}
