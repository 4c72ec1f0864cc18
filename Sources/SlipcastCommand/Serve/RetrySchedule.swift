/// The seconds between attempts to deliver, as `--retry-seconds` names them.
enum RetrySchedule {
  /// When Apple sends a V2 notification again: 1, 12, 24, 48 and 72 hours after the attempt before.
  static let apple = [3600, 43_200, 86_400, 172_800, 259_200]

  static func read(_ text: String) throws -> [Int] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let seconds = parts.compactMap { Int($0) }.filter { (0...31_536_000).contains($0) }
    guard seconds.count == parts.count, seconds.count <= 100 else {
      throw UsageError("--retry-seconds is a list of seconds such as 60,3600, not \"\(text)\"")
    }
    return seconds
  }
}
