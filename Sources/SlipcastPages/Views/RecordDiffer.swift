internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastWire
internal import Synchronization

/// Compares two records as `slipcast diff` does, one pair at a time.
final class RecordDiffer: Sendable {
  private let comparer: Mutex<RecordComparer>

  /// - Throws: `MappingErrors`.
  init(_ rules: RuleSet) throws { comparer = Mutex(try RecordComparer(rules: rules)) }

  /// - Returns: the comparison, or why the two cannot be compared.
  func compare(_ legacy: [UInt8], _ server: [UInt8], receivedAt: Int64?) -> Result<Comparison, ComparisonError> {
    comparer.withLock { comparer in
      do throws(ComparisonError) {
        let time = receivedAt.map { Timestamp(milliseconds: $0) }
        return .success(try comparer.compare(legacy: legacy, server: server, receivedAt: time))
      } catch {
        return .failure(error)
      }
    }
  }
}
