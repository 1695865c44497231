import { Counter, Histogram, type Registry } from 'prom-client';

interface Observation {
  readonly method: string;
  readonly pattern: string;
  readonly status: number;
  readonly seconds: number;
}

/** From an answer out of memory to one that hashed a password on a busy machine. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Counts and durations of requests, by route: never by path, which may hold a token. */
export class RequestMetrics {
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #durations: Histogram<'method' | 'route'>;

  constructor(registry: Registry) {
    this.#requests = new Counter({
      name: 'identity_http_requests_total',
      help: 'Requests answered',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    });
    this.#durations = new Histogram({
      name: 'identity_http_request_duration_seconds',
      help: 'Time from the request line to the end of the answer',
      labelNames: ['method', 'route'],
      buckets: BUCKETS_SECONDS,
      registers: [registry],
    });
  }

  observe({ method, pattern, status, seconds }: Observation): void {
    this.#requests.inc({ method, route: pattern, status });
    this.#durations.observe({ method, route: pattern }, seconds);
  }
}
