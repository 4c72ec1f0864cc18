import Foundation
import SlipcastTestSupport
import SlipcastTesting
import Testing

/// `Examples/testing/README.md` shows code that runs, and failures as they are.
@Suite struct ExampleTests {
  private func blocks(_ language: String) throws -> [String] {
    let text = try String(contentsOfFile: Folder.package("Examples/testing/README.md"), encoding: .utf8)
    let parts = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    return parts.filter { $0.hasPrefix(language + "\n") }.map { String($0.dropFirst(language.count + 1)) }
  }

  private func lines(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }

  @Test func theReadmeShowsCodeOfTheExample() throws {
    let files = ["ParityTests.swift", "ParityXCTests.swift"].map { Folder.package("Examples/testing/" + $0) }
    let code = lines(try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined())
    let shown = try blocks("swift")
    #expect(shown.count == 5)
    for block in shown { #expect(code.contains(lines(block)), "\(block)") }
  }

  @Test func theReadmeShowsTheFailureOfACase() throws {
    let folder = Folder.package("Examples/testing/Cases/renewal-turned-off")
    let issue = try Recorder.failure {
      expectParity(legacy: .file(folder + "/v1.json"), server: .file(folder + "/v2.json"))
    }
    let shown = try #require(try blocks("").first)
    #expect(shown.hasPrefix(issue.headline))
    // Paths depend on where the tests run.
    for line in shown.split(separator: "\n") where !line.contains("Examples/") {
      #expect(issue.text.contains(line), "\(line)")
    }
    #expect(try blocks("").count == 2)
  }
}
