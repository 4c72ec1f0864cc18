import Foundation
import SlipcastComparison
import SlipcastWire

/// A record that was read.
struct Input {
  let name: String
  let bytes: [UInt8]
  let file: URL?
  /// It was given as text, where people sometimes write the path of a file.
  private let isText: Bool

  init(_ record: some ParityRecord, fallback: String) throws(CheckFault) {
    name = record.parityName ?? fallback
    file = Self.file(of: record)
    isText = record is String || record is Substring
    do {
      bytes = try record.parityJSON
    } catch {
      throw CheckFault(error, about: name, isEncoding: true)
    }
  }

  /// The file of a record, where it is one.
  static func file(of record: some ParityRecord) -> URL? {
    (record as? RecordFile)?.url ?? (record as? URL).flatMap { $0.isFileURL ? $0 : nil }
  }

  /// A fault in the record, with its line, in the words of the command.
  func fault(_ place: String, _ message: String) -> CheckFault {
    let isPath = isText && !bytes.contains(UInt8(ascii: "{"))
    let hint = isPath ? "; a text is the record itself, .file(…) reads one" : ""
    return CheckFault("\(name)\(place): \(message)\(hint)")
  }
}

/// Why an expectation could not be judged.
struct CheckFault: Error {
  let message: String

  init(_ message: String) { self.message = SafeText.words(message) }

  /// What code of the test threw, without the value that could not be encoded.
  ///
  /// - Parameter isEncoding: it encoded a value.
  init(_ error: any Error, about name: String, isEncoding: Bool = false) {
    guard case .invalidValue(_, let context)? = error as? EncodingError else {
      self.init(isEncoding && !(error is FileFault) ? "\(name): cannot encode the value: \(error)" : "\(error)")
      return
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    self.init("\(name): cannot encode \(path.isEmpty ? "the value" : path): \(context.debugDescription)")
  }
}
