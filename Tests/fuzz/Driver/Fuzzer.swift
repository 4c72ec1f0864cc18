import CSlipcastFuzzer
import Foundation
import SlipcastFuzzTargets

/// `slipcast-fuzz TARGET …` lets libFuzzer try a target; the other words are libFuzzer's.
@main
enum Fuzzer {
  /// What tries each input; a function of C can hold nothing.
  nonisolated(unsafe) private static var body: FuzzTarget.Body = { _ in }

  private static let variable = "SLIPCAST_FUZZ_TARGET"

  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "--list":
      for target in FuzzTarget.all { print("\(target.name)\t\(target.limit)\t\(target.summary)") }
    case "--seeds" where words.count == 2:
      for target in FuzzTarget.all { try SeedFolder(words[1]).write(target) }
    default:
      // libFuzzer starts this program again without the name of the target, as for `-merge=1`.
      let inherited = ProcessInfo.processInfo.environment[variable]
      let isNamed = FuzzTarget.all.contains { $0.name == words.first }
      guard let target = FuzzTarget.all.first(where: { $0.name == (isNamed ? words.first : inherited) }) else {
        print("slipcast-fuzz --list | --seeds FOLDER | TARGET [libFuzzer's options and folders]")
        exit(2)
      }
      setenv(variable, target.name, 1)
      body = try target.make()
      run(isNamed ? Array(words.dropFirst()) : words)
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
