-- Sends the requests of a file in turns, each as it stands there, with a NUL between them. With a second argument
-- each connection waits that many milliseconds on average before each request, which gives a steady load.
local requests = {}
local turn = 0
local pause = 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for one in file:read("*a"):gmatch("[^%z]+") do requests[#requests + 1] = one end
  file:close()
  pause = tonumber(args[2] or "0")
  if pause > 0 then delay = function() return math.random(0, 2 * pause) end end
  -- Not from the beginning each time: what a short run asked for would be asked for again.
  turn = tonumber(args[3] or "0")
end

function request()
  turn = turn + 1
  return requests[turn % #requests + 1]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format('\nRESULT {"requests":%d,"seconds":%f,"failed":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, failed,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
