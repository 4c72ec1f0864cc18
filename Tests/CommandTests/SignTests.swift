import Foundation
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastCommand

/// A folder with an identity in it, gone when the value is.
private final class IdentityFolder {
  let path: String
  var identity: String { path + "/identity" }

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let run = try Program.shell("slipcast identity --quiet \(identity)")
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, _ name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }
}

/// A signed record with every token replaced by its payload.
private func opened(_ line: some StringProtocol) -> String {
  line.split(separator: "\"", omittingEmptySubsequences: false).map { part in
    CompactJWS(part).map { "<\(opened(String(decoding: $0.payload, as: UTF8.self)))>" } ?? String(part)
  }.joined(separator: "\"")
}

@Suite(.serialized) struct IdentityCommandTests {
  @Test func itSaysWhatItMadeAndWhatToTryNext() throws {
    let folder = try IdentityFolder()
    let run = try Program.shell("slipcast identity '\(folder.path)/another one'")
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    for word in ["root.der", "chain.pem", "leaf.key", "slipcast convert --sign", "slipcast sign", "slipcast verify"] {
      #expect(run.errors.contains(word))
    }
  }

  @Test func aSecondCallOverwritesNothing() throws {
    let folder = try IdentityFolder()
    let line = "cat \(folder.identity)/* | sha256sum"
    let before = try Program.shell(line).output
    let run = try Program.shell("slipcast identity \(folder.identity)")
    #expect(run.status == 2)
    #expect(run.errors.contains("is there already"))
    #expect(try Program.shell(line).output == before)
  }

  @Test(arguments: [
    ("slipcast identity", "expected one folder"), ("slipcast identity a b", "expected one folder"),
    ("slipcast identity ''", "expected one folder"), ("slipcast identity /dev/null/x", "cannot make the folder"),
    ("slipcast sign", "expected the folder of an identity"),
    ("slipcast sign /nowhere /dev/null", "/nowhere/chain.pem: cannot open: No such file"),
    ("slipcast convert --sign /nowhere /dev/null", "/nowhere/chain.pem: cannot open: No such file"),
  ])
  func aWrongCallEndsWithTwo(_ line: String, _ words: String) throws {
    let run = try Program.shell(line)
    #expect(run.status == 2)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.output.isEmpty)
  }
}

@Suite(.serialized) struct SignCommandTests {
  static let fixtures = Folder.package("Fixtures")

  @Test func signingWhatConvertWroteIsConvertingWithSign() throws {
    let folder = try IdentityFolder()
    let source = "\(Self.fixtures)/notifications/did-renew/v1.json"
    let signed = try Program.shell("slipcast convert --quiet --sign \(folder.identity) \(source)")
    let piped = try Program.shell("slipcast convert --quiet \(source) | slipcast sign --quiet \(folder.identity)")
    let plain = try Program.shell("slipcast convert --quiet --plain \(source)").output
    #expect(signed.status == 0 && piped.status == 0, "\(signed.errors)\(piped.errors)")
    #expect(opened(signed.output) == opened(piped.output))
    #expect(signed.output != piped.output, "every signature has its own random number")
    #expect(signed.output.hasPrefix("{\"signedPayload\":\"ey") && signed.output.hasSuffix("\"}\n"))
    let date = try #require(plain.firstMatch(of: #/"signedDate":(\d+)/#)).1
    let restored = opened(signed.output)
      .replacing(",\"signedDate\":\(date)}>", with: "}>").replacing("signedTransactionInfo", with: "transactionInfo")
      .replacing("signedRenewalInfo", with: "renewalInfo").replacing("\"<", with: "").replacing(">\"", with: "")
    #expect(restored == "{\"signedPayload\":\(plain.dropLast())}\n")
  }

