import Foundation
import SlipcastTestSupport
import SlipcastTesting
import Testing

@Suite struct FixtureFolderTests {
  struct Unexpected: Error, CustomStringConvertible {
    var description: String { "the converter gave up" }
  }

  @Test func aFolderGivesItsCasesByName() throws {
    let files = ["b/v1.json": "{}", "a/v1.json": "{}", "a/v2.json": "{}", ".hidden/v1.json": "", "README.md": "#"]
    try Scratch.folder(files) { folder in
      let cases = try ParityFixture.all(in: folder)
      #expect(cases.map(\.name) == ["a", "b"])
      #expect(cases.map(\.testDescription) == ["a", "b"])
      #expect(cases.map { "\($0)" } == ["a", "b"])
      #expect(cases[0].legacy.path == folder.appendingPathComponent("a/v1.json").path)
      #expect(cases[0].file("note.txt").path == folder.appendingPathComponent("a/note.txt").path)
      let renamed = try ParityFixture.all(in: folder, legacy: "old.json", server: "new.json")
      #expect(renamed[1].legacy.lastPathComponent == "old.json" && renamed[1].server.lastPathComponent == "new.json")
    }
  }

  @Test func aPathIsMeantFromTheSourceFile() throws {
    let cases = try ParityFixture.all(in: "../../Fixtures/pairs")
    #expect(cases.count == Fixture.cases("pairs").count)
    let whole = try ParityFixture.all(in: Fixture.root.appendingPathComponent("pairs").path)
    #expect(whole.map(\.legacy.path) == cases.map(\.legacy.path))
  }

  @Test func aFolderWithoutCasesIsAnErrorThatSaysSo() throws {
    try Scratch.folder(["file.json": "{}", "empty/.keep": ""]) { folder in
      let words = [
        ("none", "expected a folder of cases, found nothing of that name"),
        ("file.json", "expected a folder of cases, found a file"),
        ("empty", "expected folders that each contain v1.json and v2.json, found none; no case was tested"),
      ]
      for (name, expected) in words {
        let path = folder.appendingPathComponent(name).path
        let error = #expect(throws: FixtureError.self) { try ParityFixture.all(in: path) }
        #expect(error?.description == "\(path): \(expected)")
        let line = #line + 1
        let issue = try Recorder.failure { forEachFixture(in: path) { expectParity($0) } }
        #expect(issue.text == error?.description)
        #expect(issue.site.line == line)
      }
    }
  }

  @Test func aCaseWithoutItsPairFailsAndTheOthersAreTested() throws {
    let (v1, v2) = (try Fixture.parity.text("v1.json"), try Fixture.parity.text("v2.json"))
    let conflict = try Fixture.conflict.text("v2.json")
    let files = [
      "alone/v1.json": v1, "differs/v1.json": try Fixture.conflict.text("v1.json"), "differs/v2.json": conflict,
      "empty/.keep": "", "fine/v1.json": v1, "fine/v2.json": v2,
    ]
    try Scratch.folder(files) { folder in
      var names: [String] = []
      let line = #line + 3
      let heard = Recorder.hear {
        forEachFixture(in: folder.path) { fixture in
          expectParity(fixture)
          names.append(fixture.name)
        }
      }
      #expect(names == ["alone", "differs", "empty", "fine"])
      try #require(heard.count == 3)
      #expect(heard[0].text == "alone: \(folder.path)/alone/v2.json: cannot open: No such file or directory")
      #expect(heard[1].headline == "differs: 1 of 51 fields conflicts: data.renewalInfo.autoRenewStatus")
      #expect(heard[2].text == "empty: \(folder.path)/empty/v1.json: cannot open: No such file or directory")
      #expect(heard.allSatisfy { $0.site.line == line })
    }
  }

  @Test func aBodyThatThrowsFailsItsCaseOnly() throws {
    try Scratch.folder(["a/v1.json": "{}", "b/v1.json": "{}"]) { folder in
      let line = #line + 1
      let heard = Recorder.hear { forEachFixture(in: folder.path) { _ in throw Unexpected() } }
      #expect(heard.map(\.text) == ["a: the converter gave up", "b: the converter gave up"])
      #expect(heard.allSatisfy { $0.site.line == line })
    }
  }

  @Test func aCaseCanBeExpectedAsACastAndItsWarningsNameIt() throws {
    let folder = Fixture.named("notifications/did-renew")
    let fixture = try #require(
      try ParityFixture.all(in: Fixture.root.appendingPathComponent("notifications")).first {
        $0.name == "did-renew"
      })
    #expect(fixture.legacy == folder.legacy)
    let heard = Recorder.hear { expectConversion(fixture, ignoring: [IgnoreRule("data.x", because: "?")]) }
    #expect(heard.map(\.severity) == [.warning])
    #expect(heard.first?.text.hasPrefix("did-renew: line ") == true)
  }
}
