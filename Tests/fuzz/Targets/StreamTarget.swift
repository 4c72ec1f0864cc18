import Dispatch
import Foundation
import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// A whole source, as it lies on a disk: lines, arrays, texts, receipts, compressed, archived; the first byte chooses
  /// the options.
  static let stream = FuzzTarget(
    name: "stream",
    summary: "every record of a source is converted or rejected, once; two workers give what one gives",
    seeds: {
      let texts =
        try Seeds.folder("Fixtures/streams", endingIn: ["json"]) + Seeds.folder("Fixtures/rejects", endingIn: ["json"])
      let forms = try Seeds.folder("Examples/sources", endingIn: ["json"])
      let archives = try Seeds.folder("Fixtures/archives", endingIn: [".gz", ".zst", ".tar", ".zip", ".tgz"])
      let receipts = try SignedReceipts.files(starting: "app-production", "ios6-v3")
      return (texts + forms + archives + receipts).flatMap { [[0] + $0, [7] + $0] }
    },
    words: LegacyWords.all + [
      "eyJ", "MII", "\r\n", "\u{FEFF}", "}\n{", "}{\"",
      "{\"S\":", "{\"M\":{", "\"Item\":{", "{\"$date\":", "\u{1F}\u{8B}\u{8}", "(\u{B5}/\u{FD}", "ustar",
      "PK\u{3}\u{4}",
    ],
    limit: 64 << 10,
    make: {
      let bench = try StreamBench()
      return { bytes in try bench.run(bytes.first ?? 0, bytes.dropFirst()) }
    })
}

/// Converts sources that lie in one file, again and again.
private final class StreamBench {
  private let rules: RuleSet
  private let path: String

  init() throws {
    rules = try RuleSet.builtIn()
    path = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-fuzz-\(getpid())").path
  }

  deinit { unlink(path) }

  func run(_ choice: UInt8, _ source: Slice<UnsafeBufferPointer<UInt8>>) throws {
    guard let file = fopen(path, "w") else { throw Violation("no file at \(path)") }
    fwrite(UnsafeBufferPointer(rebasing: source).baseAddress, 1, source.count, file)
    fclose(file)
    let one = try convert(choice, jobs: 1)
    guard choice & 4 != 0 else { return }
    let two = try convert(choice, jobs: 2)
    guard one.output == two.output, one.rejects == two.rejects else {
      throw Violation("two workers give another result")
    }
  }

  private func convert(_ choice: UInt8, jobs: Int) throws -> MemorySink {
    var options = ConvertOptions()
    options.jobs = jobs
    options.keepsRejects = true
    options.keepsProvenance = choice & 2 != 0
    options.isResumable = choice & 8 != 0
    if choice & 1 != 0 { (options.recordBytes, options.depth) = (2048, 16) }
    if choice & 16 != 0 { options.body = JSONPointer("/body") }
    options.emission = Emission.allCases[Int(choice >> 5) % Emission.allCases.count]
    let run = ConvertRun(rules: rules, options: options)
    let result = try Waiting.result { [path] in
      var sink = MemorySink()
      do {
        let (_, counts) = try await run.convert([InputFile(path: path)], to: &sink)
        return (sink, counts)
      } catch let error as BulkError {
        throw Violation("a source ended the run: \(error)")
      }
    }
    let (sink, counts) = result
    guard counts.read == counts.converted + counts.rejected, counts.converted == sink.lines,
      counts.rejected == sink.rejects.count
    else { throw Violation("the counts do not add up") }
    return sink
  }
}

/// Takes what a run writes into memory.
private struct MemorySink: RunSink {
  var output: [UInt8] = []
  var lines = 0
  var rejects: [String] = []

  mutating func write(output bytes: UnsafeBufferPointer<UInt8>) {
    output += bytes
    lines += bytes.count { $0 == UInt8(ascii: "\n") }
  }
  mutating func write(provenance bytes: UnsafeBufferPointer<UInt8>) {}
  mutating func write(reject: Reject) throws {
    rejects.append(reject.description)
    let writer = JSONWriter()
    reject.write(to: writer)
    guard (try? ReadText(writer.buffer)) != nil else { throw Violation("a reject is no JSON") }
  }
}

/// Waits for what is done by others.
private enum Waiting {
  private final class Box<Value>: @unchecked Sendable {
    // Safe to share: written before the signal, read behind it.
    var value: Result<Value, any Error>?
  }

  static func result<Value>(of work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let (box, done) = (Box<Value>(), DispatchSemaphore(value: 0))
    Task.detached {
      do {
        box.value = .success(try await work())
      } catch {
        box.value = .failure(error)
      }
      done.signal()
    }
    done.wait()
    guard let value = box.value else { throw Violation("nothing came") }
    return try value.get()
  }
}
