import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastReports
import SlipcastSignatures
import SlipcastStores
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// The small texts that people write and runs leave behind; the first byte chooses which.
  static let documents = FuzzTarget(
    name: "documents",
    summary: "ignore lists, product lists, baselines, checkpoints, locations, pointers, patterns, dates, certificates",
    seeds: {
      try documentReadings.enumerated().map { [UInt8($0.offset)] + Array($0.element.seed.utf8) }
        + Seeds.folder("Mappings/rules", endingIn: ["eras.json"]).map { [1] + $0 }
        + Seeds.folder("Examples/migration", endingIn: [".json"]).prefix(3).map { [2] + $0 }
        + Seeds.folder("Fixtures/receipts/signed", endingIn: [".der"]).map { [12] + $0 }
    },
    words: ["until=", "schema", "differences", "postgres://", "sqlite:", "table=", "query=", "%2F", "Etc/GMT", "PDT"],
    make: {
      { bytes in
        let body = Array(bytes.dropFirst())
        try documentReadings[Int(bytes.first ?? 0) % documentReadings.count].read(
          String(decoding: body, as: UTF8.self), body)
      }
    })

  /// A small text of each kind, and what reads it; the folders of seeds name three of them by their place.
  private static let documentReadings: [(seed: String, read: @Sendable (String, [UInt8]) throws -> Void)] = [
    (
      "data.transactionInfo.price until=2027-01-31 known skew\n# more\n*.x y\n",
      { text, _ in _ = try? IgnoreList(text) }
    ),
    (
      #"{"com.example.monthly":"Auto-Renewable Subscription","com.example.coins":"Consumable"}"#,
      { _, bytes in _ = try? ProductCatalogue(json: bytes) }
    ),
    (
      #"{"schema":1,"differences":[{"path":"data.status","class":"conflict","legacy":"1","server":"2","reason":"x","until":"2027-01-31","atMost":3}]}"#,
      { _, bytes in _ = try? Baseline(json: bytes, name: "known.json", now: Timestamp(milliseconds: 1_700_000_000_000))
      }
    ),
    (
      #"{"slipcast":"checkpoint","schema":1,"source":0,"counts":{"read":1,"converted":1}}"#,
      { _, bytes in _ = try? Checkpoint(json: bytes) }
    ),
    (
      "postgres://user:secret@host:5432/base?table=v1&key=id&body=payload&received-at=at",
      { text, _ in try readLocation(text) }
    ),
    ("/payload/~0~1/0/body", { text, _ in _ = JSONPointer(text) }),
    (
      "data.transactions[*].*Date",
      { text, _ in _ = DifferencePattern(text).fits("data.transactions[3].purchaseDate") }
    ),
    ("2020-02-29 12:00:00 Etc/GMT", { _, bytes in bytes.withUnsafeBufferPointer(readDate) }),
    (
      "2020-09-27T12:07:19.686+0100",
      { text, bytes in _ = (RFC3339Date.milliseconds(bytes), ReceivedTime.milliseconds(text), Timestamp(day: text)) }
    ),
    ("data.status=99.5%", { text, _ in _ = (RejectLimit(text), AgreementGate(text), ReportFormat(path: text)) }),
    (
      "ZXlKLmUuc2ln.YQ.YQ",
      { text, bytes in
        _ = (CompactJWS(text), Base64.decode(bytes), Base64.decode(bytes, .url), Hexadecimal.decode(text))
      }
    ),
    ("00000000-0000-4000-8000-000000000000", { text, _ in try readText(text) }),
    ("com.example/../x", { _, bytes in _ = try? TrustAnchors.certificates(in: bytes) }),
  ]

  /// Whatever is shown of a location leaves its password out.
  private static func readLocation(_ text: String) throws {
    guard let location = try? StoreLocation(text), let mark = text.firstRange(of: "://user:secret@"),
      // A file in a folder, or one that was called so with emphasis; a table that was called like the password.
      !text[..<mark.lowerBound].contains("/"), !text.hasPrefix("sqlite:"), text.ranges(of: "secret").count == 1
    else { return }
    if location.description.contains(":secret@") { throw Violation("a location shows its password") }
  }

  private static func readDate(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    let text = JSONText(base: base, count: bytes.count, isVerbatim: true)
    if case .utc(let seconds) = ReceiptDate.read(text) { _ = Timestamp(milliseconds: seconds * 1000).description }
    if bytes.count == 8 { _ = Timestamp(milliseconds: bytes.reduce(0) { $0 << 8 | Int64($1) }).description }
  }

  /// Words for people carry nothing that a terminal obeys.
  private static func readText(_ text: String) throws {
    guard UUIDText.isSame(text, text) else { throw Violation("a text is not the same UUID as itself") }
    let said = SafeText.words(text) + SafeText.json(text)
    guard said.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value) })
    else { throw Violation("words speak to the terminal") }
  }
}
