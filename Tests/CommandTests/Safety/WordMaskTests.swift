import SlipcastTestSupport
import Testing

@testable import SlipcastCommand

/// Locations of databases with a password in them, and what becomes of them when they are typed wrong.
enum Misspelling {
  static let secret = AnyWordTests.secret
  static let well = [
    "postgres://user:\(secret)@host:5432/shop?table=v1", "postgresql://user:\(secret)@host/shop",
    "postgres://localhost/shop?password=\(secret)", "postgres://localhost/shop?table=v1&password=\(secret)&key=id",
    "sqlite://user:\(secret)@host?table=x", "host=localhost password=\(secret)",
  ]
  private static let signs = Array(":/@=?& ;%#.x1")

  /// Every way to get one character wrong, but for those that leave a well-spelled location without a password: a user's
  /// name that the password has become part of, or a parameter of another name.
  static func all(of word: String) -> [String] {
    let letters = Array(word)
    let start = word.distance(from: word.startIndex, to: word.firstRange(of: secret)?.lowerBound ?? word.startIndex)
    let isUser = letters[start - 1] == ":"
    var result: [String] = []
    for place in letters.indices where !(start..<start + secret.count).contains(place) {
      let isSign = place == start - 1
      if !(isSign && isUser) {
        result.append(String(letters[..<place] + letters[(place + 1)...]))
      }
      for sign in signs where !(isSign && isUser && (sign == "x" || sign == "1" || sign == ".")) {
        result.append(String(letters[..<place] + [sign] + letters[(place + 1)...]))
        result.append(String(letters[..<place] + [sign] + letters[place...]))
      }
      if place > 0, !(start...start + secret.count).contains(place) {
        result.append(String(letters[..<(place - 1)] + [letters[place], letters[place - 1]] + letters[(place + 1)...]))
      }
    }
    return result + [word.uppercased().replacing(secret.uppercased(), with: secret)]
  }

  /// Some of them, the same in every run.
  static func some(of count: Int) -> [String] {
    var random = SeededGenerator(seed: 19)
    return (0..<count).map { _ in random.one(of: all(of: random.one(of: well))) }
  }
}

@Suite struct WordMaskTests {
  @Test(arguments: Misspelling.well)
  func noMisspelledLocationShowsItsPassword(_ location: String) {
    var random = SeededGenerator(seed: 7)
    let once = Misspelling.all(of: location)
    // Faults of the scheme come together with any other.
    let twice = once.flatMap { word in
      [word.replacing("postgres", with: random.one(of: ["postgre", "psotgres", "postgress", "pg"])), "--jobs=" + word]
    }
    for word in [location] + once + twice {
      let shown = WordMask.shown(word)
      #expect(!shown.contains(Misspelling.secret), "\(word) is shown as \(shown)")
    }
  }

  @Test(arguments: [
    "in/v1.ndjson", "--jobs=4", "--min-agreement=data.transactionInfo.expiresDate=99%", "2024-01-01T10:00:00Z",
    "postgres://user@host:5432/shop?table=v1", "sqlite:rows.db?table=v1&key=id", "--body=/payload", "a@b.ndjson",
    "https://example.com:8443/v1", "archive.ndjson:12", "/data/2024:01/x", "--to=out.ndjson",
    "http://[::1]:1", "--server=http://[2001:db8::1]:443/a", "::ffff:10.0.0.0/104", "2001:db8::/33",
  ])
  func wordsWithoutAPasswordStayAsTheyAre(_ word: String) { #expect(WordMask.shown(word) == word) }

  @Test func onlyThePasswordOfAnEncodedLocationIsTaken() {
    let shown = WordMask.shown("postgresql://user:pass%2Fword%40123@127.0.0.1:5432/postgres?table=v1")
    #expect(shown == "postgresql://user:[removed]@127.0.0.1:5432/postgres?table=v1")
  }

  @Test func wordsOfTheCommandLineAreTakenOutOfAllTexts() {
    WordMask.remember(["postgres:/u:hunter2-of-this-test@h/db"])
    #expect(!WordMask.mask("cannot open hunter2-of-this-test").contains("hunter2"))
    #expect(WordMask.mask("no file postgres:/u:hunter2-of-this-test@h/db").hasSuffix("postgres:/u:[removed]@h/db"))
  }
}
