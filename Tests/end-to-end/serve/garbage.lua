-- Bodies that are no notifications: random bytes, broken JSON, JSON of other kinds.
local kinds = { "nonsense", "{\"notification_type\":", "[1,2,3]", "{\"signedPayload\":\"a.b.c\"}", string.rep("[", 3000), "" }
local sent = 0

function request()
  sent = sent + 1
  return wrk.format("POST", "/", {}, kinds[sent % #kinds + 1])
end

function done(summary, latency)
  io.write(string.format("RESULT %d %d\n", summary.requests, summary.errors.timeout))
end
