import Foundation
import SlipcastTestSupport
import Testing

/// `slipcast verify` as a user meets it: what it takes, what it says, how it ends.
@Suite struct VerifyCommandTests {
  /// A test identity and what it signed of all notifications, made once.
  static let signed: (folder: String, status: Int32) = {
    let folder = NSTemporaryDirectory() + "slipcast-verify-\(UUID().uuidString)"
    let program = try? Program.shell(
      """
      mkdir '\(folder)' && slipcast identity --quiet '\(folder)/id' && slipcast identity --quiet '\(folder)/other' &&
      slipcast convert --quiet --exit-zero '\(Fixture.root.path)/notifications' --include v1.json --sign '\(folder)/id' \
        > '\(folder)/signed.ndjson'
      """)
    return (folder, program?.status ?? -1)
  }()

  static func verify(_ words: String, input: String = "signed.ndjson") throws -> Program {
    #expect(signed.status == 0)
    return try Program.shell(
      "cd '\(signed.folder)' && slipcast verify \(words.isEmpty ? "--root id/root.der" : words) '\(input)'")
  }

  static func lines(_ program: Program) throws -> [[String: Any]] {
    try program.output.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  // MARK: verdicts

  @Test func whatATestIdentitySignedIsValidUnderItsRootAlone() throws {
    let own = try Self.verify("--root id/root.der")
    let lines = try Self.lines(own)
    #expect(lines.count > 190 && own.status == 0)
    #expect(lines.allSatisfy { $0["verdict"] as? String == "valid" && $0["kind"] as? String == "notification" })
    #expect(lines.enumerated().allSatisfy { $1["line"] as? Int == $0 + 1 })
    let pem = try Self.verify("--root other/root.pem --root id/root.pem")
    #expect(pem.output == own.output)
    let foreign = try Self.verify("--root other/root.der")
    #expect(foreign.status == 1)
    #expect(try Self.lines(foreign).allSatisfy { $0["reason"] as? String == "untrustedRoot" })
    #expect(try Self.lines(Self.verify("--quiet")).count == lines.count)
  }

  @Test(arguments: [1, 2, 3, 8])
  func theNumberOfJobsChangesNothing(_ jobs: Int) throws {
    #expect(
      try Self.verify("--root id/root.der --jobs \(jobs)").output == Self.verify("--root id/root.der --jobs 1").output)
  }

