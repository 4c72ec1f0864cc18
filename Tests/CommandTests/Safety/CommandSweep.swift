import Testing

@testable import SlipcastCommand

/// Every place of every command line where a word can stand, taken from the commands' own tables.
struct CommandSweep {
  /// What each command needs to get further than its first check; a command that is not here has no tests.
  static let operands: [String: [String]] = [
    "convert": ["in/v1.ndjson"], "timeline": ["in/v1.ndjson"], "diff": ["in/v1.json", "in/v2.json"],
    "detect": ["in/v1.ndjson"], "inspect": ["in/v1.json"], "verify": ["in/v2.json"], "sign": ["in/id", "in/v2.ndjson"],
    "identity": [],
    "explain": [], "schema": [], "mappings check": [], "help": [], "completions": [], "manual": [],
    "parity": ["--legacy", "in/v1.ndjson", "--server", "in/v2.ndjson"],
    // An address that no machine has: the server always ends at once.
    "serve": ["--journal", "w", "--listen", "192.0.2.1:1"],
    "verify-receipt": ["in/v2.ndjson", "--v2", "in/v2.ndjson"],
    "ui": ["in/none.sqlite", "--listen", "192.0.2.1:1"],
    "replay": ["in/v2.ndjson", "--to", "http://127.0.0.1:9/"],
    "fetch history": ["in/v1.ndjson", "--bundle-id", "a"], "fetch statuses": ["in/v1.ndjson", "--bundle-id", "a"],
    "fetch refunds": ["in/v1.ndjson", "--bundle-id", "a"], "fetch notifications": ["in/v1.ndjson", "--bundle-id", "a"],
    "fetch orders": ["--bundle-id", "a", "--id", "MSLIP1"],
    "export": ["in/v2.ndjson", "--for", "adapty", "--to", "o.csv"],
    "baseline record": [
      "--legacy", "in/v1.ndjson", "--server", "in/v2.ndjson", "--reason", "x", "--baseline", "b.json",
    ],
    "baseline check": ["--legacy", "in/v1.ndjson", "--server", "in/v2.ndjson", "--baseline", "in/b.json"],
    "baseline approve": [
      "--legacy", "in/v1.ndjson", "--server", "in/v2.ndjson", "--reason", "x", "--baseline", "in/b.json", "--path", "x",
    ],
  ]

  /// The command lines of a command that say a word: as an operand, an option, and the value of each option.
  static func lines(_ command: CommandDescription, _ word: String) -> [[String]] {
    let name = command.name.split(separator: " ").map(String.init)
    let operands = operands[command.name] ?? []
    let valued = command.options.filter { $0.value != nil && !operands.contains("--\($0.name)") }
    // Where an option is given already, the word takes the place of its value.
    let replaced = operands.indices.filter { $0 > 0 && operands[$0 - 1].hasPrefix("--") }
    return [name + operands + [word], name + ["--" + word] + operands, name + ["-" + word], [name[0] + word]]
      + valued.map { name + operands + ["--\($0.name)=\(word)"] }
      + replaced.map { place in name + operands[..<place] + [word] + operands[(place + 1)...] }
      + [[word, name[0]], name + [word, word]]
  }

  /// Makes what the command lines read.
  static func prepare(_ place: Workplace) throws {
    try place.copyExample()
    try place.write("in/b.json", "{\"schema\":1,\"differences\":[]}")
    _ = try place.run(["identity", "--quiet", "in/id"])
  }
}

/// Characters that must not appear in messages.
enum Tricks {
  /// Colours, a clipboard, the beginning of the line, the direction of writing, and invisible characters.
  static let text = "\u{1B}[31m\u{1B}]52;c;eA==\u{7}\u{9B}2J\r\u{8}\u{7F}\u{202E}\u{2066}\u{200B}\u{FEFF}\u{2028}"

  /// The first of them in a text; line feeds belong there.
  static func first(in text: String) -> Unicode.Scalar? {
    text.unicodeScalars.first { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0x00..<0x20, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
      default: false
      }
    }
  }
}
