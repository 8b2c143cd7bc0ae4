import { Counter, Gauge, type Registry } from 'prom-client';
import { type PasswordLane, passwordLanes } from './passwords.ts';

/** Adds the state of the password lanes to a registry. */
export function registerPasswordMetrics(registry: Registry): void {
  const lanes = () =>
    Object.entries(passwordLanes()) as [PasswordLane, ReturnType<typeof passwordLanes>['member']][];
  new Gauge({
    name: 'krapao_passwords_waiting',
    help: 'Passwords waiting to be hashed, by lane.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      for (const [lane, { waiting }] of lanes()) this.set({ lane }, waiting);
    },
  });
  const total = (
    name: string,
    help: string,
    read: (state: ReturnType<typeof passwordLanes>['member']) => number,
  ) =>
    new Counter({
      name,
      help,
      labelNames: ['lane'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [lane, state] of lanes()) this.inc({ lane }, read(state));
      },
    });
  total('krapao_passwords_hashed_total', 'Passwords hashed, by lane.', ({ done }) => done);
  total(
    'krapao_passwords_wait_seconds_total',
    'Seconds that passwords waited for their turn, by lane.',
    ({ waitedMs }) => waitedMs / 1000,
  );
  new Counter({
    name: 'krapao_passwords_refused_total',
    help: 'Passwords that were not hashed: the lane was full, the caller had too many in it, or the wait was too long.',
    labelNames: ['lane', 'reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [lane, { refused }] of lanes())
        for (const [reason, count] of Object.entries(refused)) this.inc({ lane, reason }, count);
    },
  });
}
