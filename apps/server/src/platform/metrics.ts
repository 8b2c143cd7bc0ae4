import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Figures about this process, in Prometheus text. */
export interface Metrics {
  registry: Registry;
  calls: Histogram<'call' | 'status'>;
}

/** A registry of its own, so that several servers fit in one process. */
export function createMetrics(waiting: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Histogram({
    name: 'krapao_call_seconds',
    help: 'Time to answer, by call and status.',
    labelNames: ['call', 'status'],
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'krapao_ledger_waiting',
    help: 'Items waiting for the ledger.',
    registers: [registry],
    collect() {
      this.set(waiting());
    },
  });
  return { registry, calls };
}
