import SlipcastComparison
import SlipcastMapping
import SlipcastWire

/// Runs a body for every case of a folder, for XCTest, which has no parameterised tests.
///
///     func testWhatWeArchivedIsWhatAppleSays() {
///       forEachFixture(in: "Cases") { expectParity($0) }
///     }
///
/// Issues of expectations in the body begin with the case's name, and one case that fails does not keep the others from
/// being tested. A folder that is missing or empty fails, at the caller's line, and so does a body that throws.
///
/// - Parameters:
///   - path: from the folder of the source file that asks, or an absolute path.
///   - legacy: what the legacy records are called.
///   - server: what the V2 records are called.
///   - fileID: where issues of the folder are recorded.
///   - filePath: where issues of the folder are recorded.
///   - line: where issues of the folder are recorded.
///   - column: where issues of the folder are recorded.
///   - body: what to do with a case.
public func forEachFixture(
  in path: String, legacy: String = "v1.json", server: String = "v2.json", fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: (ParityFixture) throws -> Void
) {
  let check = Check(site: CallSite(fileID, filePath, line, column))
  do throws(FixtureError) {
    for fixture in try ParityFixture.all(in: path, legacy: legacy, server: server, filePath: filePath) {
      Surroundings.in(case: fixture.name) {
        do {
          try body(fixture)
        } catch {
          check.fail(CheckFault(error, about: "the body").message)
        }
      }
    }
  } catch {
    check.fail(error.description)
  }
}
