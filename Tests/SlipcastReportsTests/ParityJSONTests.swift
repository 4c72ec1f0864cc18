import Foundation
import SlipcastMapping
import SlipcastReports
import Testing

@testable import SlipcastComparison

@Suite struct ParityJSONTests {
  private func object(_ result: ParityResult) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(result.report(.json).utf8)) as? [String: Any])
  }

  private func members(_ result: ParityResult) -> [String] {
    result.report(.json).matches(of: #/\n  "(\w+)": /#).map { String($0.output.1) }
  }

  @Test func theOuterMembersKeepTheirOrder() {
    let plain = ["schema", "verdict", "pairs", "entitlement", "types", "fields", "unpaired", "gates", "differences"]
    #expect(members(ParitySamples.green) == plain)
    let found =
      plain.dropLast() + [
        "causes", "differences", "coverage", "missing", "unread", "inputs", "options", "rules", "notes",
      ]
    #expect(members(ParitySamples.findings) == Array(found))
  }

  @Test func gatesAndOriginAreWhatTheResultSays() throws {
    let findings = try object(ParitySamples.findings)
    let gates = try #require(findings["gates"] as? [[String: Any]])
    #expect(gates.map { $0["holds"] as? Bool } == ParitySamples.findings.gates.map(\.holds))
    let inputs = try #require(findings["inputs"] as? [String: [[String: Any]]])
    #expect(inputs["server"]?.map { $0["kind"] as? String } == ["database", "stream"])
    #expect(inputs["server"]?.first?["sha256"] == nil && inputs["legacy"]?.first?["sha256"] is String)
    let options = findings["options"] as? [String: [String]]
    #expect(options?["strict"] == ["semantic", "timeDependent"] && options?["same-span"] == [])
  }

  @Test func countsThatSeldomOccurStandOnlyWhereTheyDo() throws {
    let plain = try #require(try object(ParitySamples.green)["pairs"] as? [String: Any])
    let always: Set = [
      "matched", "conflicting", "legacyWithoutServer", "serverWithoutLegacy", "serverOnlyEvents", "unknownEvents",
      "absorbed", "duplicates",
    ]
    #expect(Set(plain.keys) == always)
    let full = try #require(try object(ParitySamples.findings)["pairs"] as? [String: Any])
    #expect(Set(full.keys) == always.union(["rejected", "notComparable"]))
    #expect(full["rejected"] as? [String: Int] == ["legacy": 3, "server": 2])
  }

  @Test(arguments: ParitySamples.all.map(\.name))
  func everyFieldHasOnePathAndAllClasses(_ name: String) throws {
    let result = try #require(ParitySamples.all.first { $0.name == name }).result
    let fields = try #require(try object(result)["fields"] as? [[String: Any]])
    #expect(fields.count == result.fields.count)
    for (field, expected) in zip(fields, result.fields) {
      #expect((field["v1Path"] == nil) != (field["v2Path"] == nil))
      for name in DifferenceClass.allCases { #expect(field[name.rawValue] as? Int == expected.count(name)) }
      let samples = try #require(field["samples"] as? [[String: Any]])
      #expect(samples.count == expected.samples.count)
      #expect(samples.allSatisfy { ($0["explanation"] as? String)?.isEmpty == false })
    }
  }

  @Test func aSampleWithoutWordsIsExplainedByItsClass() throws {
    let silent = Samples.field(nil, "data.status", v2: "4", .timeDependent, "")
    let result = ParitySamples.empty.with {
      $0.fields = [ParitySamples.field("data.status", [.timeDependent: 1], [ParitySamples.sample(3, silent)])]
    }
    let line = """
      {"legacyRecord":3,"serverRecord":10,"v2":4,"class":"timeDependent",\
      "explanation":"it depends on the moment each side was made"}
      """
    #expect(result.report(.json).contains(line))
  }

  @Test func theTimeOfJudgementIsLeftOutWhenItIsEachEventsOwn() throws {
    let own = try #require(try object(ParitySamples.findings)["entitlement"] as? [String: Any])
    #expect(own["asOf"] == nil && own["conflicts"] as? Int == 7 && own["subscriptions"] as? Int == 6)
    let sample = try #require((own["samples"] as? [[String: Any]])?.first)
    #expect((sample["legacy"] as? [String: Any])?["access"] as? Bool == true)
    #expect((sample["server"] as? [String: Any])?["reason"] as? String == "expired")
    let fixed = try #require(try object(ParitySamples.huge)["entitlement"] as? [String: Any])
    #expect(fixed["asOf"] as? Int64 == ParitySamples.start)
  }

  @Test func valuesOfRecordsComeThroughAsTheyAre() throws {
    let fields = try #require(try object(ParitySamples.hostile)["fields"] as? [[String: Any]])
    let samples = try #require(fields.first?["samples"] as? [[String: Any]])
    #expect(samples.first?["v1"] as? String == Samples.hostile + "\0")
    #expect(fields.first?["v2Path"] as? String == Samples.hostile + ".field")
  }
}
