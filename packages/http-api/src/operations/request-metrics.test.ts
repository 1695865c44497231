import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { RequestMetrics } from './request-metrics.js';

it('counts all unknown methods as one, so that nobody can create series without a token', async () => {
  const registry = new Registry();
  const metrics = new RequestMetrics({ registry, metricPrefix: 'x', buckets: [0.1] });
  for (const method of ['GET', 'PURGE', 'PROPFIND', 'LOCK', 'OPTIONS']) {
    metrics.observe({ method, route: 'none', status: 404, seconds: 0.01 });
  }
  const { values } = (await registry.getSingleMetric('x_http_requests_total')?.get()) ?? {
    values: [],
  };
  expect(values.map(({ labels, value }) => [labels['method'], value])).toEqual([
    ['GET', 1],
    ['other', 3],
    ['OPTIONS', 1],
  ]);
});
