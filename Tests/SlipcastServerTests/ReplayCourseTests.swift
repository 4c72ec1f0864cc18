import Testing

@testable import SlipcastServer

/// Statuses and latencies over the time of a replay.
@Suite struct ReplayCourseTests {
  @Test(arguments: [(1, 1), (120, 1), (121, 2), (1000, 16), (1_000_000, 16384)])
  func theNumberOfSpansIsBounded(_ end: Int, _ seconds: Int) {
    var course = ReplayCourse()
    for second in stride(from: 0, to: end, by: max(1, end / 5000)) {
      course.note(status: 200, isSuccess: true, latency: 0.001, at: second)
    }
    course.note(status: 503, isSuccess: false, latency: 0.001, at: end - 1)
    #expect(course.seconds == seconds)
    #expect(course.spans.count <= 120)
    #expect(course.spans.count == (end - 1) / seconds + 1)
    let noted = Array(stride(from: 0, to: end, by: max(1, end / 5000))).count
    #expect(course.spans.reduce(0) { $0 + $1.attempts } == noted + 1)
    #expect(course.spans.last?.statuses[503] == 1 && course.spans.last?.failures == 1)
    let short = course.shortened(to: 12)
    #expect(short.spans.count <= 12 && short.spans.reduce(0) { $0 + $1.attempts } == noted + 1)
  }

  @Test func latenciesAreThoseOfTheirSpan() throws {
    var course = ReplayCourse()
    for _ in 0..<90 { course.note(status: 200, isSuccess: true, latency: 0.010, at: 0) }
    for _ in 0..<10 { course.note(status: 200, isSuccess: true, latency: 0.100, at: 0) }
    course.note(status: nil, isSuccess: false, latency: 2, at: 2)
    let first = try #require(course.spans.first)
    let (half, most) = (try #require(first.latency(0.5)), try #require(first.latency(0.99)))
    #expect((10...10.4).contains(half) && (100...104).contains(most))
    #expect(course.spans[1].latency(0.5) == nil && course.spans[1].attempts == 0)
    let last = try #require(course.spans[2].latency(0.5))
    #expect((2000...2080).contains(last) && course.spans[2].statuses == [0: 1])
  }
}
