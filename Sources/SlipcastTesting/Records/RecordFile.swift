public import Foundation
import SlipcastSystem
import SlipcastWire

/// A record in a file.
public struct RecordFile: ParityRecord, Hashable, Sendable {
  /// Its location.
  public let url: URL

  /// A file by its URL.
  public init(_ url: URL) { self.url = url }

  /// All bytes of the file.
  ///
  /// - Throws: An error that names the file and says why it cannot be read.
  public var parityJSON: [UInt8] {
    get throws {
      do {
        return Array(try Data(contentsOf: url))
      } catch {
        throw FileFault(path: parityName ?? url.path, action: "open", error: error)
      }
    }
  }

  /// The file's path, relative to the working directory if it is below it.
  public var parityName: String? { ShownPath.of(url) }
}

extension ParityRecord where Self == RecordFile {
  /// A file next to the test.
  ///
  /// - Parameters:
  ///   - path: from the folder of the source file that says this, or an absolute path.
  ///   - filePath: the source file.
  public static func file(_ path: String, filePath: StaticString = #filePath) -> RecordFile {
    RecordFile(ShownPath.url(path, besides: filePath))
  }
}

extension URL: ParityRecord {
  /// All bytes of the file that the URL names; nothing is read over the network.
  ///
  /// - Throws: An error that names the file and says why it cannot be read.
  public var parityJSON: [UInt8] {
    get throws {
      guard isFileURL else {
        throw FileFault(path: absoluteString, action: "open", reason: "expected the URL of a file")
      }
      return try RecordFile(self).parityJSON
    }
  }

  /// The file's path, relative to the working directory if it is below it.
  public var parityName: String? { isFileURL ? ShownPath.of(self) : nil }
}

/// Paths of files, short where they can be.
enum ShownPath {
  /// The path from the working directory, or the whole path of a file elsewhere.
  static func of(_ url: URL) -> String {
    let here = FileManager.default.currentDirectoryPath
    let path = url.standardizedFileURL.path
    let prefix = here.hasSuffix("/") ? here : here + "/"
    return path.hasPrefix(prefix) && prefix != "/" ? String(path.dropFirst(prefix.count)) : path
  }

  /// A path that is meant from the folder of a source file.
  static func url(_ path: String, besides source: StaticString) -> URL {
    if path.hasPrefix("/") { return URL(fileURLWithPath: path) }
    let folder = URL(fileURLWithPath: "\(source)").deletingLastPathComponent()
    return folder.appendingPathComponent(path).standardizedFileURL
  }
}

/// A file that cannot be read or written, in the words of the command.
struct FileFault: Error, CustomStringConvertible {
  var path: String
  var action: String
  var reason: String

  init(path: String, action: String, reason: String) {
    (self.path, self.action, self.reason) = (path, action, reason)
  }

  init(path: String, action: String, error: any Error) {
    let error = error as NSError
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
    let system = [error, underlying].compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }
    self.init(path: path, action: action, reason: system.map { Self.reason($0.code) } ?? error.localizedDescription)
    if error.code == CocoaError.Code.fileReadNoSuchFile.rawValue { reason = Platform.reason(Platform.notFound) }
  }

  var description: String { "\(path): cannot \(action): \(reason)" }

  private static func reason(_ code: Int) -> String { Platform.reason(Int32(code)) }
}
