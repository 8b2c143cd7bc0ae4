import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { type AppOptions, createApp } from '../app.ts';
import { DEMO_MEMBER, seedDemo } from '../demo.ts';
import { hashPassword } from '../platform/passwords.ts';
import { WITHOUT_JOBS } from '../platform/process-roles.ts';
import { changeSetting } from '../platform/settings.ts';
import { type Chance, seededChance } from './chance.ts';
import { type DemoActors, decideWaiting, type Incident, incidentsOf } from './incidents.ts';
import { type DemoContext, type DemoMember, deposit, play, registerMember, withdraw } from './member.ts';
import { POPULATION } from './population.ts';
import { connectSandbox, type DemoSandbox, isSandboxThere } from './sandbox.ts';

/** Jobs that run at the end of every day. */
const DAILY = ['qr.expire', 'coins.reckon', 'refunds.addUp', 'invites.ask', 'bonuses.expire'];
/** Days whose books are compared with the partners': it takes as long as everything else of a day. */
const COMPARED_DAYS = 7;
/** Members visit as often as they do in the last days only; a first start takes about 0.1 s for each visit. */
const BUSY_DAYS = 15;
const EARLIER_SHARE = 0.3;
const PROGRESS_DAYS = 15;
/** Health probes, which respond 503 until the history is complete. */
const PROBES = ['/healthz', '/readyz'];
/** Bangkok's midnight in UTC. */
const ZONE_MS = 7 * HOUR_MS;

interface Step {
  at: number;
  run(): Promise<unknown>;
}

async function visit(context: DemoContext, member: DemoMember, chance: Chance): Promise<void> {
  const { persona } = member;
  const wallet = await member.wallet();
  const amount = Math.round((persona.deposit * chance.between(0.5, 2)) / 10) * 10;
  if (wallet < persona.deposit) await deposit(context, member, amount);
  await context.sandbox.moveTo(context.sandbox.clock.now().getTime() + 2 * MINUTE_MS);
  const funds = Math.floor(await member.wallet());
  if (funds < 20) return;
  const bonus = chance.is(0.08) ? await member.call('GET /api/bonus/activate/DAILY10') : null;
  if (bonus) member.hasBonus = true;
  const stakes = Math.max(20, Math.floor(funds * chance.between(0.5, 1)));
  await play(context, member, {
    game: chance.pick(persona.games),
    amount: stakes,
    rounds: 8 + Math.floor(chance.between(0, 20)),
  });
  if (member.hasBonus && (await member.call('GET /api/bonus/clear'))) member.hasBonus = false;
  const left = Math.floor(await member.wallet());
  if (left > persona.deposit * 1.5 && left >= 300 && chance.is(0.7)) await withdraw(context, member, left);
}

/** Bonus, refund and wheel, as members come by them. */
async function collect(member: DemoMember, chance: Chance): Promise<void> {
  if (chance.is(0.2)) await member.call('GET /api/refund/receive');
  if (chance.is(0.3)) await member.call('POST /api/spinwheel/spin');
}

/** Registers a persona on their first day, then visits at hours when people play. */
function stepsOf(actors: DemoActors, at: number, span: Span, chance: Chance): Step[] {
  const persona = POPULATION[at]!;
  const { visits, invitedBy } = persona;
  const since = Math.floor(persona.since * span.count);
  const dayMs = (day: number) => span.startMs + day * DAY_MS;
  const register = async () => {
    const inviter = invitedBy === undefined ? undefined : actors.members[invitedBy];
    actors.members[at] = await registerMember(actors, persona, inviter && String(inviter.id));
  };
  const steps: Step[] = [{ at: dayMs(since) + 8 * HOUR_MS, run: register }];
  for (let day = since; day <= span.count; day++) {
    const share = span.count - day > BUSY_DAYS ? EARLIER_SHARE : 1;
    if (!chance.is((visits / 7) * share)) continue;
    steps.push({
      at: dayMs(day) + chance.between(9, 23) * HOUR_MS,
      run: async () => {
        await visit(actors, actors.members[at]!, chance);
        await collect(actors.members[at]!, chance);
      },
    });
  }
  return steps;
}

export interface HistoryOptions extends Omit<AppOptions, 'clock' | 'jobs'> {
  /** How many days before today it begins. */
  days: number;
  log(line: string): void;
}

/**
 * Fills an empty installation beside an empty sandbox with some days of history: its members and operators act through the
 * product's own calls while both clocks are moved from day to day, so that the books of both agree. A later start adds
 * nothing. What is there stays when it is interrupted or fails; the sandbox's clock is set right all the same. Its members
 * have Thai phones and banks, so the Lao build has no history.
 */
