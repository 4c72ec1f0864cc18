-- Notifications of different subscriptions, 6 KB each: BODY names a file in which ten-digit numbers are replaced.
local file = io.open(os.getenv("BODY"))
local text = file:read("a")
file:close()
local threads, number = 0, 0

function setup(thread)
  threads = threads + 1
  thread:set("base", threads * 1000000000)
end

function init()
  number = 0
end

function request()
  number = number + 1
  local body = text:gsub("NUMBER", tostring(base + number))
  return wrk.format("POST", "/", { ["Content-Type"] = "application/json" }, body)
end

function response(status)
  if status ~= 200 then errors = (errors or 0) + 1 end
end

function done(summary, latency)
  io.write(string.format("RESULT %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(99),
    summary.errors.status + summary.errors.timeout))
end
