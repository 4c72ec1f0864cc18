import SlipcastBulk
import SlipcastSystem
import SlipcastWire

/// What a person probably meant with the name of a file.
enum FileHint {
  /// More names than these are not looked through for a better one.
  private static let limit = 10_000

  /// `; did you mean …?` where a missing file has a neighbor with nearly the same name.
  static func text(_ error: FileError) -> String {
    guard error.action == "open", error.number == Platform.notFound, error.path != "-" else { return "" }
    let parts = error.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.last, !name.isEmpty else { return "" }
    let folder = parts.dropLast().joined(separator: "/")
    let place = parts.count == 1 ? "." : folder.isEmpty ? "/" : folder
    guard let names = try? Platform.names(in: place), names.count <= limit else { return "" }
    guard let nearest = nearest(to: name, among: names) else { return "" }
    return "; did you mean \((parts.dropLast() + [nearest]).joined(separator: "/"))?"
  }

  /// `; did you mean --original-transaction-id …?` where a number stands next to an input, as ids do.
  ///
  /// - Parameter words: the words of the command line.
  static func idText(_ error: FileError, _ words: [String]) -> String {
    guard error.action == "open", error.number == Platform.notFound, words.first == "timeline", words.count > 2,
      !error.path.isEmpty, error.path.allSatisfy(\.isNumber)
    else { return "" }
    return "; to show one subscription: --original-transaction-id \(error.path)"
  }

  /// A name that differs before its extension or in it, but not in both.
  private static func nearest(to name: String, among names: [String]) -> String? {
    func stem(_ name: String) -> String { String(name.prefix { $0 != "." }) }
    func rest(_ name: String) -> String { String(name.drop { $0 != "." }) }
    let twins = names.filter { stem($0) == stem(name) }
    if twins.count == 1 { return twins[0] }
    if let twin = Suggestion.closest(to: rest(name), among: twins.map(rest)) { return stem(name) + twin }
    // v1.json and v2.json differ on purpose.
    let letters = name.filter { !$0.isNumber }
    let others = names.filter { rest($0) == rest(name) && $0.filter { !$0.isNumber } != letters }
    return Suggestion.closest(to: stem(name), among: others.map(stem)).map { $0 + rest(name) }
  }

  /// The readable files there; `nil` if absent.
  static func inputKind(_ path: String) -> String? {
    switch Platform.kind(path) {
    case .file: "file"
    case .folder: "folder"
    case .nothing, .link, .other: nil
    }
  }
}
