import { describe, expect, it } from '@jest/globals';
import { Histogram, Registry } from 'prom-client';
import { DurationHistogram } from './request-metrics.js';

const OPTIONS = { name: 'duration_seconds', help: 'How long', buckets: [0.01, 0.1] };

describe('DurationHistogram', () => {
  it("shows the same values as prom-client's own histogram", async () => {
    const ours = new Registry();
    const theirs = new Registry();
    const histogram = new DurationHistogram({ ...OPTIONS, registry: ours });
    const like = new Histogram({ ...OPTIONS, labelNames: ['route'], registers: [theirs] });
    expect(await ours.metrics()).toBe(await theirs.metrics());
    for (const route of ['/one', '/other']) {
      const counts = histogram.begin({ route });
      for (const seconds of [0, 0.01, 0.0100001, 0.05, 7]) {
        counts.add(seconds);
        like.observe({ route }, seconds);
      }
    }
    expect(await ours.metrics()).toBe(await theirs.metrics());
  });
});
