/// When a requested change of an Advanced Commerce subscription takes effect.
///
/// Occurs in requests only.
///
/// Source: Advanced Commerce API, effective.
package enum AdvancedCommerceEffective: String, CaseIterable, Hashable, Sendable {
  /// At once.
  case immediately = "IMMEDIATELY"
  /// At the next renewal.
  case nextBillCycle = "NEXT_BILL_CYCLE"
}
