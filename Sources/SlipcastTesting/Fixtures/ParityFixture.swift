public import Foundation
public import Testing

/// One case of a folder of cases: a folder with a legacy record and the V2 record of the same event.
///
///     Cases/
///       price-consent/  v1.json  v2.json
///       renewal/        v1.json  v2.json
///
/// A new case is a new folder; no test has to change:
///
///     @Test(arguments: try ParityFixture.all(in: "Cases"))
///     func whatWeArchivedIsWhatAppleSays(_ fixture: ParityFixture) {
///       expectParity(fixture)
///     }
///
/// A case whose files are not both there fails where it is used.
public struct ParityFixture: Hashable, Sendable, Identifiable, CustomStringConvertible, CustomTestStringConvertible {
  /// The folder's name, under which a test framework shows the case.
  public let name: String
  /// The folder.
  public let folder: URL
  /// The file with the legacy record.
  public let legacy: URL
  /// The file with the V2 record.
  public let server: URL

  /// The folder's name.
  public var id: String { name }
  /// The folder's name.
  public var description: String { name }
  /// The folder's name.
  public var testDescription: String { name }

  /// Any other file of the case.
  public func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// All cases of a folder, by name: every folder in it that is not hidden.
  ///
  /// - Parameters:
  ///   - path: from the folder of the source file that asks, or an absolute path.
  ///   - legacy: what the legacy records are called.
  ///   - server: what the V2 records are called.
  ///   - filePath: the source file.
  /// - Throws: `FixtureError` if the folder is missing or contains no case: a test without cases would pass.
  public static func all(
    in path: String, legacy: String = "v1.json", server: String = "v2.json", filePath: StaticString = #filePath
  ) throws(FixtureError) -> [ParityFixture] {
    try all(in: ShownPath.url(path, besides: filePath), legacy: legacy, server: server)
  }

  /// All cases of a folder, by name: every folder in it that is not hidden.
  ///
  /// - Parameters:
  ///   - folder: the folder of the cases.
  ///   - legacy: what the legacy records are called.
  ///   - server: what the V2 records are called.
  /// - Throws: `FixtureError` if the folder is missing or contains no case: a test without cases would pass.
  public static func all(
    in folder: URL, legacy: String = "v1.json", server: String = "v2.json"
  ) throws(FixtureError) -> [ParityFixture] {
    let path = ShownPath.of(folder)
    guard isFolder(folder) else {
      let isThere = FileManager.default.fileExists(atPath: folder.path)
      throw FixtureError(path: path, reason: isThere ? .noFolder : .missing)
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw FixtureError(path: path, reason: .unreadable(FileFault(path: path, action: "open", error: error).reason))
    }
    let folders = names.filter { !$0.hasPrefix(".") }.sorted().map { ($0, folder.appendingPathComponent($0)) }
    let cases = folders.filter { isFolder($0.1) }.map { name, folder in
      ParityFixture(
        name: name, folder: folder, legacy: folder.appendingPathComponent(legacy),
        server: folder.appendingPathComponent(server))
    }
    guard !cases.isEmpty else { throw FixtureError(path: path, reason: .empty(legacy: legacy, server: server)) }
    return cases
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
