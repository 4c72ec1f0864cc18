-- Requests of verifyReceipt for different customers: BODIES names a file with one on each line.
local bodies = {}
for line in io.lines(os.getenv("BODIES")) do bodies[#bodies + 1] = line end
local number = 0
without = 0
local threads = {}

function setup(thread) threads[#threads + 1] = thread end

function request()
  number = number % #bodies + 1
  return wrk.format("POST", wrk.path, { ["Content-Type"] = "application/json" }, bodies[number])
end

function response(status, headers, body)
  if not body:find('"latest_receipt_info"', 1, true) then without = without + 1 end
end

function done(summary, latency)
  local empty = 0
  for _, thread in ipairs(threads) do empty = empty + (thread:get("without") or 0) end
  io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(99),
    summary.errors.status + summary.errors.timeout, empty))
end
