// A collector that takes every trace and does nothing with it; it runs in the benchmark's own process, off the service's core.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** `environment` is what makes a service send its traces here. */
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
