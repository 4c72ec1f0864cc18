import CSlipcastFuzzer
import Foundation
import SlipcastFuzzTargets

/// `slipcast-fuzz TARGET …` lets libFuzzer try a target; the other words are libFuzzer's.
@main
enum Fuzzer {
  /// What tries each input; a function of C can hold nothing.
  nonisolated(unsafe) private static var body: FuzzTarget.Body = { _ in }

  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "--list":
      for target in FuzzTarget.all { print("\(target.name)\t\(target.limit)\t\(target.summary)") }
    case "--seeds" where words.count == 2:
      for target in FuzzTarget.all { try SeedFolder(words[1]).write(target) }
    default:
      guard let target = FuzzTarget.all.first(where: { $0.name == words.first }) else {
        print("slipcast-fuzz --list | --seeds FOLDER | TARGET [libFuzzer's options and folders]")
        exit(2)
      }
      body = try target.make()
      run(Array(words.dropFirst()))
    }
  }

  private static func run(_ words: [String]) {
    var arguments = ([CommandLine.arguments[0]] + words).map { strdup($0) }
    var count = CInt(arguments.count)
    arguments.append(nil)
    arguments.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      _ = LLVMFuzzerRunDriver(&count, &start) { data, size in
        do {
          try Fuzzer.body(UnsafeBufferPointer(start: data, count: size))
        } catch {
          fatalError("\(error)")
        }
        return 0
      }
    }
  }
}
