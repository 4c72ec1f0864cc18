import Foundation
import SlipcastTestSupport
import SlipcastTesting
import Testing

/// `SLIPCAST_RECORD=1` writes expected conversions, and reports it.
@Suite struct RecordingTests {
  static let legacy = Fixture.named("notifications/did-renew").legacy

  private func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

  @Test func aMissingExpectationFailsAndTellsHowToWriteIt() throws {
    try Scratch.folder([:]) { folder in
      let file = folder.appendingPathComponent("v2.json")
      let issue = try Recorder.failure { expectConversion(Self.legacy, equals: file) }
      #expect(issue.text == "\(file.path): file not found; SLIPCAST_RECORD=1 writes it from the conversion")
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test func aMissingExpectationIsWrittenAndFailsOnce() throws {
    try Scratch.folder([:]) { folder in
      let file = folder.appendingPathComponent("v2.json")
      let issue = try Recorder.failure(isRecording: true) { expectConversion(Self.legacy, equals: file) }
      #expect(issue.headline == "recorded \(file.path), which was not there")
      let written = try text(file)
      #expect(written.hasPrefix("{\n  \"notificationType\": \"DID_RENEW\",\n  \"notificationUUID\": \""))
      #expect(written.hasSuffix("  }\n}\n") && !written.contains("migration"))
      #expect(Recorder.hear(isRecording: true) { expectConversion(Self.legacy, equals: file) }.isEmpty)
      #expect(Recorder.hear { expectConversion(Self.legacy, equals: file) }.isEmpty)
    }
  }

  @Test func aDifferentExpectationIsWrittenAnewWithTheMembersThatItHad() throws {
    try Scratch.folder(["v2.json": #"{"notificationType":"DID_RENEW","version":"1.0"}"#]) { folder in
      let file = folder.appendingPathComponent("v2.json")
      let issue = try Recorder.failure(isRecording: true) { expectConversion(Self.legacy, equals: file) }
      #expect(issue.headline.hasPrefix("updated \(file.path): "))
      #expect(issue.text.contains("  version\n    expected  \"1.0\"\n    found     \"2.0\""))
      let written = try text(file)
      #expect(!written.contains("notificationUUID") && !written.contains("migration"))
      #expect(written.contains("  \"version\": \"2.0\","))
      #expect(Recorder.hear { expectConversion(Self.legacy, equals: file) }.isEmpty)
    }
  }

  @Test func anExpectationThatHoldsIsNotTouched() throws {
    let cast = try LegacyConverter().convert(Data(contentsOf: Self.legacy)).json
    try Scratch.folder(["v2.json": cast]) { folder in
      let file = folder.appendingPathComponent("v2.json")
      #expect(Recorder.hear(isRecording: true) { expectConversion(Self.legacy, equals: file) }.isEmpty)
      let kept = try text(file)
      #expect(kept == cast)
    }
  }

  /// Only what a recording wrote, or could have written, is written over.
  @Test(arguments: ["{", "[]", #"{"notification_type":"DID_RENEW"}"#])
  func whatIsNoExpectationIsNotWrittenOver(_ content: String) throws {
    try Scratch.folder(["v1.json": content]) { folder in
      let file = folder.appendingPathComponent("v1.json")
      _ = try Recorder.failure(isRecording: true) { expectConversion(Self.legacy, equals: file) }
      let kept = try text(file)
      #expect(kept == content)
    }
  }

  @Test func aServerRecordIsNeverWritten() throws {
    try Scratch.folder([:]) { folder in
      let file = folder.appendingPathComponent("v2.json")
      _ = try Recorder.failure(isRecording: true) { expectParity(legacy: Self.legacy, server: file) }
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test func aFileThatCannotBeWrittenIsNamed() throws {
    let file = URL(fileURLWithPath: "/nowhere/v2.json")
    let issue = try Recorder.failure(isRecording: true) { expectConversion(Self.legacy, equals: file) }
    #expect(issue.text.hasPrefix("/nowhere/v2.json: cannot write: "), "\(issue.text)")
  }
}
