import Foundation
import Testing

/// Data compressed and archived by programs of others.
enum Packed {
  /// What Python's own modules make of bytes.
  enum Form: String, CaseIterable {
    case gz, bz2, xz, tar, zip
    case tgz = "tar.gz"

    /// Expressions over `data`, the bytes that came in.
    fileprivate var python: String {
      let archive = { (mode: String) in
        "(lambda b: (lambda t: ([t.addfile(i, io.BytesIO(data)) for i in [info()]], t.close(), b.getvalue())[2])"
          + "(tarfile.open(fileobj=b, mode='\(mode)')))(io.BytesIO())"
      }
      return switch self {
      case .gz: "gzip.compress(data)"
      case .bz2: "bz2.compress(data)"
      case .xz: "lzma.compress(data)"
      case .tar: archive("w")
      case .tgz: archive("w:gz")
      case .zip:
        "(lambda b: (lambda z: (z.writestr('records.json', data), z.close(), b.getvalue())[2])"
          + "(zipfile.ZipFile(b, 'w', zipfile.ZIP_DEFLATED)))(io.BytesIO())"
      }
    }
  }

  /// Bytes in one form, and that in the next, and so on.
  static func pack(_ bytes: [UInt8], _ forms: [Form]) throws -> [UInt8] {
    try forms.reduce(bytes) { held, form in try run(form.python, held) }
  }

  private static func run(_ expression: String, _ bytes: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let program = """
      import bz2, gzip, io, lzma, sys, tarfile, zipfile
      data = sys.stdin.buffer.read()
      def info():
          entry = tarfile.TarInfo('folder/records.json')
          entry.size = len(data)
          return entry
      sys.stdout.buffer.write(\(expression))
      """
    process.arguments = ["python3", "-c", program]
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString)")
    try Data(bytes).write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    process.standardInput = try FileHandle(forReadingFrom: folder)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let packed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return Array(packed)
  }
}
