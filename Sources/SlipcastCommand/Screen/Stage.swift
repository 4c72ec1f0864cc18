import SlipcastBulk
import SlipcastSystem

/// How far one stage of a run is: what is read, sent or written now.
struct Stage: Sendable {
  /// What is done; empty for a run of a single stage.
  var name = ""
  /// What is done of all, in bytes, events or requests; `nil` where the whole is unknown.
  var share: (done: Double, all: Double)?
  /// How many so far, and of what.
  var count: Int
  var unit = "records"
  /// Bytes read so far, compression taken off.
  var bytes: Int?
  /// More figures, the less important ones last.
  var others: [Other] = []

  struct Other: Sendable {
    var count: Int
    var name: String
    /// Worth a color where it is not zero.
    var isBad = true
  }
}

extension Stage {
  /// Records that are converted.
  init(_ progress: ConvertRun.Progress, name: String = "", of bytes: Int?) {
    self.init(
      name: name, share: bytes.map { (Double(progress.rawBytes), Double($0)) }, count: progress.counts.read,
      bytes: progress.counts.bytes, others: [Other(count: progress.counts.rejected, name: "rejected")])
  }
}

extension Progress {
  /// Shows how far converting some sources is, and ends it when the user asks for that.
  func converting(_ sources: [RecordSource], name: String) -> (ConvertRun.Progress) -> Bool {
    let bytes = sources.totalBytes
    return { now in
      self.update(Stage(now, name: name, of: bytes))
      return !Interruption.isAsked
    }
  }
}

extension Sequence<RecordSource> {
  /// The bytes of all files; `nil` where a source has no length.
  var totalBytes: Int? {
    var total = 0
    for source in self {
      guard case .file(let file, _) = source, file != .standardInput, let size = Platform.size(file.path) else {
        return nil
      }
      total += size
    }
    return total
  }
}
