import { expect, test } from 'vitest';
import { createMetrics, type MetricSources } from './metrics.ts';

const metricsOf = (diskFree: MetricSources['diskFree']) =>
  createMetrics({
    ledger: { waiting: () => 0, oldestWaitMs: () => 0 },
    pools: {},
    budgets: [],
    diskFree,
    readiness: {
      failed: async () => [],
      dependencies: async () => [],
    } as unknown as MetricSources['readiness'],
  }).registry;

test('free disk space has no value where there is no disk of ours or it was never read, and the last one otherwise', async () => {
  const line = /^krapao_disk_free_bytes \d+$/m;
  expect(await metricsOf(async () => null).metrics()).not.toMatch(line);
  expect(await metricsOf(() => Promise.reject(new Error('no response'))).metrics()).not.toMatch(line);
  const responses = [async () => 5, () => Promise.reject(new Error('no response')), async () => 0];
  const registry = metricsOf(() => responses.shift()!());
  for (const bytes of [5, 5, 0])
    expect(await registry.metrics()).toMatch(new RegExp(`^krapao_disk_free_bytes ${bytes}$`, 'm'));
});
