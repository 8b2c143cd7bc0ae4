import { isTimeout } from '../../outside/index.ts';
import { forEachRow } from '../../platform/for-each.ts';
import { addJob, addSweptJob, type JobSet } from '../../platform/jobs.ts';
import { endWatch, takeWatched } from '../../platform/watch.ts';
import { alertContradiction, endTransfer, type GameDeps, resolveDelayMs } from './move.ts';
import {
  alertUnknown,
  findAccount,
  findSlot,
  findTransfer,
  listUnresolved,
  markUnasked,
  markUnknown,
  type SlotRow,
  type TransferRow,
} from './queries.ts';
import { TRANSFER_DECISIONS, transferResponse } from './transfer-decision.ts';

/** A process that ended left RESERVED; its HTTP call is certainly over then. */
const ORPHAN_SECONDS = 15;
const ORPHAN_MARGIN_SECONDS = 10;

type TimeDeps = Pick<GameDeps, 'settings'>;

/** The age in ms at which a transfer's call must be over. */
export const callOverSeconds = ({ settings }: TimeDeps): number =>
  Math.max(ORPHAN_SECONDS, settings.get('game.timeoutSeconds') + ORPHAN_MARGIN_SECONDS);

/** How old a transfer is of which "never seen" is believed: its call is over by its deadline, and then the grace. */
const believedSeconds = ({ settings }: TimeDeps): number =>
  settings.get('game.timeoutSeconds') + settings.get('unknown.absentGraceSeconds');

/** The credits of a transfer as the provider counts them: positive goes into the game. */
const signedCredits = (row: TransferRow): bigint => (row.direction === 'IN' ? row.credits : -row.credits);

/** Queries the outcome of a transfer by our reference and books it, or schedules the next check. */
export async function resolveTransfer(
  deps: GameDeps,
  slot: SlotRow,
  row: TransferRow,
): Promise<{ status: 'SUCCESS' | 'FAILED' } | { againInMs: number; isSilent: boolean }> {
  const account = await findAccount(deps.pool, row.member_id, row.slot_code);
  if (!account) throw new Error(`transfer ${row.id} has no game account`);
  const response = await deps.providerOf(slot).checkTransfer(row.id);
  // "Never seen" may mean "not yet": the order's own call can still be under way at the first question.
  const isGraceOver = row.asked >= 1 && row.age_seconds >= believedSeconds(deps);
  const moment = isGraceOver ? 'status after the grace' : 'status within the grace';
  const decision = TRANSFER_DECISIONS[moment][transferResponse(response, signedCredits(row))];
  if (decision !== 'check') return endTransfer(deps, row, account, decision === 'book');
  await markUnknown(deps.pool, row.id);
  const isSilent = response.outcome === 'unknown' && isTimeout(response.note);
  return { againInMs: resolveDelayMs(row.asked + 1), isSilent };
}

/** How long the transfers of an agent wait that let a query time out, so that it does not delay those of others. */
const SILENT_MS = 10_000;
const AFTER_SILENCE_MS = 30_000;
/** Until when an agent counts as silent, in ms of this process. */
type Silence = Map<string, number>;

const askAgain = (deps: GameDeps, id: string, inMs: number): Promise<void> =>
  addJob(deps.pool, 'transfers.resolve', { id }, { key: `transfers.resolve:${id}`, inMs });

/** Queries the outcome, unless the agent is silent: then the transfer is unknown like one whose query timed out. */
async function resolveUnlessSilent(deps: GameDeps, silence: Silence, slot: SlotRow, row: TransferRow) {
  const agent = `${slot.adapter}/${slot.agent}`;
  if (performance.now() < (silence.get(agent) ?? 0)) {
    await markUnasked(deps.pool, row.id);
    return { againInMs: AFTER_SILENCE_MS };
  }
  const result = await resolveTransfer(deps, slot, row);
  if ('isSilent' in result && result.isSilent) silence.set(agent, performance.now() + SILENT_MS);
  return result;
}

async function resolve(deps: GameDeps, silence: Silence, id: string): Promise<void> {
  const row = await findTransfer(deps.pool, id);
  if (!row || row.state === 'DONE' || row.state === 'FAILED') return;
  const slot = await findSlot(deps.pool, row.slot_code);
  if (!slot) return;
  const result = await resolveUnlessSilent(deps, silence, slot, row);
  if ('status' in result) return;
  if (row.age_seconds > deps.settings.get('unknown.alertMinutes') * 60) {
    const detail = `${slot.code} has not reported the outcome of ${row.direction} ${row.amount}`;
    await deps.alert('transfer-unknown', `transfer:${id}`, detail, (now) =>
      alertUnknown(deps.pool, id, detail, now),
    );
  }
  await askAgain(deps, id, result.againInMs);
}

/** Checks transfers whose money was returned; one that was executed all the same is reported to operators. */
async function checkReleased(deps: GameDeps): Promise<void> {
  const watchDays = deps.settings.get('unknown.watchDays');
  await forEachRow(await takeWatched(deps.pool, 'provider_transfer', watchDays), async (id) => {
    const row = await findTransfer(deps.pool, id);
    const slot = row && (await findSlot(deps.pool, row.slot_code));
    if (!row || !slot) return;
    const response = await deps.providerOf(slot).checkTransfer(id);
    const kind = transferResponse(response, signedCredits(row));
    if (TRANSFER_DECISIONS['status after release'][kind] !== 'alert') return;
    await alertContradiction(deps, row);
    await endWatch(deps.pool, 'provider_transfer', id);
  });
}

/** The job that watches released transfers; apart from {@link transferJobs}, which it must not delay. */
export const transferWatchJobs = (deps: GameDeps): JobSet => ({
  partner: 'game readings',
  tasks: { 'transfers.watch': () => checkReleased(deps) },
  everyMinute: ['transfers.watch'],
});

/** Lists the jobs that resolve transfers without a response. */
export function transferJobs(deps: GameDeps): JobSet {
  const silence: Silence = new Map();
  return {
    partner: 'games',
    tasks: {
      'transfers.resolve': (payload) => resolve(deps, silence, (payload as { id: string }).id),
      'transfers.sweep': async () => {
        for (const id of await listUnresolved(deps.pool, callOverSeconds(deps)))
          await addSweptJob(deps.pool, 'transfers.resolve', { id }, `transfers.resolve:${id}`);
      },
    },
    everyMinute: ['transfers.sweep'],
  };
}
