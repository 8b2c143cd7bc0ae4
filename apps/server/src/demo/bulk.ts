import { DAY_MS, HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { DEMO_MEMBER } from '../demo.ts';
import { indexAccounts } from '../features/deposits/matching/digits.ts';
import { findSlot, type SlotRow } from '../features/games/queries.ts';
import { findOperator } from '../features/operators/read.ts';
import { createAssess } from '../features/risk/read.ts';
import {
  approveWithdrawal,
  concludeDecision,
  type Decider,
  rejectWithdrawal,
} from '../features/withdrawals/decisions.ts';
import { payoutJobs } from '../features/withdrawals/payout.ts';
import { findWithdrawal } from '../features/withdrawals/queries.ts';
import { createLedger, createSystemAccounts, type Ledger } from '../ledger/index.ts';
import { endAlert, openAlert } from '../platform/alerts.ts';
import { auditJson } from '../platform/audit.ts';
import type { Config } from '../platform/config.ts';
import type { Pool } from '../platform/database/db.ts';
import { startRelay } from '../platform/live/outbox.ts';
import { hashPassword } from '../platform/passwords.ts';
import { refuseAny } from '../platform/refuse-any.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';
import { inTransaction } from '../platform/transaction.ts';
import {
  BULK_PREFIX,
  type BulkMember,
  type BulkPersona,
  bulkPersona,
  registerMembers,
} from './bulk-member.ts';
import { bulkBank, bulkSlips } from './bulk-partners.ts';
import { arrive, type BulkEnv, payAsNonMember, type Step, type Visit, visitOf } from './bulk-visit.ts';
import { type Chance, seededChance } from './chance.ts';

/** Members act in slots of this length. All steps of a slot carry one time and are sent to the ledger together. */
const SLOT_MS = 30 * MINUTE_MS;
/** Slots between two steps of a visit. */
const STEP_SLOTS = 1;
const DAY_SLOTS = DAY_MS / SLOT_MS;
/** Visits begin between these hours in Bangkok, so that their last step is on the same day. */
const OPEN = { from: 8, to: 20 };
const REGISTRATION_MS = 7 * HOUR_MS;
/** Bangkok's midnight in UTC. */
const ZONE_MS = 7 * HOUR_MS;
const LEDGER_BATCH = 500;
const PROGRESS_MS = 5_000;
const GAMES = ['betflix', 'slotracha', 'pg', 'circus', 'pgslot', 'areaslot'];
const ALERT_DAYS = 7;
/** Who decides about withdrawals, for the audit trail. */
const ACTOR = 'cli:demo';

/** What a large population is filled in with: the administrator's connections and settings. */
export interface BulkOptions {
  config: Config;
  pool: Pool;
  secrets: Secrets;
  settings: Settings;
  members: number;
  days: number;
  seed: number;
  /** Key of the stored picture that stands for all slips. */
  slipFile: string;
  progress(line: string): void;
}

/** What was written. */
export interface BulkResult {
  registered: number;
  present: number;
  visits: number;
  /** Items decided by the ledger. */
  items: number;
  ms: number;
}

/** Returns how many members do not belong to any demo. */
export async function countOtherMembers(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    "select count(*)::int as count from member where phone not like $1 and ltrim(phone, '0') not like '8155501%' and phone not like '08155502%'",
    [`${BULK_PREFIX}%`],
  );
  return rows[0]!.count;
}

async function listPresent(pool: Pool): Promise<Set<string>> {
  const { rows } = await pool.query('select phone from member where phone like $1', [`${BULK_PREFIX}%`]);
  return new Set(rows.map(({ phone }) => phone));
}

interface Counted {
  ledger: Ledger;
  items(): number;
}

/** Counts the items that a ledger is given. */
function counting(ledger: Ledger): Counted {
  let items = 0;
  const post: Ledger['post'] = (item) => {
    items++;
    return ledger.post(item);
  };
  return { ledger: { ...ledger, post }, items: () => items };
}

/**
 * Adds members with a history to a demo installation: those of the positions below `members` that are not there yet.
 * They act through the functions that serve real members, at times in the past; only the partners are replaced by ones
 * without a network, which therefore know nothing of what happened. The same seed makes the same members and visits.
 */
export async function fillPopulation(options: BulkOptions): Promise<BulkResult> {
  const { pool, members, days, seed } = options;
  const startedAt = performance.now();
  const present = await listPresent(pool);
  const personas = Array.from({ length: members }, (_, position) => bulkPersona(seed, position, days)).filter(
    ({ phone }) => !present.has(phone),
  );
  const result = { registered: personas.length, present: present.size, visits: 0, items: 0, ms: 0 };
  if (personas.length > 0) Object.assign(result, await live(options, personas));
  return { ...result, ms: performance.now() - startedAt };
}