export async function createDemoHistory(options: HistoryOptions): Promise<void> {
  const { config, pool, log } = options;
  if (config.variant !== 'th') return;
  const origin = new URL(config.BANK_A_URL).origin;
  const running = join(config.dataDir, 'demo-history-running');
  const { rows } = await pool.query('select 1 from slot limit 1');
  const isInterrupted = existsSync(running);
  if (rows.length > 0 && !isInterrupted) return;
  if (!(await isSandboxThere(origin))) return log('demo: no history, because the sandbox does not respond');
  const days = spanOf(options.days);
  const sandbox = connectSandbox(origin, days.startMs);
  try {
    if (isInterrupted)
      return log(`demo: the history is incomplete; remove ${config.dataDir} for a whole one`);
    writeFileSync(running, '');
    await fill(options, sandbox, days);
  } catch (error) {
    log(`demo: the history is incomplete: ${(error as Error).stack}`);
  } finally {
    await sandbox.release();
    rmSync(running, { force: true });
  }
}

async function fill(
  { days: _, log, ...options }: HistoryOptions,
  sandbox: DemoSandbox,
  span: Span,
): Promise<void> {
  await sandbox.moveTo(span.startMs);
  const app = await createApp({ ...options, clock: sandbox.clock, roles: WITHOUT_JOBS });
  const { pool, settings } = app.deps;
  const setUndo = (seconds: number) => changeSetting(pool, 'desk.undoSeconds', seconds, sandbox.clock.now());
  const undoSeconds = settings.get('desk.undoSeconds');
  try {
    await seedDemo(app.deps);
    app.http.addHook('onRequest', async ({ url }, reply) =>
      PROBES.includes(url) ? reply.code(503).send({ status: 'not ready' }) : undefined,
    );
    // The sandbox sends its confirmations here.
    await app.http.listen({ port: Number(options.config.PORT), host: options.config.HOST });
    const { password } = DEMO_MEMBER;
    const passwordHash = await hashPassword(password, { lane: 'member', address: null });
    await app.runJob('feeds.read');
    // They pass by the database's clock, which stands almost still beside this one.
    await setUndo(0);
    await run({ app, sandbox, password, passwordHash }, span, log);
  } finally {
    await setUndo(undoSeconds);
    await app.close();
  }
}

interface Span {
  startMs: number;
  todayMs: number;
  nowMs: number;
  count: number;
}

function spanOf(count: number): Span {
  const nowMs = Date.now();
  const todayMs = Math.floor((nowMs + ZONE_MS) / DAY_MS) * DAY_MS - ZONE_MS;
  return { startMs: todayMs - count * DAY_MS, todayMs, nowMs, count };
}

async function run(context: DemoContext, span: Span, log: (line: string) => void): Promise<void> {
  const chance = seededChance(60);
  const actors: DemoActors = { ...context, members: [] };
  const timeOf = (when: Incident['when']): number =>
    'minutesAgo' in when
      ? span.nowMs - when.minutesAgo * MINUTE_MS
      : span.todayMs - when.daysAgo * DAY_MS + when.hour * HOUR_MS;
  const ends = Array.from({ length: span.count }, (_, day) => ({
    at: span.startMs + (day + 1) * DAY_MS + 10 * MINUTE_MS,
    run: async () => {
      for (const job of DAILY) await context.app.runJob(job);
      if ((day + 1) % PROGRESS_DAYS === 0) log(`demo: day ${day + 1} of ${span.count}`);
    },
  }));
  const rounds = Array.from({ length: span.count }, (_, day) => ({
    at: span.startMs + day * DAY_MS + 10 * HOUR_MS,
    run: async () => {
      await decideWaiting(actors);
      if (span.count - day <= COMPARED_DAYS) await context.app.runJob('reconciliation.due');
    },
  }));
  const steps = [
    ...POPULATION.flatMap((_, at) => stepsOf(actors, at, span, chance)),
    ...incidentsOf(actors).map(({ when, run: runIncident }) => ({ at: timeOf(when), run: runIncident })),
    ...ends,
    ...rounds,
  ]
    .filter(({ at }) => at >= span.startMs && at < span.nowMs - HOUR_MS)
    .sort((one, other) => one.at - other.at);
  for (const step of steps) {
    await context.sandbox.moveTo(step.at);
    await step.run();
  }
  log(`demo: ${span.count} days of history, ${steps.length} visits and incidents`);
}
