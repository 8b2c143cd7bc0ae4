import { runAdmin, type Site } from '../installation.ts';
import { pause } from '../server.ts';
import { type Comparison, compareBooks } from './books.ts';
import { call, type Storm, type StormMember } from './member-calls.ts';
import type { StormOperator } from './operator.ts';

const SETTLE_MS = 240_000;

/**
 * Counts what is still open, ambiguous matches included, except payouts whose reference the bank calls used but does
 * not know: their money stays held until an operator decides.
 */
const OPEN = `select 'transfer ' || id || ' ' || state as what from provider_transfer where state in ('RESERVED', 'UNKNOWN')
  union all select 'withdrawal ' || w.id || ' ' || w.status || coalesce(' ' || p.state || ' asked ' || p.asked, '')
      || coalesce(' score ' || w.risk_score, '') || coalesce(' decided ' || d.kind || ' from ' || d.effective_at, '')
    from withdrawal w left join payout p on p.withdrawal_id = w.id
    left join withdrawal_decision d on d.withdrawal_id = w.id
    where w.status in ('QUEUED', 'PROCESSING', 'REVIEW') and not (w.status = 'PROCESSING' and w.id = any($1))
  union all select 'gift ' || id || ' ' || state from gift_redemption where state not in ('DONE', 'FAILED')
  union all select 'report ' || bank_code || ' ' || bank_reference || ' ' || state from transfer_evidence
    where state in ('ASK', 'AGAIN')`;

/**
 * Work that waits for a later try is tried now: nothing is gained by waiting out a back-off. The job of a decision runs
 * when it can no longer be undone: before that it does nothing, and the decision waits for the job of every minute.
 */
const NOW = `with due as (update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null
    and task_id not in (select id from graphile_worker._private_tasks where identifier = 'withdrawals.decided'))
  select graphile_worker.add_job(job, job_key := job) from unnest(array['deposits.ask', 'withdrawals.sweep', 'withdrawals.watch']) job`;

/** Released payouts are first queried after a minute; here immediately. */
const WATCH_NOW = `update payout set watched_since = watched_since - interval '1 minute'
  where watched_since > now() - interval '1 minute' and watch_asked_at is null`;

const PAUSED = "select 1 from alert where kind = 'payouts-paused' and closed_at is null";

/**
 * Lets payouts be sent again that a takeover has paused, as docs/operate.md has it: an operator compares with the bank
 * first. Returns whether they were paused.
 */
async function resumePayouts(place: Site, { differences }: Comparison): Promise<boolean> {
  if (differences.length > 0 || (await place.asOwner(PAUSED)).length === 0) return false;
  const { good, text } = runAdmin(place.env, 'withdrawal', 'resume', 'compared with the bank');
  if (!good) throw new Error(`withdrawal resume: ${text}`);
  return true;
}

/** Waits until nothing is open and both sides' books agree, or until time is over. */
export async function settle({
  place,
  responses,
  members,
  operator,
}: {
  place: Site;
  responses: Storm['responses'];
  members: readonly StormMember[];
  operator: StormOperator;
}): Promise<Comparison & { open: string[]; resumed: number }> {
  const end = Date.now() + SETTLE_MS;
  let resumed = 0;
  for (;;) {
    await operator.decideAll();
    await place.asOwner(WATCH_NOW);
    await place.asOwner(NOW);
    for (const member of members) await call({ place, responses }, member, 'GET /api/wallet/refresh/slot');
    const comparison = await compareBooks(place);
    if (await resumePayouts(place, comparison)) resumed++;
    const rows = await place.asOwner<{ what: string }>(OPEN, [comparison.unsure]);
    const open = rows.map(({ what }) => what);
    if ((open.length === 0 && comparison.differences.length === 0) || Date.now() > end)
      return { ...comparison, open, resumed };
    await pause(3000);
  }
}
