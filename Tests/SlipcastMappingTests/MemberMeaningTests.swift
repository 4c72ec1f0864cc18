import Foundation
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// `explain` knows every member of Apple's V2 objects, with the meaning that the library's documentation states.
@Suite struct MemberMeaningTests {
  private static let explainer = Explainer(rules: BuiltIn.rules)

  @Test(arguments: ModelCatalog.models.map(\.name))
  func everyMemberOfAnObjectHasItsMeaning(_ name: String) throws {
    let model = try #require(ModelCatalog.models.first { $0.name == name })
    for field in model.fields where field.name != "migration" {
      let pages = Self.explainer.pages(for: field.name)
      #expect(!pages.isEmpty, "\(field.name)")
      // Of members with rules, the rules state more.
      for page in pages where page.title == "\(name).\(field.name)" {
        #expect(page.lines.contains { $0.label == "means" }, "\(page.title)")
      }
    }
  }

  /// The doc comments of the models, without the marks of code.
  private static func comments() throws -> String {
    let folder = Folder.package("Sources/SlipcastV2")
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let lines = try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
      try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n")
    }
    let comments = lines.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("///") }.map { $0.dropFirst(4) }
    return comments.joined(separator: " ").replacing("`", with: "")
  }

  @Test(arguments: ["taxRate", "x5c", "refundReason", "commitmentPrice", "userLocale", "sendAttemptResult"])
  func aMemberWithoutARuleHasItsMeaning(_ name: String) {
    #expect(Self.explainer.pages(for: name).contains { page in page.lines.contains { $0.label == "means" } })
  }

  /// A path of a report leads to the rule, not to a member of the same name.
  @Test func aPathLeadsToItsRule() {
    #expect(Self.explainer.pages(for: "data.status").contains { $0.lines.contains { $0.label == "V2" } })
  }

  @Test func theMeaningsAreThoseOfTheDocumentation() throws {
    let comments = try Self.comments()
    let family = try #require(BuiltIn.rules.words.first { $0.of == "member" })
    #expect(family.words.count > 200)
    for word in family.words { #expect(comments.contains(word.meaning), "\(word.name)") }
    let known = Set(ModelCatalog.models.flatMap { model in model.fields.map { "\(model.name).\($0.name)" } })
    #expect(Set(family.words.map(\.name)).subtracting(known).isEmpty)
  }
}
