import SlipcastMapping
import SlipcastReceipts
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastWire

extension FuzzTarget {
  /// App receipts: CMS in DER or BER, and the attributes in it.
  static let receipt = FuzzTarget(
    name: "receipt",
    summary: "receipts are decoded and judged; none is trusted whose content is not that of a receipt that was signed",
    seeds: { try SignedReceipts.files(starting: "app-", "bad-").filter { $0.first == 0x30 } },
    limit: 12 << 10,
    make: {
      let judge = try ReceiptJudge(starting: "app-")
      return { bytes in
        let receipt = Array(bytes)
        let verdict = judge.verifier.verify(appReceipt: receipt)
        let content = try? SignedMessage(receipt).content
        if verdict.isValid, !judge.isKnown(content) { throw Violation("an unsigned receipt is trusted") }
        try? ReceiptAttribute.forEach(in: receipt[...]) { _ in }
        if let content { try judge.requireAnswer(try? judge.decoder.answer(content: content)) }
      }
    })

  /// Receipts in the style of iOS 6: the old-style property list and what is signed in it.
  static let propertyList = FuzzTarget(
    name: "property-list",
    summary: "iOS 6 receipts are decoded and judged; none is trusted whose purchase is not one that was signed",
    seeds: { try SignedReceipts.files(starting: "ios6-", "bad-ios6") },
    words: ["purchase-info", "signature", "pod", "signing-status", "environment", "\\U00e9", "/*", "*/", "//", "<00>"],
    limit: 8 << 10,
    make: {
      let judge = try ReceiptJudge(starting: "ios6-")
      return { bytes in
        let receipt = Array(bytes)
        _ = try? OldStylePropertyList(receipt)
        let verdict = judge.verifier.verify(transactionReceipt: receipt)
        let content = try? TransactionReceipt(receipt).purchaseInfo
        if verdict.isValid, !judge.isKnown(content) { throw Violation("an unsigned receipt is trusted") }
        try judge.requireAnswer(try? judge.decoder.answer(receipt))
      }
    })
}
