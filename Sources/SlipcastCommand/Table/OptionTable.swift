import SlipcastBulk
import SlipcastMapping
import SlipcastReports
import Synchronization

/// The options of all commands, as `options.txt` lists them.
enum OptionTable {
  private static let texts = SectionedText(PackageResources.options_txt)
  /// A paragraph about an option that is not read yet: most runs need two or three of sixty.
  private struct Entry {
    let lines: ArraySlice<ArraySlice<UInt8>>
    var heading: String?

    var name: ArraySlice<UInt8> { (lines.first ?? []).dropFirst(2).prefix { $0 != UInt8(ascii: " ") } }
    var option: Option { Option(lines.map { String(decoding: $0, as: UTF8.self) }, heading) }
  }

  private static let known = Mutex<[String: [Option]]>([:])
  private static let entries = Mutex<[String: [Entry]]>([:])

  /// The options of a command, or of a list that commands share.
  static func options(of name: String) -> [Option] {
    if let options = known.withLock({ $0[name] }) { return options }
    let options = entries(of: name).map(\.option)
    known.withLock { $0[name] = options }
    return options
  }

  /// Those of them that have certain names; the others are not read.
  static func options(of name: String, where isAsked: (String) -> Bool) -> [Option] {
    entries(of: name).filter { isAsked(String(decoding: $0.name, as: UTF8.self)) }.map(\.option)
  }

  /// One of them; the others are not read.
  static func option(_ option: String, of name: String) -> Option? {
    entries(of: name).first { $0.name.elementsEqual(option.utf8) }?.option
  }

  private static func entries(of name: String) -> [Entry] {
    if let entries = entries.withLock({ $0[name] }) { return entries }
    let read = read(name)
    entries.withLock { $0[name] = read }
    return read
  }

  private static func read(_ name: String) -> [Entry] {
    var (entries, heading) = ([Entry](), String?.none)
    for lines in texts.lines(of: name).dropFirst() {
      switch lines.first?.first {
      case UInt8(ascii: "#"): heading = String(decoding: (lines.first ?? []).dropFirst(3), as: UTF8.self)
      case UInt8(ascii: "-"): entries.append(Entry(lines: lines, heading: heading))
      default:
        for var entry in lines.flatMap({ listed(String(decoding: $0, as: UTF8.self)) }) {
          entry.heading = entry.heading ?? heading
          entries.append(entry)
        }
      }
    }
    return entries
  }

  /// `@list`, or `@list: name, name`.
  private static func listed(_ line: String) -> [Entry] {
    let parts = line.utf8.dropFirst().split(separator: UInt8(ascii: ":"))
    let names = parts.count > 1 ? parts[1].split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") } : nil
    return entries(of: String(Substring(parts[0]))).filter { entry in
      names?.contains { entry.name.elementsEqual($0) } ?? true
    }
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

  private mutating func set(_ mark: Substring) {
    switch mark {
    case "required": isRequired = true
    case "repeatable": isRepeatable = true
    case "reads": file = .read
    case "writes": file = .written
    case "folder": isFolder = true
    case "raw": isRaw = true
    case "others": takesOthers = true
    default: fatalError("unknown mark in options.txt: \(mark)")
    }
  }
}
