internal import SlipcastV2
internal import SlipcastWire

// The form in the sort buffer: numbers one after another, the least byte first.
extension HistoryMessage {
  private static let statesOfFlag: [Bool?] = [false, true, nil]
  /// Five numbers of eight bytes, and the traits.
  private static let bytesOfPeriod = 41

  package func write(to bytes: inout [UInt8]) {
    func put(_ number: some FixedWidthInteger & BitwiseCopyable) { bytes.append(bytesOf: number.littleEndian) }
    put(Int64(witness.source))
    put(Int64(witness.record))
    put(high)
    put(low)
    put(kind.rawValue)
    put(state)
    put(content)
    put(UInt8(truncatingIfNeeded: type.number))
    for number in type.numbers { put(number) }
    put(Int32(rule))
    put(UInt8(confidence.place))
    for time in [receivedAt, eventTime, writtenFrom, statusChange, grace] { put(time) }
    for flag in [autoRenew, isRetrying] { put(UInt8(flag.map { $0 ? 1 : 0 } ?? 2)) }
    put(intent)
    put(pendingOffer)
    put(nextProduct)
    put(scope.rawValue)
    put(Int32(target))
    put(Int32(periods.count))
    for period in periods {
      put(period.id)
      put(period.product)
      for time in [period.purchase, period.expires, period.cancellation] { put(time) }
      put(period.traits.rawValue)
    }
  }

  /// Reads a message that `write` has written, after a number of other bytes; `nil` for anything else.
  package init?(_ bytes: [UInt8], after other: Int = 0) {
    var reader = Numbers(bytes: bytes, at: other)
    witness = Settlement.Witness(source: Int(reader.next(Int64.self)), record: Int(reader.next(Int64.self)))
    high = reader.next(UInt64.self)
    low = reader.next(UInt64.self)
    kind = EventTrace.Kind(rawValue: reader.next(UInt8.self)) ?? .dated
    state = reader.next(UInt64.self)
    content = reader.next(UInt64.self)
    let number = Int(reader.next(UInt8.self))
    type = LegacyType(number: number, (reader.next(Int64.self), reader.next(Int64.self)))
    rule = Int(reader.next(Int32.self))
    let confidence = Int(reader.next(UInt8.self))
    receivedAt = reader.next(Int64.self)
    eventTime = reader.next(Int64.self)
    writtenFrom = reader.next(Int64.self)
    statusChange = reader.next(Int64.self)
    grace = reader.next(Int64.self)
    autoRenew = Self.statesOfFlag[min(2, Int(reader.next(UInt8.self)))]
    isRetrying = Self.statesOfFlag[min(2, Int(reader.next(UInt8.self)))]
    intent = reader.next(Int8.self)
    pendingOffer = reader.next(UInt64.self)
    nextProduct = reader.next(UInt64.self)
    scope = Scope(rawValue: reader.next(UInt16.self))
    target = Int(reader.next(Int32.self))
    let count = Int(reader.next(Int32.self))
    guard confidence < Confidence.allCases.count, count >= 0, count <= bytes.count / Self.bytesOfPeriod else {
      return nil
    }
    self.confidence = Confidence.allCases[confidence]
    periods.reserveCapacity(count)
    for _ in 0..<count {
      periods.append(
        Period(
          id: reader.next(UInt64.self), product: reader.next(UInt64.self), purchase: reader.next(Int64.self),
          expires: reader.next(Int64.self), cancellation: reader.next(Int64.self),
          traits: Traits(rawValue: reader.next(UInt8.self))))
    }
    guard !reader.isBeyondEnd, target < count else { return nil }
  }

  /// Reads numbers one after another; beyond the end all are 0.
  private struct Numbers {
    let bytes: [UInt8]
    var at = 0
    var isBeyondEnd: Bool { at > bytes.count }

    mutating func next<Number: FixedWidthInteger>(_ kind: Number.Type) -> Number {
      let start = at
      at += MemoryLayout<Number>.size
      guard at <= bytes.count else { return 0 }
      if at - start == 8 { return Number(truncatingIfNeeded: UInt64(littleEndian: bytes.span.word(start))) }
      var number: Number = 0
      for place in (start..<at).reversed() { number = number << 8 | Number(truncatingIfNeeded: bytes[place]) }
      return number
    }
  }
}
