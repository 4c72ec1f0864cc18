// Transforms of what a receipt says of the app itself.
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension Transform {
  /// An iOS 6 receipt is that of a purchase: what its keys mean there is not what an app receipt says of the app.
  static func ofAppReceipt(_ transform: @escaping Function) -> Function {
    { builder, rule in builder.record.receipt == nil ? nil : transform(builder, rule) }
  }

  @Sendable static func appText(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let cell = copyText(builder, rule) else { return nil }
    return builder.record.receipt == nil ? cell.inferred : cell
  }

  @Sendable static func originalApplicationVersion(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard builder.record.receipt != nil, let cell = copyText(builder, rule) else { return nil }
    if builder.known.input.environment.isSandbox { builder.note(.versionOfSandbox, Int(cell.source)) }
    return cell
  }

  @Sendable static func copyIdentifier(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let index = builder.find(rule) { builder.integer($0).map { $0 > 0 } ?? false }
    guard index != 0, let value = builder.integer(index) else { return nil }
    return Cell(value, source: index)
  }
}
