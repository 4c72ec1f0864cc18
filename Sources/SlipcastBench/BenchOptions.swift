struct BenchOptions {
  var records = 20_000
  /// The seed of the generator; equal seeds produce equal bytes.
  var seed: UInt64 = 7
  /// Records carry `latest_receipt`, the long base64 text that real archives carry.
  var isFat = false
  /// Where the JSON goes: a file, or `-` for standard output.
  var json: String?
  /// How often every stage is timed; the median counts.
  var runs = 5
  /// Measures verifying, not converting.
  var isTrust = false
  var wantsHelp = false

  struct Misuse: Error, CustomStringConvertible {
    let description: String
  }

  static let help = """
    usage: slipcast-bench [--records N] [--seed S] [--fat] [--json FILE|-] [--runs K]
           slipcast-bench --trust [--records N] [--runs K]

      --records N    how many notifications to generate (20000)
      --seed S       where the generator begins (7); the same seed gives the same bytes
      --fat          records carry latest_receipt, about 6 KB of base64 each
      --json FILE    writes the figures as JSON, too; - is standard output (the table then goes to standard error)
      --runs K       how often every stage is timed; the median counts (5)

    Stages, all over the same bytes; each one does the work of the one before and more:
      visit          simdjson alone visits every key and value
      tape           JSON becomes a tape
      legacy         the tape becomes a legacy record, its drift noted
      cast           the record becomes a plain V2 notification, written as JSON
      account        cast with migration and the provenance account, on every tenth record
      whole, N jobs  the conversion of a file as slipcast convert --plain does it; its output is thrown away

    Stages with --trust, on one core, caches warm:
      openssl        OpenSSL's own check of a P-256 signature over a digest, as `openssl speed ecdsap256` does it
      transaction    a signed transaction: header, dates, path from the cache, digest, signature, claims
      notification   a notification with the two signed payloads inside
      receipt        an app receipt of 6 KB: CMS, signature (RSA), path from the cache, attributes
      decoded        the same receipt decoded and written as a verifyReceipt response, nothing verified
      openssl, 3 signatures   OpenSSL's own signatures on P-256 over a digest, three for each record
      openssl, 3 × ES256      the same with the digests that ES256 makes: those of the three tokens of each record
      convert --sign, 1 job   the conversion of a file, signed: three tokens for each notification

    """

  /// - Throws: `Misuse` for words that mean nothing here.
  init(_ words: [String]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--fat": isFat = true
      case "--trust": isTrust = true
      case "--help", "-h": wantsHelp = true
      case "--records": records = try Self.number(word, &rest, 1...10_000_000)
      case "--runs": runs = try Self.number(word, &rest, 1...1000)
      case "--seed": seed = try Self.number(word, &rest, 0...UInt64.max)
      case "--json": json = try Self.value(word, &rest)
      default: throw Misuse(description: "unknown option \(word); --help names all")
      }
    }
  }

  private static func value(_ name: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw Misuse(description: "\(name) needs a value") }
    return value
  }

  private static func number<Number: FixedWidthInteger>(
    _ name: String, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Number>
  ) throws -> Number {
    let text = try value(name, &rest)
    guard let value = Number(text), range.contains(value) else {
      throw Misuse(
        description: "\(name) is a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return value
  }
}