interface Simulation {
  env: BulkEnv;
  setTime(ms: number): void;
  /** Pays the withdrawals that are queued. */
  payOut(): Promise<void>;
  chance: Chance;
  password: string;
  members: Map<bigint, BulkMember>;
  visits: number;
}

async function live(options: BulkOptions, personas: BulkPersona[]) {
  const { pool, days } = options;
  const todayMs = Math.floor((Date.now() + ZONE_MS) / DAY_MS) * DAY_MS - ZONE_MS;
  const startMs = todayMs - days * DAY_MS;
  let nowMs = startMs;
  const clock = { now: () => new Date(nowMs), stop: () => undefined };
  const relay = startRelay(pool, (error) => {
    throw error;
  });
  const bare = createLedger({ pool, now: clock.now, batchMax: LEDGER_BATCH, onCommit: relay.wake });
  const { ledger, items } = counting(bare);
  try {
    const simulation = await openSimulation(options, clock, ledger, (ms) => {
      nowMs = ms;
    });
    const report = progressOf(options, personas, items);
    const byDay = Map.groupBy(personas, ({ since }) => since);
    for (let day = 0; day < days; day++) {
      await liveDay(simulation, startMs + day * DAY_MS, day, byDay.get(day) ?? []);
      report(day + 1, simulation.visits);
    }
    return { visits: simulation.visits, items: items() };
  } finally {
    await bare.close();
    await relay.stop();
  }
}

async function openSimulation(
  { pool, config, secrets, settings, seed, slipFile }: BulkOptions,
  clock: BulkEnv['clock'],
  ledger: Ledger,
  setTime: (ms: number) => void,
): Promise<Simulation> {
  const systemAccount = createSystemAccounts(pool, () => clock.now());
  const slips = bulkSlips();
  const banks = await pool.query('select code, bot_code from bank where bot_code is not null');
  const games = await Promise.all(GAMES.map((code) => findSlot(pool, code)));
  const support = await findOperator(pool, 'demo-support');
  const env: BulkEnv = {
    pool,
    ledger,
    systemAccount,
    secrets,
    settings,
    clock,
    slips,
    assess: createAssess({ pool, clock, settings }),
    games: games.filter((slot): slot is SlotRow => slot !== undefined),
    botCodes: new Map(banks.rows.map((row) => [row.code, row.bot_code!])),
    supportId: support!.id,
    slipFile,
  };
  const payoutBank = bulkBank();
  const { tasks } = payoutJobs({
    pool,
    ledger,
    systemAccount,
    clock,
    settings,
    secrets,
    config,
    payoutBank,
    alert: async (kind, subject, detail) =>
      void (await openAlert(pool, { kind, subject, detail }, clock.now())),
  });
  return {
    env,
    setTime,
    payOut: async () => {
      await tasks['withdrawals.pay']!(undefined);
      const accepted = payoutBank.takeAccepted();
      await Promise.all(accepted.map((id) => tasks['withdrawals.ask']!({ id })));
      // Their outcome is known: the status requests that were planned have nothing left to do.
      await pool.query(
        "select graphile_worker.remove_job('withdrawals.ask:' || id) from unnest($1::text[]) id",
        [accepted],
      );
    },
    chance: seededChance(seed + 1),
    password: await hashPassword(DEMO_MEMBER.password, { lane: 'member', address: null }),
    members: new Map(),
    visits: 0,
  };
}

