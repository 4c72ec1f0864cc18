import Foundation
import SlipcastTestSupport
import Testing

/// Every file of JSONTestSuite given to the program: it ends in order, and what it rejects has a place.
@Suite(.enabled(if: ForeignSuite.json.isPresent, "SLIPCAST_JSONTESTSUITE names no folder of the suite"))
struct JSONTestSuiteCommandTests {
  /// What came of one file.
  struct Outcome {
    var status: Int32
    var errors: String
    var rejects: [[String: Any]]
  }

  static func convert(_ name: String) throws -> Outcome {
    let root = try #require(ForeignSuite.json.root)
    let rejects = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: rejects) }
    let file = root.appendingPathComponent(name).path
    let run = try Program.shell("slipcast convert --quiet --rejects '\(rejects.path)' '\(file)' >/dev/null")
    let lines = (try? String(contentsOf: rejects, encoding: .utf8))?.split(separator: "\n") ?? []
    let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
    return Outcome(status: run.status, errors: run.errors, rejects: objects)
  }

  @Test(arguments: ForeignSuite.json.names())
  func theProgramEndsInOrderAndEveryRejectHasAPlace(_ name: String) throws {
    let size = try ForeignSuite.json.bytes(name).count
    let outcome = try Self.convert(name)
    #expect(outcome.status == (outcome.rejects.isEmpty ? 0 : 1), "\(outcome.errors)")
    for reject in outcome.rejects {
      let (offset, line) = (reject["offset"] as? Int ?? -1, reject["line"] as? Int ?? -1)
      #expect((0...size).contains(offset) && line >= 1)
      #expect((reject["code"] as? String)?.isEmpty == false && (reject["message"] as? String)?.isEmpty == false)
    }
  }

  /// These contain no record: nothing, blanks, a byte order mark, and arrays of no items.
  ///
  /// An array is a stream of records, and several may follow each other; what is between their items is not a record.
  static let holdsNoRecord: Set = [
    "n_structure_no_data.json", "n_single_space.json", "n_structure_UTF8_BOM_no_data.json", "n_array_just_comma.json",
    "n_structure_double_array.json",
  ]

  @Test(arguments: ForeignSuite.json.names("n_"))
  func whatIsNoJSONIsRejected(_ name: String) throws {
    #expect(try Self.convert(name).rejects.isEmpty == Self.holdsNoRecord.contains(name))
  }
}
