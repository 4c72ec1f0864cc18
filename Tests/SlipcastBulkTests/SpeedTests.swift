import SlipcastBulk
import Testing

/// Hostile input takes time in proportion to its length.
///
/// Times of N and 8N are compared; no clock time is demanded.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SpeedTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let piece: String
    var before = ""

    init(_ name: String, _ piece: String, before: String = "") {
      (testDescription, self.piece, self.before) = (name, piece, before)
    }
  }

  static let cases = [
    Case("lines of {", "{\n"), Case("lines of [ behind a record", "[\n", before: Sample.line(1) + "\n"),
    Case("one line of [ behind a record", "[", before: Sample.line(1) + "\n"), Case("[ only", "["),
    Case("lines of [", "[\n"),
    Case("lines of }", "}\n"), Case("lines of ]", "]\n"), Case("quotes", "\""), Case("lines of quotes", "\"\n"),
    Case("[ before records", "[\n{}\n", before: "{}\n"), Case("lines cut behind a colon", "{\"a\":\n"),
    Case("lines cut behind a bracket, and records", "{\"a\":[\n{}\n"), Case("words", "x\n"),
    Case("commas in an array", "[,"),
    Case("empty objects", "{}\n"), Case("lone braces behind an open array", "{\n", before: "{\"a\":[\n"),
    Case("lone braces behind commas", "{\"a\":[{},\n{\n"), Case("backslashes", "\"\\\n"),
    Case("passwords", "\"password\"\n"),
    Case("passwords with blanks", "password             \n"), Case("open passwords", "{\"password\":[\n"),
    Case("open lists in an array", "{\"a\":[\n", before: "[\n"), Case("open lists", "{\"a\":[\n{\"b\":\n"),
    Case("lists closed wrongly in an array", "{\"a\":[\n{}\n},\n", before: "[\n"),
    Case("unfit brackets in an array", "{\"a\":[\n{\"b\":]\n", before: "[\n"),
    Case("objects behind colons in an array", "{\"a\":\n{}\n", before: "[\n"),
    Case("objects behind colons", "{\"a\":\n{}\n"),
    Case("spread records that are no JSON", "{\"a\":[\n{},\n{x}\n]}\n"),
    Case("two brackets a line", "[{\n", before: "{\n"),
    Case("tokens", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln\n"), Case("base64 of one width", "MIIAAAAAAAAAAAAA\n"),
    Case("one line of base64", "MIIA"), Case("base64 that begins with every line", "MIIAAAAAAAAAAAAA\nAAAA\n"),
    Case("base64 behind open lists", "{\"a\":[\nMIIAAAAAAAAAAAAA\n"),
    Case("base64 with escapes", "\"MIIAAAAAAAAAAAAA\\/\"\n"), Case("words like base64", "MIIAAAAAAAAAAAAA!\n"),
    Case("objects behind objects", "{}", before: "{\"c\":"), Case("records behind records", "{\"a\":1}"),
    Case("records with open strings", "{\"a\":\"x}"), Case("open records", "{\"a\":{\"a\":"),
    Case("broken records behind each other", "{\"a\":x}"),
    Case("lists behind objects", "{\"a\":[{\"a\":1}", before: "{\"c\":"),
    Case("records behind members", "{\"a\":{\"b\":1}{"), Case("starts of records", "}{\"", before: "{\"c\":"),
    Case("nested arrays in an array", "[[],", before: "["), Case("escaped quotes", "\\\"", before: "{\"a\":\""),
  ]

  static let slow = [
    Case("one line of backslashes", "\\"), Case("open lists behind blanks", " {\"a\":[\n {}\n"),
    Case("records between open ones behind blanks", "{\"a\":1}\n\"{\"a\":\n "),
    Case("records between quotes behind blanks", "\\\"\n {\"a\":1}\n\"", before: "{\"a\":[\n"),
  ]

  private func seconds(_ attack: Case, _ count: Int) async throws -> Double {
    let text = attack.before + String(repeating: attack.piece, count: count / attack.piece.utf8.count)
    var best = Double.infinity
    for _ in 0..<2 {
      let start = ContinuousClock.now
      let run = try await Runs.convert(text) { $0.keepsProvenance = false }
      best = min(best, (ContinuousClock.now - start) / .seconds(1))
      #expect(run.counts.read >= 1)
      if best > 2 { break }
    }
    return best
  }

  @Test(arguments: cases)
  func eightTimesTheTextTakesAboutEightTimesAsLong(_ attack: Case) async throws {
    let few = try await seconds(attack, 3 << 10)
    let many = try await seconds(attack, 24 << 10)
    #expect(many < max(40 * few, 2), "\(few) s and \(many) s")
  }

  @Test(arguments: slow)
  func alsoWhereEveryLineOpensSomething(_ attack: Case) async throws {
    let few = try await seconds(attack, 3 << 10)
    let many = try await seconds(attack, 24 << 10)
    #expect(many < max(40 * few, 2), "\(few) s and \(many) s")
  }
}
