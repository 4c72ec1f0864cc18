import Foundation
import SlipcastNetwork
import SlipcastTestSupport
import Testing

@testable import SlipcastServer

/// Which file keeps what was delivered to a service.
@Suite struct ForwardStateTests {
  private let folder: JournalFolder

  init() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString)").path
    folder = JournalFolder(path)
    _ = try folder.create()
  }

  /// Starts services in an order; the names of their files.
  private func start(_ queries: String...) throws -> [String] {
    var forwards = try queries.map { Forward(.raw, try #require(HTTPAddress("http://user@127.0.0.1/hook?\($0)"))) }
    Forward.distinguish(&forwards)
    #expect(Set(forwards.map(\.name)).count == queries.count)
    return try forwards.map { forward in
      let file = try forward.stateFile(in: folder)
      if !FileManager.default.fileExists(atPath: file) {
        try Data(forward.address.secretText.utf8).write(to: URL(filePath: file))
      }
      return try String(contentsOfFile: file, encoding: .utf8).split(separator: "?").last.map(String.init) ?? ""
    }
  }

  private func end() throws { try FileManager.default.removeItem(atPath: folder.path) }

  @Test func anotherQueryOfTheOnlyServiceContinues() throws {
    #expect(try start("token=1") == ["token=1"])
    #expect(try start("token=2") == ["token=1"])
    #expect(try start("token=3") == ["token=1"])
    try end()
  }

  /// A file of another service would repeat events for one, and lose them for the other.
  @Test func servicesThatDifferInTheirQueryKeepTheirFiles() throws {
    #expect(try start("k=1", "k=2") == ["k=1", "k=2"])
    #expect(try start("k=2", "k=1") == ["k=2", "k=1"])
    #expect(try start("k=2") == ["k=2"])
    #expect(try start("k=1") == ["k=1"])
    try end()
  }

  @Test func theOneOfTwoThatChangesContinues() throws {
    #expect(try start("k=1", "k=2") == ["k=1", "k=2"])
    #expect(try start("k=3", "k=2") == ["k=1", "k=2"])
    // Both are other services, or have other tokens: which is which is unknown.
    #expect(try start("k=4", "k=5") == ["k=4", "k=5"])
    try end()
  }
}
