import SlipcastBulk
import SlipcastWire

/// Reports skipped files in directories: nothing is skipped silently.
enum PassedOverWords {
  private static let most = 5

  static func say(_ passedOver: [PassedOver], _ arguments: Arguments, _ console: Console) {
    if arguments.has("quiet") { return }
    let (others, passedOver) = (
      passedOver.filter { $0.reason == .otherName }, passedOver.filter { $0.reason != .otherName }
    )
    if !others.isEmpty { console.say("slipcast: \(words(ofOtherNames: others.map(\.path)))\n") }
    for place in passedOver.prefix(most) { console.say("slipcast: \(Console.harmless(place.description))\n") }
    let rest = passedOver.count - most
    if rest > 0 { console.say("slipcast: … and \(rest) more were skipped\n") }
    if !passedOver.isEmpty {
      console.say("slipcast: to read a skipped file, name it as an input\n")
    }
  }

  /// Files of a folder with other names, in which nothing was found.
  static func say(withoutRecords paths: [String], _ arguments: Arguments, _ console: Console) {
    if paths.isEmpty || arguments.has("quiet") { return }
    console.say("slipcast: \(files(paths)) without records: \(names(paths))\n")
  }

  private static func words(ofOtherNames paths: [String]) -> String {
    "\(files(paths)) skipped: unknown extension (\(names(paths))); name a file as an input "
      + "to read it (slipcast detect FILE finds its options), or use --include"
  }

  private static func files(_ paths: [String]) -> String {
    paths.count == 1 ? "1 file" : "\(paths.count.grouped) files"
  }

  /// The first names.
  private static func names(_ paths: [String]) -> String {
    let names = paths.prefix(3).map { String($0.split(separator: "/").last ?? "") }.map(Console.harmless)
    return names.joined(separator: ", ") + (paths.count > names.count ? ", …" : "")
  }
}
