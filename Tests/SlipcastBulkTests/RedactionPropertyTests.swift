import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// The secret in any dress that an encoder may give it: nested in strings, spelled with escapes, laid out, cut off.
@Suite struct RedactionPropertyTests {
  static let secret = "SECRET0123456789abcdef"
  static let seeds = (0..<200).map(UInt64.init)

  private func redact(_ text: String) -> String {
    String(decoding: Redaction.redact(Array(text.utf8).span), as: UTF8.self)
  }

  /// JSON with the secret somewhere inside.
  private func document(_ random: inout SeededGenerator) -> String {
    let blank = { (random: inout SeededGenerator) in random.one(of: ["", "", " ", "\n", "\t ", "\r\n  "]) }
    let word = random.one(of: ["password", "password", "Password", "shared_secret", "sharedSecret"])
    let key = word.map { random.number(0...5) == 0 ? escape($0) : String($0) }.joined()
    let values = [
      "\"\(Self.secret)\"", "\"\(Self.secret)\"", "\"a\\\"\(Self.secret)\"", "\"\\\\\(Self.secret)\\\\\"",
      "[\"\(Self.secret)\"]",
      "{\"x\":[\"}]\",\"\(Self.secret)\"]}", "\"{[\(Self.secret)\"", "[1,{\"y\":\"\\\"]\(Self.secret)\"}]",
    ]
    let value = random.one(of: values)
    let member = "\"\(key)\"" + blank(&random) + ":" + blank(&random) + value
    let before = random.one(of: ["", "\"a\":1,", "\"b\":\"\\\"}{\",", "\"c\":[{}],"])
    let behind = random.one(of: ["", ",\"d\":2", ",\"e\":\"x\\\\\"", "\n"])
    return "{" + before + member + behind + "}"
  }

  private func escape(_ character: Character) -> String {
    let digits = String(character.unicodeScalars.first?.value ?? 0, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// The text as a JSON string in an object, as different encoders write it.
  private func nested(_ text: String, _ random: inout SeededGenerator) -> String {
    let spellsQuotesWithDigits = random.number(0...2) == 0
    var string = ""
    for character in text.unicodeScalars {
      switch character {
      case "\"": string += spellsQuotesWithDigits ? "\\u0022" : "\\\""
      case "\\": string += "\\\\"
      case "\n": string += "\\n"
      case "\r": string += "\\r"
      case "\t": string += "\\t"
      default: string.unicodeScalars.append(character)
      }
    }
    return random.one(of: ["{\"body\":\"", "[\"", "{\"id\":1,\"row\":{\"text\": \""]) + string + "\"}"
  }

  /// The text with every escape of digits undone, however many backslashes stand before it.
  private func plain(_ text: String) -> String {
    var result = ""
    var rest = Substring(text)
    while let at = rest.firstRange(of: "\\u") {
      result += rest[..<at.lowerBound]
      let digits = rest[at.upperBound...].prefix(4)
      if digits.count == 4, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) {
        while result.hasSuffix("\\") { result.removeLast() }
        result.unicodeScalars.append(scalar)
        rest = rest[digits.endIndex...]
      } else {
        result += "\\u"
        rest = rest[at.upperBound...]
      }
    }
    return result + rest
  }

  @Test(arguments: seeds, 0...3)
  func theSecretIsGoneFromEveryDress(_ seed: UInt64, _ levels: Int) {
    var random = SeededGenerator(seed: seed &* 7 &+ UInt64(levels))
    for _ in 0..<10 {
      var text = document(&random)
      for _ in 0..<levels { text = nested(text, &random) }
      if random.number(0...2) == 0 { text = String(text.prefix(random.number(0...text.count))) }
      #expect(!plain(redact(text)).contains(Self.secret), "\(text)")
    }
  }
}
