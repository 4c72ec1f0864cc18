import Foundation
import SlipcastTestSupport
import Testing

/// The page that `timeline --report` draws.
@Suite struct LifePageTests {
  private static let archive = Fixture.root.appendingPathComponent("archives/subscription/v1.ndjson").path
  private static let rows = "--body /body --received-at /received_at"

  private func shell(_ lines: String) throws -> Program {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try Program.shell("cd '\(folder.path)'\n\(lines)")
  }

  @Test func thePageShowsAccessRefundsAndReasonsWithoutScriptsOrNetwork() throws {
    let run = try shell(
      "slipcast timeline --quiet \(Self.rows) '\(Self.archive)' --report life.html > /dev/null; cat life.html")
    let page = run.output.replacing(/<\/?span[^>]*>/, with: "")
    #expect(page.contains("<dt>Access until</dt>"))
    #expect(page.contains("2022-06-12T07:45:00Z"), "the refund of the last period ends access")
    #expect(page.contains("1 of 5 periods") && page.contains("The period ended early (refunded)."))
    #expect(page.contains("DID_CHANGE_RENEWAL_PREF/UPGRADE"))
    #expect(page.contains("never sent by V1"))
    #expect(!page.contains("<script") && !page.contains("http://") && !page.contains("src="))
  }

  @Test func onePageIsOfOneSubscription() throws {
    let folder = Fixture.root.appendingPathComponent("notifications").path
    let run = try shell(
      "slipcast timeline --quiet --include v1.json '\(folder)' --report life.html > /dev/null; echo \"status $?\"; ls")
    #expect(run.output == "status 2\n")
    #expect(run.errors.contains("--original-transaction-id"))
    let other = try shell(
      "slipcast timeline --quiet '\(Self.archive)' --report life.pdf > /dev/null; echo \"status $?\"")
    #expect(other.output == "status 2\n" && other.errors.contains(".html"))
  }
}
