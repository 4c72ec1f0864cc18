import Foundation
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// Nicolas Seriot's JSONTestSuite, read by the reader itself.
///
/// Its folder (`test_parsing`) is named by `SLIPCAST_JSONTESTSUITE`.
@Suite(.enabled(if: ForeignSuite.json.isPresent, "SLIPCAST_JSONTESTSUITE names no folder of the suite"))
struct JSONTestSuiteTests {
  static let suite = ForeignSuite.json

  /// What the reader says of a file: nothing, when it takes it.
  static func fault(_ bytes: [UInt8]) -> JSONError? {
    do throws(JSONError) {
      _ = try ReadText(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: suite.names("y_"))
  func whatIsJSONIsTaken(_ name: String) throws {
    let fault = Self.fault(try Self.suite.bytes(name))
    #expect(fault == nil)
  }

  @Test(arguments: suite.names("n_"))
  func whatIsNoJSONIsRefusedAtAPlaceInside(_ name: String) throws {
    let bytes = try Self.suite.bytes(name)
    let fault = try #require(Self.fault(bytes), "accepted, although it is not JSON")
    #expect((0...bytes.count).contains(fault.offset))
    #expect(!fault.description.isEmpty)
  }

  @Test func theSuiteIsWhole() {
    #expect(Self.suite.names("y_").count >= 95)
    #expect(Self.suite.names("n_").count >= 187)
    #expect(Self.suite.names("i_").count >= 35)
  }

  /// Foundation takes a comma too many at the end of a list; else it agrees on all that the standard decides.
  @Test(arguments: suite.names("y_") + suite.names("n_"))
  func foundationSaysTheSame(_ name: String) throws {
    let bytes = try Self.suite.bytes(name)
    let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    let hasCommaTooMany = [
      "n_array_extra_comma.json", "n_array_number_and_comma.json", "n_object_trailing_comma.json",
    ].contains(name)
    #expect((theirs != nil) == (Self.fault(bytes) == nil || hasCommaTooMany))
  }

  @Test func theTableSaysWhatTheReaderDoes() throws {
    let text = try JSONTestSuiteTable.text()
    #expect(try ConformanceTable.stated("JSONTestSuite.md", instead: text) == text)
  }
}