/** One day: registrations, decisions about what waits, then visits slot by slot. */
async function liveDay(
  simulation: Simulation,
  dayMs: number,
  day: number,
  arrivals: readonly BulkPersona[],
): Promise<void> {
  const { env, chance, setTime, members } = simulation;
  setTime(dayMs + REGISTRATION_MS);
  for (const member of await registerInGroups(simulation, arrivals)) members.set(member.id, member);
  await decideWaiting(simulation, new Date(dayMs));
  if (day % ALERT_DAYS === 0) await openAndEndAlert(env);
  const agenda = Array.from({ length: DAY_SLOTS }, (): [Step, Visit][] => []);
  for (const member of members.values()) {
    if (!member.chance.is(member.visitsOfDay)) continue;
    const slot = Math.floor((member.chance.between(OPEN.from, OPEN.to) * HOUR_MS) / SLOT_MS);
    agenda[slot]!.push([arrive, visitOf(member)]);
    simulation.visits++;
  }
  let hasRequested = false;
  for (const [slot, steps] of agenda.entries()) {
    if (steps.length === 0 && !hasRequested) continue;
    setTime(dayMs + slot * SLOT_MS + chance.between(0, SLOT_MS - 1));
    if (hasRequested) await simulation.payOut();
    const next = await Promise.all(
      steps.map(async ([step, visit]) => [await step(env, visit), visit] as const),
    );
    hasRequested = next.some(([step]) => step === null);
    for (const [step, visit] of next) if (step) agenda[slot + STEP_SLOTS]!.push([step, visit]);
  }
  if (chance.is(0.5)) await payAsNonMember(env, day, BigInt(Math.floor(chance.between(100, 2_000))) * 100n);
}

const REGISTRATION_GROUP = 500;

async function registerInGroups(
  { env, password }: Simulation,
  personas: readonly BulkPersona[],
): Promise<BulkMember[]> {
  const registered: BulkMember[] = [];
  for (let at = 0; at < personas.length; at += REGISTRATION_GROUP) {
    const group = personas.slice(at, at + REGISTRATION_GROUP);
    registered.push(...(await registerMembers(env, group, password)));
    await indexAccounts(env);
  }
  return registered;
}

/** Approves or rejects what has waited for a review since before today, as the command line does. */
async function decideWaiting({ env, members, chance }: Simulation, before: Date): Promise<void> {
  const { pool, clock } = env;
  const { rows } = await pool.query(
    "select id from withdrawal where status = 'REVIEW' and created_at < $1 order by id",
    [before],
  );
  for (const { id } of rows) {
    const row = (await findWithdrawal(pool, id))!;
    const member = members.get(row.member_id);
    if (!member) continue;
    const reason = 'ตรวจสอบการเล่นแล้ว';
    const isApproved = chance.is(0.6);
    await inTransaction(pool, (tx) => {
      const by = {
        actor: ACTOR,
        operatorId: null,
        undoSeconds: 0,
        audit: async ({ action, subject, before: was, after }: Parameters<Decider['audit']>[0]) =>
          void (await tx.query(
            'insert into audit (at, actor, action, subject, before, after, reason) values ($1, $2, $3, $4, $5, $6, $7)',
            [clock.now(), ACTOR, action, subject, auditJson(was), auditJson(after), reason],
          )),
      };
      return isApproved
        ? approveWithdrawal(refuseAny, env, tx, id, by, { reason, approvalId: null })
        : rejectWithdrawal(refuseAny, env, tx, id, by, { seen: 'REVIEW', reason, notice: null });
    });
    await concludeDecision(env, id, 0);
    if (!isApproved) member.walletMinor += row.amount;
  }
  const ids = rows.map(({ id }) => id);
  await pool.query(
    "select graphile_worker.remove_job('withdrawals.decided:' || id) from unnest($1::text[]) id",
    [ids],
  );
}

/** A bank's feed is silent and responds again. */
async function openAndEndAlert({ pool, clock }: BulkEnv): Promise<void> {
  const { rows } = await pool.query(
    "select id from deposit_account where mode = 'AUTO' order by position limit 1",
  );
  const subject = `deposit-account:${rows[0]!.id}` as const;
  const detail = 'the bank has not responded for 30 minutes';
  await openAlert(pool, { kind: 'feed-silent', subject, detail }, clock.now());
  await inTransaction(pool, (tx) => endAlert(tx, 'feed-silent', subject, clock.now()));
}

/** Prints rate and remaining time, at most every five seconds. */
function progressOf({ days, progress }: BulkOptions, personas: BulkPersona[], items: () => number) {
  const startedAt = performance.now();
  let reportedAt = startedAt;
  const work = Array.from({ length: days + 1 }, (_, day) =>
    personas.reduce((sum, { since, visitsOfDay }) => sum + Math.max(0, day - since) * visitsOfDay, 0),
  );
  return (day: number, visits: number): void => {
    const now = performance.now();
    if (now - reportedAt < PROGRESS_MS) return;
    reportedAt = now;
    const seconds = (now - startedAt) / 1000;
    const left = work[day]! > 0 ? seconds * (work[days]! / work[day]! - 1) : 0;
    progress(
      `day ${day} of ${days}: ${visits} visits, ${items()} ledger items, ${Math.round(items() / seconds)} a second, about ${Math.ceil(left)} s left …`,
    );
  };
}
