import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Budget } from './budget.ts';
import type { Pool } from './database/db.ts';
import type { Readiness } from './readiness.ts';

/** Figures about this process, in Prometheus text. */
export interface Metrics {
  registry: Registry;
  calls: Histogram<'call' | 'status'>;
}

/** Sources of the metrics, read at each scrape. */
export interface MetricSources {
  ledger: { waiting(): number; oldestWaitMs(): number };
  pools: Readonly<Record<string, Pool>>;
  budgets: readonly Budget[];
  /** Free bytes on the disk that keeps files; null where there is no disk of ours. */
  diskFree(): Promise<number | null>;
  readiness: Readiness;
}

type Read = (
  set: (labels: Record<string, string>, value: number) => void,
  remove: () => void,
) => void | Promise<void>;

/** A gauge that is read at each scrape; it has no value before it is set, and none again once it is removed. */
function gauge(registry: Registry, name: string, help: string, labelNames: string[], read: Read): void {
  const made = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      return read(
        (labels, value) => this.set(labels, value),
        () => this.remove(),
      );
    },
  });
  // The library begins one without labels at 0, which would be a figure.
  if (labelNames.length === 0) made.remove();
}

/** How much of each bounded resource is taken, and how often one was refused. */
function measureBudgets(registry: Registry, budgets: readonly Budget[]): void {
  // Without a size it only counts refusals.
  const sized = budgets.filter(({ max }) => max > 0);
  gauge(registry, 'krapao_limit_used', 'Taken of a bounded resource.', ['resource'], (set) => {
    for (const budget of sized) set({ resource: budget.name }, budget.used());
  });
  gauge(registry, 'krapao_limit_max', 'All there is of a bounded resource.', ['resource'], (set) => {
    for (const budget of sized) set({ resource: budget.name }, budget.max);
  });
  new Counter({
    name: 'krapao_refused_total',
    help: 'Refusals of a bounded resource: the caller had their share, or nothing was left in total.',
    labelNames: ['resource', 'scope'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, refused } of budgets)
        for (const [scope, count] of Object.entries(refused())) this.inc({ resource: name, scope }, count);
    },
  });
}

function measurePools(registry: Registry, pools: MetricSources['pools']): void {
  const labels = ['pool', 'state'];
  gauge(registry, 'krapao_pool_connections', 'Database connections of a pool.', labels, (set) => {
    for (const [pool, { totalCount, idleCount, options }] of Object.entries(pools)) {
      set({ pool, state: 'in_use' }, totalCount - idleCount);
      set({ pool, state: 'max' }, options.max);
    }
  });
  gauge(registry, 'krapao_pool_waiting', 'Callers waiting for a connection of a pool.', ['pool'], (set) => {
    for (const [pool, { waitingCount }] of Object.entries(pools)) set({ pool }, waitingCount);
  });
}

/** A registry of its own, so that several servers fit in one process. */
export function createMetrics({ ledger, pools, budgets, diskFree, readiness }: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Histogram({
    name: 'krapao_call_seconds',
    help: 'Time to answer, by call and status.',
    labelNames: ['call', 'status'],
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  gauge(registry, 'krapao_ledger_waiting', 'Items waiting for the ledger.', [], (set) =>
    set({}, ledger.waiting()),
  );
  gauge(registry, 'krapao_ledger_oldest_seconds', 'Age of the oldest item not decided yet.', [], (set) =>
    set({}, ledger.oldestWaitMs() / 1000),
  );
  gauge(registry, 'krapao_disk_free_bytes', 'Free on the disk that keeps files.', [], async (set, remove) =>
    // Without a response the gauge keeps its value; without a disk of ours it has none.
    diskFree().then(
      (bytes) => (bytes === null ? remove() : set({}, bytes)),
      () => undefined,
    ),
  );
  gauge(registry, 'krapao_ready', 'Whether no check of readiness fails: 1 or 0.', [], async (set) =>
    set({}, (await readiness.failed()).length === 0 ? 1 : 0),
  );
  gauge(
    registry,
    'krapao_dependency_up',
    'Whether a service beside the database answers: 1 or 0.',
    ['dependency'],
    async (set) => {
      for (const [dependency, isUp] of await readiness.dependencies()) set({ dependency }, isUp ? 1 : 0);
    },
  );
  measurePools(registry, pools);
  measureBudgets(registry, budgets);
  return { registry, calls };
}
