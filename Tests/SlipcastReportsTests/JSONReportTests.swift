import Foundation
import SlipcastMapping
import SlipcastReports
import Testing

@testable import SlipcastComparison

@Suite struct JSONReportTests {
  private func object(_ comparison: Comparison) throws -> [String: Any] {
    let data = Data(comparison.report(.json).utf8)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func theOuterMembersAreThoseOfTheContract() throws {
    let report = try object(Samples.full)
    let names = ["schema", "verdict", "counts", "unreadable", "ignored", "legacy", "server", "notes", "fields"]
    #expect(Set(report.keys) == Set(names))
    #expect(report["schema"] as? Int == 1)
    #expect(report["verdict"] as? String == "conflict")
    #expect(report["ignored"] as? Int == 2)
    #expect(
      report["legacy"] as? [String: String] == [
        "name": Samples.full.legacy.name, "description": Samples.full.legacy.description,
      ])
    #expect(
      report["notes"] as? [[String: String]] == [
        ["code": "unverified", "severity": "warning", "message": "The signature of the V2 record was not checked."],
        ["code": "ignoreUnused", "severity": "info", "message": "Line 7 of the ignore file fits no field."],
      ])
  }

  @Test func countsOfAllClassesAddUpToTheFields() throws {
    for comparison in Samples.all {
      let report = try object(comparison)
      let counts = try #require(report["counts"] as? [String: Int])
      let fields = try #require(report["fields"] as? [[String: Any]])
      #expect(Set(counts.keys) == Set(DifferenceClass.allCases.map(\.rawValue)))
      #expect(counts.values.reduce(0, +) == fields.count)
      for (name, count) in counts { #expect(fields.count { $0["class"] as? String == name } == count) }
    }
  }

  @Test func countsAndMembersKeepTheirOrder() throws {
    let text = Samples.full.report(.json)
    let counts = """
      "counts": {"identical":1,"representation":2,"semantic":2,"derived":1,"legacyOnly":2,"serverOnly":3,\
      "elsewhere":0,"repeated":0,"unknown":0,"timeDependent":1,"conflict":3}
      """
    #expect(text.contains(counts))
    let members = text.matches(of: #/\n  "(\w+)": /#).map { String($0.output.1) }
    #expect(members == ["schema", "verdict", "counts", "unreadable", "ignored", "legacy", "server", "notes", "fields"])
  }

  @Test func valuesAreThoseOfTheRecords() throws {
    let fields = try #require(try object(Samples.full)["fields"] as? [[String: Any]])
    let price = try #require(fields.first)
    #expect(price["v1"] as? String == "0")
    #expect(price["cast"] as? Int == 0)
    #expect(price["v2"] as? Int == 1)
    #expect(price["confidence"] as? String == "documented")
    #expect(
      price["storekit"] as? [String: String] == ["name": "priceIncreaseStatus", "cast": "pending", "v2": "agreed"])
    let sources =
      "App Store Server Notifications, \(Samples.server.url ?? ""); WWDC, 2020/10661, \(Samples.talk.url ?? "")"
    #expect(price["source"] as? String == sources)
    #expect(fields[1]["v1"] as? String == Samples.hostile + "\0")
    #expect(fields.contains { $0["v2"] as? [String] == ["DEU", "FRA"] })
  }

  @Test func whatIsAbsentIsLeftOut() throws {
    let fields = try #require(try object(Samples.full)["fields"] as? [[String: Any]])
    #expect(!fields.contains { $0.values.contains { $0 is NSNull } })
    let list = try #require(fields.first { $0["v1Path"] as? String == "unified_receipt.latest_receipt_info" })
    #expect(Set(list.keys) == ["v1Path", "class", "explanation"])
    let ignored = try #require(fields[2]["ignored"] as? [String: Any])
    #expect(ignored["reason"] as? String == "refunded by hand")
    #expect(ignored["line"] as? Int == 3)
    #expect(ignored["until"] as? String == "2026-01-31")
  }

  @Test func thePiecesAreTheDocument() throws {
    var comparison = Samples.full
    comparison.fields = FieldDifferences((0..<2000).flatMap { _ in Samples.full.fields })
    var pieces: [String] = []
    try comparison.writeJSON { pieces.append($0) }
    #expect(pieces.count > 2 && pieces.joined() == comparison.report(.json))
    var whole: [String] = []
    try Samples.empty.writeJSON { whole.append($0) }
    #expect(whole == [Samples.empty.report(.json)])
  }

  @Test func aPieceThatCannotBeWrittenEndsTheReport() {
    struct Full: Error {}
    #expect(throws: Full.self) { try Samples.full.writeJSON { _ in throw Full() } }
  }
}
