import Foundation
import SlipcastTestSupport
import SlipcastTesting
import Synchronization
import Testing

/// Hears what expectations report, in the place of a test framework.
final class Recorder: Sendable {
  /// One issue.
  struct Heard: Sendable {
    var text: String
    var severity: Reporter.Severity
    var site: CallSite

    var headline: String { text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init) ?? "" }
  }

  private let heard = Mutex<[Heard]>([])

  /// What is reported while a body runs.
  static func hear(
    isRecording: Bool = false, now: Timestamp? = Timestamp(day: "2026-06-15"), _ body: () throws -> Void
  ) rethrows -> [Heard] {
    let recorder = Recorder()
    let reporter = Reporter { text, severity, site in
      recorder.heard.withLock { $0.append(Heard(text: text, severity: severity, site: site)) }
    }
    let surroundings = Surroundings(reporter: reporter, isRecording: isRecording, now: now)
    try Surroundings.$current.withValue(surroundings) { try body() }
    return recorder.heard.withLock { $0 }
  }

  /// The one failure that is reported while a body runs.
  static func failure(
    isRecording: Bool = false, now: Timestamp? = Timestamp(day: "2026-06-15"),
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) throws -> Heard {
    let heard = try hear(isRecording: isRecording, now: now, body)
    #expect(heard.count == 1, "\(heard.map(\.headline))", sourceLocation: sourceLocation)
    let issue = try #require(heard.first, sourceLocation: sourceLocation)
    #expect(issue.severity == .failure, sourceLocation: sourceLocation)
    return issue
  }
}

/// Folders of cases that are gone when the test is.
enum Scratch {
  /// Runs a body with a folder that holds files by their paths.
  static func folder(_ files: [String: String], _ body: (URL) throws -> Void) throws {
    let folder = try TemporaryFolder(files)
    defer { folder.remove() }
    try body(folder.url)
  }
}

extension Fixture {
  var legacy: URL { folder.appendingPathComponent("v1.json") }
  var server: URL { folder.appendingPathComponent("v2.json") }

  /// A renewal whose V2 record has auto-renew turned off: one conflict.
  static let conflict = Fixture.named("pairs/auto-renew-differs")
  /// A pair without conflicts.
  static let parity = Fixture.named("pairs/price-consent-1-v2-1")
}
