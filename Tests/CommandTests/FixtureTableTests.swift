import Foundation
import SlipcastTestSupport
import Testing

/// Holds the table of facts in `Fixtures/README.md` to the folders of the cases.
@Suite struct FixtureTableTests {
  /// A row: what is a fact, the cases that show it, and those just outside it.
  struct Row: CustomTestStringConvertible {
    let fact: String
    let cells: [String]
    var testDescription: String { fact }
  }

  static let rows: [Row] = {
    let path = Fixture.root.appendingPathComponent("README.md")
    guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
    let table = text.components(separatedBy: "## The facts and their cases").last ?? ""
    return table.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
      .map { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return Row(fact: cells[0], cells: Array(cells.dropFirst()))
      }
  }()

  @Test(arguments: rows) func everyFactHasACaseAndOneJustOutsideIt(_ row: Row) throws {
    #expect(row.cells.count == 2)
    for cell in row.cells {
      let words = cell.split(separator: " ").map(String.init)
      #expect(!words.isEmpty)
      for word in words where word != "`Tests`" {
        if word.hasPrefix("`") {
          let name = word.trimmingCharacters(in: ["`"])
          let folder = Fixture.root.appendingPathComponent(name.contains("/") ? name : "notifications/\(name)")
          #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("source.txt").path), "\(name)")
        } else {
          #expect(Self.suites.contains("\(word).swift"), "\(word)")
        }
      }
    }
    let shown = row.cells.first?.split(separator: " ").first { $0.hasPrefix("`") && $0 != "`Tests`" }
    if let shown { #expect(!row.cells[1].contains(shown), "one case cannot be both") }
  }

  @Test func theTableIsThere() { #expect(Self.rows.count > 60) }

  private static let suites: Set<String> = {
    let tests = Fixture.root.deletingLastPathComponent().appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    return Set(files?.compactMap { ($0 as? URL)?.lastPathComponent } ?? [])
  }()
}
