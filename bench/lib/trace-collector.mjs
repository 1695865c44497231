// Collector that accepts and ignores all traces. It runs in the benchmark's process, not on the service's core.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** `environment` makes a service send its traces to the collector. */
export async function startTraceCollector() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.address().port}` },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
