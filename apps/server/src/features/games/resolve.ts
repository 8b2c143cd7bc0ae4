import { addJob, type JobSet } from '../../platform/jobs.ts';
import { type GameDeps, resolveTransfer } from './move.ts';
import { findSlot, findTransfer, listUnresolved } from './queries.ts';

export interface ResolveDeps extends GameDeps {
  /** Tells operators, once a thing, that something is open for too long. */
  alert(kind: string, thing: string, detail: string): Promise<void>;
}

/** A call that ended its process left RESERVED behind; after this its HTTP call is over for certain. */
const ORPHAN_SECONDS = 15;

async function resolve(deps: ResolveDeps, id: string): Promise<void> {
  const row = await findTransfer(deps.pool, id);
  if (!row || row.state === 'DONE' || row.state === 'FAILED') return;
  const slot = await findSlot(deps.pool, row.slot_code);
  if (!slot) return;
  const result = await resolveTransfer(deps, slot, row);
  if ('status' in result) return;
  if (row.age_seconds > deps.settings.get('unknown.alertMinutes') * 60) {
    await deps.alert(
      'transfer-unknown',
      `transfer:${id}`,
      `${slot.code} has not said what became of ${row.direction} ${row.amount}`,
    );
  }
  await addJob(
    deps.pool,
    'transfers.resolve',
    { id },
    { key: `transfers.resolve:${id}`, inMs: result.againInMs },
  );
}

/** Jobs that learn the outcome of transfers nobody answered for. */
export function transferJobs(deps: ResolveDeps): JobSet {
  return {
    tasks: {
      'transfers.resolve': (payload) => resolve(deps, (payload as { id: string }).id),
      'transfers.sweep': async () => {
        for (const id of await listUnresolved(deps.pool, ORPHAN_SECONDS)) {
          await deps.pool.query(
            "select graphile_worker.add_job('transfers.resolve', json_build_object('id', $1::text), job_key := 'transfers.resolve:' || $1, job_key_mode := 'preserve_run_at')",
            [id],
          );
        }
      },
    },
    everyMinute: ['transfers.sweep'],
  };
}
