import type { PartnerAnswer } from '../../outside/index.ts';
import { addJob, type JobSet } from '../../platform/jobs.ts';
import { endTransfer, type GameDeps, resolveDelayMs } from './move.ts';
import {
  findAccount,
  findSlot,
  findTransfer,
  listUnresolved,
  markUnknown,
  type SlotRow,
  type TransferRow,
} from './queries.ts';

export interface ResolveDeps extends GameDeps {
  /** Tells operators, once a thing, that something is open for too long. */
  alert(kind: string, thing: string, detail: string): Promise<void>;
}

/** A call that ended its process left RESERVED behind; after this its HTTP call is over for certain. */
export const ORPHAN_SECONDS = 15;

/** What asking by reference says about a transfer: done, not done, or still not known. */
function verdictOf(
  answer: PartnerAnswer<{ credits: bigint }>,
  row: TransferRow,
  graceSeconds: number,
): 'done' | 'failed' | 'unknown' {
  if (answer.outcome === 'ok')
    return answer.value.credits === (row.direction === 'IN' ? row.credits : -row.credits)
      ? 'done'
      : 'unknown';
  // "Never seen" may mean "not yet": the first call can still be on its way.
  if (
    answer.outcome === 'rejected' &&
    answer.code === 'ABSENT' &&
    row.asked >= 1 &&
    row.age_seconds >= graceSeconds
  )
    return 'failed';
  return 'unknown';
}

/** Asks the provider by our reference what became of a transfer and books it, or answers when to ask again. */
export async function resolveTransfer(
  deps: GameDeps,
  slot: SlotRow,
  row: TransferRow,
): Promise<{ status: 'SUCCESS' | 'FAILED' } | { againInMs: number }> {
  const account = await findAccount(deps.pool, row.member_id, row.slot_code);
  if (!account) throw new Error(`transfer ${row.id} has no game account`);
  const answer = await deps.providerOf(slot).checkTransfer(row.id);
  const verdict = verdictOf(answer, row, deps.settings.get('unknown.absentGraceSeconds'));
  if (verdict !== 'unknown') return endTransfer(deps, row, account, verdict === 'done');
  await markUnknown(deps.pool, row.id);
  return { againInMs: resolveDelayMs(row.asked + 1) };
}

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
