@_spi(Slipcast) import SlipcastWire
import SlipcastTestSupport
import Testing

@Test func probe() {
  let texts: [String] = ["", " ", "{", "[", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":[1,2", "{\"a\":[1,2}", "{\"a\" 1}", "{\"a\":}", "{\"a\":1,}", "[1,]", "[1 2]", "{a:1}", "{\"a\":1 \"b\":2}", "{\"a\":{\"b\":1} x}", "[{\"b\":1} x]", "[[1],[2,{\"c\":[x]}]]",
   "{\"a\":{\"b\":1},\"c\":{\"d\":2} \"e\":3}",
   "{\"a\":\"\\x\"}", "{\"k\":\"ok\",\"a\":\"b\\ud800c\"}", "{\"\\ud800\":1}", "{\"a\":\"\\udc00\"}", "{\"a\":\"\\u12g4\"}", "{\"a\":\"\\u12\"}",
   "{\"a\":\"x\u{1}y\"}", "{\"a\":\"x\ny\"}", "{\"a\":\"x\\\ny\"}","{\"a\u{2}b\":1}", "{\"a\":\"", "{\"a\":\"x", "{\"a", "[\"abc\",\"\\\"", "{\"a\":\"b,\"c\":1}",
   "{\"a\":01}", "[1.]", "[-]", "[1e]", "[+1]", "[.5]", "[1.5.2]", "[12a]", "[0x10]", "[NaN]", "[Infinity]", "[-Infinity]", "[1e+]", "[--1]", "[1 ,-01]", "[00]", "[-0]", "[1e400]", "[1e-400]", "[123456789012345678901234567890123456789.]", "[1234567890123456789012345678901234567890]", "[01234567890123456789012345678901234567890]",
   "[tru]", "[True]", "[nul]", "[nulll]", "[truefalse]", "[fals]", "{\"a\":None}", "[true1]", "[\"a\"x]", "[1]x", "{} x", "{}{}", "{}}", "{}]", "[]]", "[1],[2]", "{}\u{0}", "\u{0}", "abc", "5", " \"x\" ", "null", "true x", "\u{FEFF}{}", "{}\u{FEFF}", "[\u{0}]", "{\"a\":1]", "[1}", "{]", "[}", "{,}", "[,1]", "{\"a\"::1}", "{\"a\":1:2}", "[1:2]", "{\"a\",1}", "{1:2}", "'a'", "[1]\n\n", "]", "}", ",", ":", "\\", "\"", "[[[1]]", "{\"a\":\"b\"c\"}"]
  for text in texts {
    do throws(JSONError) { let r = try ReadText(text); print(text.debugDescription, "OK", r.root.kind, r.tape.count) }
    catch { print(text.debugDescription, error.code, error.offset, "path=\(error.path)", "of", text.utf8.count) }
  }
  for bytes: [UInt8] in [[0x7b,0x22,0x61,0x22,0x3a,0x22,0x62,0xff,0x22,0x7d],[0xff],[0x5b,0x22,0xe2,0x82,0x22,0x5d],[0x5b,0x22,0xc0,0x80,0x22,0x5d],[0x5b,0x22,0xed,0xa0,0x80,0x22,0x5d],[0x5b,0x22,0xf4,0x90,0x80,0x80,0x22,0x5d],[0x5b,0x22,0x80,0x22,0x5d],[0x5b,0x22,0xe2,0x82],[0xfe,0xff,0,0x7b]] {
    do throws(JSONError) { let r = try ReadText(bytes); print(bytes, "OK", r.root.kind) }
    catch { print(bytes, error.code, error.offset, "path=\(error.path)") }
  }
  for (n,c) in [(100_000,true),(100_000,false),(128,true),(129,true),(1100,true)] {
    let t = String(repeating: "[", count: n) + (c ? String(repeating: "]", count: n) : "")
    do throws(JSONError) { let r = try ReadText(t); print(n, "OK", r.root.kind) }
    catch { print(n, c, error.code, error.offset, "path=\(error.path.description.count)") }
    let o = String(repeating: "{\"a\":", count: n) + "1" + (c ? String(repeating: "}", count: n) : "")
    do throws(JSONError) { let r = try ReadText(o); print(n, "OK", r.root.kind) }
    catch { print(n, c, error.code, error.offset, "path=\(error.path.description.count)") }
  }
}