  @Test func tokensInEveryDressAreFound() throws {
    let dresses = [
      "head -n 3 signed.ndjson", "head -n 3 signed.ndjson | sed 's/.*\":\"//; s/\"}//'",
      "head -n 3 signed.ndjson | sed 's/.*\":/ /; s/}/\\r/'", "(echo [; head -n 3 signed.ndjson | paste -sd,; echo ])",
      "(printf '\\357\\273\\277'; head -n 3 signed.ndjson)",
      "head -n 3 signed.ndjson | sed 's/^/{\"a\":{\"b\":[/; s/$/]}}/'",
    ]
    #expect(Self.signed.status == 0)
    for dress in dresses {
      let program = try Program.shell("cd '\(Self.signed.folder)' && \(dress) | slipcast verify --root id/root.der -")
      #expect(program.status == 0, "\(dress)")
      #expect(
        try Self.lines(program).map { $0["kind"] as? String } == Array(repeating: "notification", count: 3), "\(dress)")
    }
  }

  @Test(arguments: [
    ("history", "transaction", "signedTransactions[0]"),
    ("statuses", "transaction", "data[0].lastTransactions[0].signedTransactionInfo"),
  ])
  func eachSignedThingOfAnAnswerHasItsVerdict(_ emission: String, _ kind: String, _ path: String) throws {
    #expect(Self.signed.status == 0)
    let program = try Program.shell(
      """
      cd '\(Self.signed.folder)' && slipcast convert --quiet --emit \(emission) --sign id \
        '\(Fixture.root.path)/receipts/history-two-subscriptions/v1.json' | slipcast verify --root id/root.der
      """)
    let lines = try Self.lines(program)
    #expect(program.status == 0 && lines.count > 1)
    #expect(lines.first?["kind"] as? String == kind)
    #expect(lines.first?["path"] as? String == path)
  }

  @Test(arguments: [
    ("", "empty"), ("\\n\\n", "empty"), ("hello", "unrecognized"), ("{}", "nothingSigned"),
    ("{\"signedPayload\":\"x\"}", "unrecognized"), ("\\x30\\x82\\x00\\x01\\x00", "messageUnreadable"),
    ("\\x00\\x01\\xff\\n\\n\\x0a\\x80", "unrecognized"), ("a.b.c", "payloadUnreadable"), ("[]", "empty"),
  ])
  func garbageGetsAVerdictToo(_ content: String, _ reason: String) throws {
    let program = try Program.shell("printf '\(content)' | slipcast verify")
    let lines = try Self.lines(program)
    #expect(lines.count == 1 && program.status == 1)
    #expect(lines.first?["verdict"] as? String == "invalid")
    #expect(lines.first?["reason"] as? String == reason)
  }

  @Test func aReceiptInARowOfOnesOwnIsFound() throws {
    let signed = Fixture.root.path + "/receipts/signed"
    let program = try Program.shell(
      """
      printf '{"user":77,"receipt":"%s"}' "$(tr -d '\n' < '\(signed)/app-production/receipt.base64')" > "$TMPDIR/row.$$"
      slipcast verify --root '\(signed)/root.der' "$TMPDIR/row.$$"; echo "status $?"
      slipcast convert "$TMPDIR/row.$$"; slipcast convert --quiet --body /receipt "$TMPDIR/row.$$" | cut -c 1-15; rm "$TMPDIR/row.$$"
      """)
    #expect(program.output.contains(#""verdict":"valid""#) && program.output.contains("status 0"), "\(program.errors)")
    #expect(program.errors.contains("reads with --body /receipt") && program.output.contains("{\"environment\""))
  }

  /// One bad signature makes the record invalid, whatever else the record contains.
  @Test(arguments: [("bad-tampered", 1, "invalid"), ("app-production", 0, "valid")])
  func aReceiptBesideATokenIsVerifiedToo(_ receipt: String, _ status: Int32, _ verdict: String) throws {
    #expect(Self.signed.status == 0)
    let signed = Fixture.root.path + "/receipts/signed"
    let program = try Program.shell(
      """
      cd '\(Self.signed.folder)'; receipt=$(tr -d '\n' < '\(signed)/\(receipt)/receipt.base64')
      head -n 1 signed.ndjson | sed 's/}$//' > beside-\(receipt); printf ',"receipt":"%s"}' "$receipt" >> beside-\(receipt)
      slipcast verify --root id/root.der --root '\(signed)/root.der' beside-\(receipt)
      """)
    let lines = try Self.lines(program)
    #expect(program.status == status, "\(program.output) \(program.errors)")
    #expect(lines.map { $0["path"] as? String } == ["signedPayload", "receipt"])
    #expect(lines.map { $0["verdict"] as? String } == ["valid", verdict])
  }

  /// The moment of the run is not the time of signing, and bytes must not differ between runs.
  @Test(arguments: ["json", "text"])
  func aTokenWithoutADateHasNoTimeOfJudging(_ format: String) throws {
    #expect(Self.signed.status == 0)
    let line =
      """
      cd '\(Self.signed.folder)'
      slipcast convert --quiet --sign id '\(Fixture.root.path)/notifications/did-renew/v1.json' > dated-\(format)
      python3 - <<'END' > undated-\(format).jws
      import base64, json, subprocess
      def encode(data): return base64.urlsafe_b64encode(data).rstrip(b"=")
      token = json.load(open("dated-\(format)"))["signedPayload"]
      header = token.split(".")[0].encode()
      text = header + b"." + encode(b'{"transactionId":"1","productId":"a","environment":"Sandbox"}')
      command = ["openssl", "dgst", "-sha256", "-sign", "id/leaf.key"]
      der = subprocess.run(command, input=text, stdout=subprocess.PIPE).stdout
      size = der[3]; r = der[4:4 + size]; s = der[6 + size:]
      pair = r[-32:].rjust(32, bytes(1)) + s[-32:].rjust(32, bytes(1))
      print((text + b"." + encode(pair)).decode())
      END
      slipcast verify --format \(format) --root id/root.der undated-\(format).jws
      """
    let program = try Program.shell(line)
    #expect(program.status == 0, "\(program.output) \(program.errors)")
    #expect(program.output.contains("undetermined") && !program.output.contains("judgedAt"), "\(program.output)")
    #expect(!program.output.contains("as of"))
    let now = try Program.shell(
      "cd '\(Self.signed.folder)'; slipcast verify --format \(format) --online-time --root id/root.der undated-\(format).jws"
    )
    #expect(now.output.contains(format == "json" ? "judgedAt" : " as of ") && !now.output.contains("undetermined"))
  }

  @Test func missingFilesAndWrongWordsEndWithTwo() throws {
    for words in [
      "/no/such/file", "--root /no/such/root -", "--root '\(Fixture.root.path)/README.md' -", "--environment Mars -",
      "--app-apple-id x -", "--device-id 12 -", "--nonsense -",
    ] {
      let program = try Program.shell("echo x | slipcast verify \(words)")
      #expect(program.status == 2, "\(words)")
      #expect(program.output.isEmpty && !program.errors.isEmpty, "\(words)")
    }
  }

  @Test func textIsForPeople() throws {
    let program = try Program.shell(
      "cd '\(Fixture.root.path)/receipts/signed' && slipcast verify --format text --root root.der bad-expired/receipt.base64"
    )
    #expect(program.output.hasPrefix("bad-expired/receipt.base64:1: appReceipt: invalid, certificateExpired: "))
    #expect(program.errors == "1 record: 0 valid, 1 invalid: certificateExpired 1\n")
  }

  // MARK: on the way

  @Test func convertTellsOfReceiptsThatAreNotTrusted() throws {
    let folder = Fixture.root.path + "/receipts/signed"
    let input = "\(folder)/app-production/receipt.base64"
    let untrusted = try Program.shell("slipcast convert --verify '\(input)'")
    #expect(untrusted.status == 0 && untrusted.errors.contains("unverified"))
    let trusted = try Program.shell("slipcast convert --require-verified --root '\(folder)/root.der' '\(input)'")
    #expect(trusted.status == 0 && !trusted.errors.contains("unverified") && trusted.output == untrusted.output)
    let refused = try Program.shell("slipcast convert --require-verified --rejects /dev/stdout '\(input)'")
    #expect(refused.status == 1)
    #expect(refused.output.contains(#""stage":"verify","code":"untrustedRoot""#))
    let idle = try Program.shell("slipcast convert --root '\(folder)/root.der' '\(input)'")
    #expect(idle.status == 2 && idle.errors.contains("has no effect without --verify"))
  }

  @Test func aNotificationWithoutAReceiptIsNotVerified() throws {
    let input = "'\(Fixture.root.path)/notifications/did-renew/v1.json'"
    let told = try Program.shell("slipcast convert --verify \(input) --provenance /dev/stderr --quiet")
    #expect(told.errors.contains(#""code":"nothingSigned""#) || told.errors.contains(#""code":"unverified""#))
    #expect(try Program.shell("slipcast convert --require-verified --quiet \(input)").status == 1)
  }

  @Test func diffVerifiesBothSides() throws {
    #expect(Self.signed.status == 0)
    let input = "'\(Fixture.root.path)/notifications/did-renew/v1.json'"
    let line =
      "cd '\(Self.signed.folder)' && slipcast convert --quiet --sign id \(input) > one.json && slipcast diff \(input) one.json"
    let blind = try Program.shell(line)
    #expect(blind.output.contains("signature not verified") && blind.output.contains("no signature was verified"))
    let seen = try Program.shell(line + " --verify --root id/root.der")
    #expect(seen.output.contains("signature verified") && !seen.output.contains("no signature was verified"))
    let foreign = try Program.shell(line + " --verify --root other/root.der")
    #expect(foreign.output.contains("untrustedRoot"))
    let refused = try Program.shell(line + " --require-verified --root other/root.der")
    #expect(refused.status == 2 && refused.output.isEmpty)
  }

  @Test func aReceiptIsComparedWithItsHistory() throws {
    let receipt = "'\(Fixture.root.path)/receipts/signed/app-production/receipt.base64'"
    let program = try Program.shell("slipcast convert --quiet --plain \(receipt) | slipcast diff \(receipt) -")
    #expect(program.status == 0 && program.output.contains("PARITY"))
  }

  // MARK: tricks

  @Test func theUnsignedEnvironmentOfAnOldReceiptProvesNothing() throws {
    let folder = Fixture.root.path + "/receipts/signed"
    let trust = "--root '\(folder)/root.der' --intermediate '\(folder)/store-intermediate.der'"
    func judge(_ edit: String, _ asked: String) throws -> String? {
      let program = try Program.shell(
        "base64 -d '\(folder)/ios6-v2-sandbox/receipt.base64' | \(edit) | base64 -w0 | slipcast verify \(trust) \(asked) -"
      )
      return try Self.lines(program).first?["reason"] as? String
    }
    #expect(try judge("cat", "--environment Sandbox") == nil)
    #expect(try judge("cat", "--environment Production") == "environmentMismatch")
    #expect(try judge("sed 's/\"Sandbox\"/\"Production\"/'", "--environment Production") == "environmentMissing")
    #expect(try judge("sed '/environment/d'", "--environment Production") == "environmentMissing")
    #expect(try judge("sed 's/\"Sandbox\"/\"Xcode\"/'", "--environment Xcode") == "environmentMismatch")
    #expect(try judge("cat", "--app-apple-id 1234567891") == "appAppleIdMissing")
  }

  @Test func linesOfGarbageAreRecordsApart() throws {
    let program = try Program.shell("printf 'hello\\nworld\\na.b.c\\n\\nfoo\\n' | slipcast verify")
    #expect(try Self.lines(program).map { $0["line"] as? Int } == [1, 2, 3, 5])
  }

  @Test func whatIsSignedBesideWhatIsNotIsOnlyPartlySigned() throws {
    #expect(Self.signed.status == 0)
    let receipt = "'\(Fixture.root.path)/receipts/history-two-subscriptions/v1.json'"
    let line = """
      cd '\(Self.signed.folder)' && slipcast convert --quiet --sign id \(receipt) |
      sed 's/"signedTransactions"/"transactions":[{"transactionId":"999"}],&/' > forged.json
      slipcast diff --root id/root.der \(receipt) forged.json
      """
    let told = try Program.shell(line + " --verify")
    #expect(told.output.contains("partly signed") && told.output.contains("is outside of the signed part"))
    let refused = try Program.shell(line + " --require-verified")
    #expect(refused.status == 2 && refused.output.isEmpty)
  }

  @Test func aGenuineReceiptOfAnotherAppSaysNothingForARecord() throws {
    let folder = Fixture.root.path + "/receipts/signed"
    func convert(_ bid: String) throws -> Program {
      try Program.shell(
        """
        r=$(cat '\(folder)/app-production/receipt.base64') &&
        printf '{"notification_type":"DID_RENEW","bid":"\(bid)","unified_receipt":{"latest_receipt":"%s",
          "latest_receipt_info":[{"transaction_id":"1","original_transaction_id":"1","product_id":"p"}]}}' "$r" |
          slipcast convert --require-verified --root '\(folder)/root.der' --rejects /dev/stderr --quiet
        """)
    }
    #expect(try convert("com.example.slipcast").status == 0)
    let other = try convert("com.example.other")
    #expect(other.status == 1 && other.errors.contains(#""stage":"verify","code":"bundleIdMismatch""#))
  }

  /// Receipts and records in wrapped rows.
  @Test(arguments: [
    ("/a/receipt", "valid", "a.receipt"), ("/text", "valid", "text: latest_receipt"),
    ("/object", "valid", "object.latest_receipt"), ("", "nothingSigned", ""),
    ("/nowhere", "none of the first rows has it", ""),
    ("/number", "nothingSigned", "number"), ("/secret/password", "never shown", ""),
  ])
  func aRowOfOnesOwnIsOpened(_ pointer: String, _ word: String, _ place: String) throws {
    let folder = Fixture.root.path + "/receipts/signed"
    let receipt = try String(contentsOfFile: folder + "/app-production/receipt.base64", encoding: .utf8)
      .filter { !$0.isWhitespace }
    let name = pointer.isEmpty ? "unheard_of" : "latest_receipt"
    let record = #"{"notification_type":"CANCEL","\#(name)":"\#(receipt)"}"#
    let text = record.replacing("\"", with: "\\\"")
    let row = #"{"a":{"receipt":"\#(receipt)"},"text":"\#(text)","object":\#(record),"number":7}"#
    let line = "row() { cat <<'END'\n\(row)\nEND\n}"
    let options = "--root '\(folder)/root.der' --body '\(pointer)' -"
    let verified = try Program.shell(line + "\nrow | slipcast verify --quiet --format json \(options)")
    let inspected = try Program.shell(line + "\nrow | slipcast inspect --format json \(options)")
    if word == "valid" {
      #expect(verified.status == 0 && verified.output.contains("\"path\":\"\(place)\""), "\(verified)")
      #expect(inspected.status == 0 && inspected.output.contains("\"verdict\":\"valid\""), "\(inspected)")
    } else {
      #expect(verified.status != 0 && (verified.output + verified.errors).contains(word), "\(verified)")
      // What holds nothing signed may be a record all the same, or nothing known.
      let words = word == "nothingSigned" ? "unrecognized" : word
      #expect((inspected.output + inspected.errors).contains(words), "\(inspected)")
    }
  }

  @Test func aBareReceiptIsNoRow() throws {
    let receipt = Fixture.root.path + "/receipts/signed/app-production/receipt.base64"
    let whole = try Program.shell(
      "slipcast verify --body '' --root '\(Fixture.root.path)/receipts/signed/root.der' '\(receipt)'")
    #expect(whole.status == 0, "\(whole)")
    let program = try Program.shell("slipcast verify --body /x '\(receipt)'; slipcast inspect --body /x '\(receipt)'")
    let said = program.errors.split(separator: "\n").filter { $0.contains("--body /x: none of the first rows has it") }
    #expect(said.count == 2 && said.allSatisfy { $0.hasSuffix("they have no members") }, "\(program)")
    #expect(program.status == 2 && program.output.isEmpty)
  }

  @Test func nothingToVerifyIsNoSuccess() throws {
    let program = try Program.shell("d=$(mktemp -d); slipcast verify $d; code=$?; rmdir $d; exit $code")
    #expect(program.status == 2 && program.errors.contains("no file"))
    let pattern = try Program.shell("slipcast verify --include '*.nope' '\(Fixture.root.path)'")
    #expect(pattern.status == 2 && pattern.errors.contains("*.nope"))
  }

  @Test func aForgottenValueIsNotTheNextOption() throws {
    let program = try Program.shell("slipcast verify --bundle-id --root /dev/null -")
    #expect(program.status == 2 && program.errors.contains("--bundle-id needs a value"))
  }

  @Test func nothingPlaysTricksOnATerminal() throws {
    let program = try Program.shell(
      #"slipcast verify --bogus$'\e[31m'; printf '{"\u009b31m":{"signedPayload":"x"}}' | slipcast verify --format json"#
    )
    #expect(!(program.output + program.errors).unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B })
    // A name with such a character is none.
    #expect(program.output.contains(#""path":"name(5).signedPayload""#))
  }
}
