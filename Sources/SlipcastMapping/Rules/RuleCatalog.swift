// Unsafe on purpose: the rule files are C arrays in the binary; each is copied once.
internal import CSlipcastRules

/// The rule files of `Mappings/rules`, embedded in the binary.
package enum RuleCatalog {
  /// Paths below `Mappings/rules` (without `.json`) and bytes, in the order in which the files are read.
  package static let files: [(name: String, bytes: [UInt8])] = {
    var files: [(name: String, bytes: [UInt8])] = []
    while let file = slipcast_rule_file(files.count)?.pointee {
      files.append((String(cString: file.name), Array(UnsafeBufferPointer(start: file.bytes, count: file.count))))
    }
    return files
  }()
}
