import Foundation
import SlipcastFuzzTargets

// libFuzzer has the `main` of this program, and calls these two functions of C:
// `slipcast-fuzz TARGET …` lets it try a target; the other words are its own.

/// What tries each input; a function of C can hold nothing.
nonisolated(unsafe) private var body: FuzzTarget.Body = { _ in }

/// Takes the target's name off the command line.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  let words = (1..<Int(count.pointee)).compactMap { arguments.pointee[$0].map { String(cString: $0) } }
  do {
    switch words.first {
    case "--list":
      for target in FuzzTarget.all { print("\(target.name)\t\(target.limit)\t\(target.summary)") }
      exit(0)
    case "--seeds" where words.count == 2:
      for target in FuzzTarget.all { try SeedFolder(words[1]).write(target) }
      exit(0)
    case let name?:
      guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { fallthrough }
      body = try target.make()
    default:
      print("slipcast-fuzz --list | --seeds FOLDER | TARGET [libFuzzer's options and folders]")
      exit(2)
    }
  } catch {
    print("slipcast-fuzz: \(error)")
    exit(2)
  }
  // libFuzzer has its own reading of the first word: the program's name takes the place of the target's.
  arguments.pointee[1] = arguments.pointee[0]
  arguments.pointee += 1
  count.pointee -= 1
  return 0
}

/// Tries one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  do {
    try body(UnsafeBufferPointer(start: data, count: size))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
