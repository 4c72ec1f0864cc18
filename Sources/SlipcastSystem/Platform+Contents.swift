/// Small files as a whole.
extension Platform {
  /// The bytes of a file; a longer one is cut.
  package static func contents(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    let descriptor = try open(path)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < limit,
      try read(descriptor, to: &bytes, most: min(64 << 10, limit - bytes.count), path: path) > 0
    {}
    return bytes
  }

  /// How many bytes of a file are complete lines.
  package static func wholeLines(of path: String) throws(FileError) -> Int {
    let descriptor = try open(path)
    defer { close(descriptor) }
    var end = size(path) ?? 0
    while end > 0 {
      let count = min(end, 64 << 10)
      let piece = try read(descriptor, at: end - count, count: count)
      if let feed = piece.lastIndex(of: 0x0A) { return end - count + feed + 1 }
      end -= count
    }
    return 0
  }

  /// Replaces a small file completely, or not at all; it is on disk then.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let name = path + ".new"
    let descriptor = try create(name)
    defer { close(descriptor) }
    try write(descriptor, bytes, path: name)
    try synchronize(descriptor, path: name)
    try WrittenFile(descriptor, path: name).rename(to: path, syncsFolder: true)
  }

  package static func write(_ descriptor: Int32, _ bytes: [UInt8], path: String) throws(FileError) {
    try write(descriptor, bytes.span, path: path)
  }
}