  @Test func histories() throws {
    let folder = try IdentityFolder()
    let run = try Program.shell(
      "slipcast convert --quiet --sign \(folder.identity) --emit history \(Self.fixtures)/notifications/did-renew/v1.json"
    )
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"signedTransactions\":[\"ey"))
    #expect(!run.output.contains("migration") && !run.output.contains("\"transactions\""))
  }

  @Test func theOutputIsTheSameForAnyNumberOfWorkers() throws {
    let folder = try IdentityFolder()
    let line = "slipcast convert --exit-zero --quiet --sign \(folder.identity) --include v1.json "
    let one = try Program.shell(line + "--jobs 1 \(Self.fixtures)/notifications").output
    let four = try Program.shell(line + "--jobs 4 \(Self.fixtures)/notifications").output
    #expect(one.split(separator: "\n").map(opened) == four.split(separator: "\n").map(opened))
    #expect(one.split(separator: "\n").count > 100)
  }

  @Test func recordsComeInAnyLayout() throws {
    let folder = try IdentityFolder()
    let record = #"{"transactionId":"1","bundleId":"a","purchaseDate":5}"#
    let pretty = "{\n  \"transactionId\": \"1\",\n  \"bundleId\": \"a\",\n  \"purchaseDate\": 5\n}\n"
    let expected =
      #"{"signedTransactionInfo":"<{"transactionId":"1","bundleId":"a","purchaseDate":5,"signedDate":5}>"}"#
    for text in ["\(record)\n\(record)", "[\(record),\n\(record)]", "\(pretty)\(pretty)", "\(record)\n\n\(pretty)"] {
      let file = try folder.write(text, "records.json")
      for line in [
        "slipcast sign --quiet \(folder.identity) \(file)", "cat \(file) | slipcast sign --quiet \(folder.identity)",
      ] {
        let run = try Program.shell(line)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.split(separator: "\n").map(opened) == [expected, expected])
      }
    }
  }

  @Test func whatCannotBeSignedIsReportedAndTheRestGoesOn() throws {
    let folder = try IdentityFolder()
    let good = #"{"transactionId":"1","bundleId":"a","purchaseDate":5}"#
    let records = [
      #"{"signedPayload":"a.b.c"}"#, #"{"notification_type":"CANCEL"}"#, #"{"transactionId":"2","bundleId":"a"}"#,
      "{\"a\"", good,
      "hello",
    ]
    let file = try folder.write(records.joined(separator: "\n") + "\n", "records.ndjson")
    let run = try Program.shell("slipcast sign --rejects \(folder.path)/rejects \(folder.identity) \(file)")
    #expect(run.status == 1)
    #expect(run.output.split(separator: "\n").count == 1)
    for words in [
      ":1: record 1: signedPayload: expected decoded JSON", ":2: record 2: expected a version 2 record",
      ":3: record 3: signedDate: expected a signedDate", ":4: record 4:", ":6: record 6:", "signed 1, rejected 5",
    ] {
      #expect(run.errors.contains(words), "\(words) in \(run.errors)")
    }
    let rejects = try Program.shell("cat \(folder.path)/rejects").output.split(separator: "\n")
    #expect(rejects.count == 5)
    #expect(rejects[0].contains(#""stage":"sign","code":"alreadySigned""#))
    #expect(rejects[3].contains(#""stage":"json""#))
  }

  @Test func brokenSourcesAreToldAndNothingIsLost() throws {
    let folder = try IdentityFolder()
    let good = #"{"transactionId":"1","bundleId":"a","purchaseDate":5}"#
    let long = #"{"transactionId":"\#(String(repeating: "1", count: 2 << 20))","bundleId":"a","purchaseDate":5}"#
    for (text, words, signed) in [
      ("[\(good),\n\(good)", "the array has no closing bracket", 2),
      ("\u{FEFF}\(good)\r\n\(good)\r\n", "rejected 0", 2),
      ("\(good)\n\(long)\n\(good)\n", ":2: record 2: expected a record of at most 1048576 bytes", 2),
      ("{\n  \"transactionId\": [\n\(good)\n", "record 1:", 1),
      ("", "signed 0, rejected 0", 0),
    ] {
      let file = try folder.write(text, "records.json")
      let run = try Program.shell("slipcast sign --max-record 1 \(folder.identity) \(file)")
      #expect(run.output.split(separator: "\n").count == signed, "\(run.errors)")
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    let packed = try Program.shell("echo '\(good)' | gzip | slipcast sign \(folder.identity)")
    #expect(packed.status == 0 && packed.errors.contains("signed 1, rejected 0"))
  }

  @Test func aConvertedRecordWithoutAnyDateIsARejectOfTheStageSign() throws {
    let folder = try IdentityFolder()
    let source = "\(Self.fixtures)/notifications/refund-consumable-not-listed/v1.json"
    let run = try Program.shell(
      "slipcast convert --sign \(folder.identity) --rejects \(folder.path)/rejects \(source); cat \(folder.path)/rejects"
    )
    #expect(run.output.contains(#""stage":"sign","code":"dateMissing","path":"signedDate""#), "\(run.output)")
    #expect(run.errors.contains(#/rejected +1\n/#))
  }

  @Test func anOpenKeyIsAWarning() throws {
    let folder = try IdentityFolder()
    let run = try Program.shell(
      "chmod 644 \(folder.identity)/leaf.key; echo '{\"transactionId\":\"1\",\"bundleId\":\"a\",\"purchaseDate\":5}' "
        + "| slipcast sign --quiet \(folder.identity)")
    #expect(run.status == 0)
    #expect(run.errors.contains("others can read leaf.key"))
    #expect(run.output.hasPrefix("{\"signedTransactionInfo\""))
  }
}
