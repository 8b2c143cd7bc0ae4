import { creditsCovering, creditsFor, roundToProvider, valueDown } from '@krapao/contract/credits';
import { wallet } from '@krapao/contract/member';
import { fromMinor, type RefusalsOf } from '@krapao/contract/shared';
import { finishSavedResponse, keepRefusal, readBalance, respondOnce, takeKey } from '../../ledger/index.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { newId } from '../../platform/ids.ts';
import type { Intent } from '../../platform/intent.ts';
import { type Refuse, unlessRefused } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { leastInto } from './least.ts';
import { type GameDeps, type Move, moveIn, moveOut } from './move.ts';
import { type AccountRow, findSlot, listAccounts } from './queries.ts';
import { type Reading, refreshAll } from './refresh.ts';
import { endPromised, type ReceiptBody, replayReceipt } from './replay.ts';
import { findPlace, type Opened } from './transfer.ts';

export interface BroughtHome {
  from: string;
  amountMinor: bigint;
  status: 'SUCCESS' | 'PENDING' | 'FAILED';
}

type Holder = Pick<Member, 'id' | 'currency' | 'walletAccount' | 'holdAccount'>;

/** How many credits of a game can be taken: those just read, or after a reading that was overtaken those still booked. */
async function takeable(deps: GameDeps, member: Holder, { account, ok }: Reading): Promise<bigint> {
  if (ok) return account.credits;
  const { balanceMinor } = await readBalance(deps.pool, account.balance_account);
  const booked = creditsFor(balanceMinor, account.rate_micro, member.currency, 2);
  return booked < account.credits ? booked : account.credits;
}

/** Moves the whole balance, or the missing amount, out of one game; null when there is nothing to move. */
async function bringOne(
  refuse: Refuse<'TRANSFER_FAIL'>,
  deps: GameDeps,
  member: Holder,
  reading: Reading,
  missing: bigint | undefined,
  id: string | undefined,
): Promise<BroughtHome | null> {
  const { account } = reading;
  const slot = await findSlot(deps.pool, account.slot_code);
  if (reading.silent || !slot) return { from: account.slot_code, amountMinor: 0n, status: 'FAILED' };
  const { creditDecimals } = deps.providerOf(slot).capabilities;
  const all = roundToProvider(await takeable(deps, member, reading), creditDecimals);
  const enough =
    missing === undefined
      ? all
      : creditsCovering(missing, account.rate_micro, member.currency, creditDecimals);
  const credits = enough < all ? enough : all;
  if (valueDown(credits, account.rate_micro, member.currency) <= 0n) return null;
  // Another call of the member may have taken it in the meantime.
  const moved = await unlessRefused(refuse, ['MONEY_NOT_ENOUGH', 'TRANSFER_MINIMUM'], (refuse) =>
    moveOut(refuse, deps, { member, slot, account, ...(id ? { id } : {}) }, credits),
  );
  return moved && { from: slot.code, amountMinor: moved.amountMinor, status: moved.status };
}

/** What the games that could be read hold in credits their providers give out, in minor units. */
async function worthOf(deps: GameDeps, member: Holder, readings: readonly Reading[]): Promise<bigint> {
  let worth = 0n;
  for (const reading of readings) {
    const slot = reading.silent ? undefined : await findSlot(deps.pool, reading.account.slot_code);
    if (!slot) continue;
    const { creditDecimals } = deps.providerOf(slot).capabilities;
    const credits = roundToProvider(await takeable(deps, member, reading), creditDecimals);
    worth += valueDown(credits, reading.account.rate_micro, member.currency);
  }
  return worth;
}

/**
 * What the member's games hold in parts of a credit that their providers do not move, in minor units; null while a game
 * holds credits that can be moved.
 */
export async function readFractions(deps: GameDeps, member: Holder): Promise<bigint | null> {
  let sum = 0n;
  for (const account of await listAccounts(deps.pool, member.id)) {
    const slot = await findSlot(deps.pool, account.slot_code);
    if (!slot) return null;
    const worth = (credits: bigint) => valueDown(credits, account.rate_micro, member.currency);
    const { creditDecimals } = deps.providerOf(slot).capabilities;
    if (worth(roundToProvider(account.credits, creditDecimals)) > 0n) return null;
    sum += worth(account.credits);
  }
  return sum;
}

/**
 * Brings game money into the wallet, from the fullest game down, until `neededMinor` has come (all there is without
 * it). A game that cannot be read is named with status FAILED and amount 0; a game with nothing is left out. With
 * `promised` only the games in it are emptied, each under its id. With `orNothing` nothing is moved unless the games that
 * can be read hold `neededMinor`; only the games that cannot be read are named then.
 */
export async function sweepToWallet(
  refuse: Refuse<'TRANSFER_FAIL'>,
  deps: GameDeps,
  member: Holder,
  options: { neededMinor?: bigint; orNothing?: boolean; promised?: ReadonlyMap<string, string> } = {},
): Promise<BroughtHome[]> {
  const readings = await refreshAll(deps, member);
  const { promised } = options;
  if (options.orNothing && (await worthOf(deps, member, readings)) < (options.neededMinor ?? 0n))
    return readings
      .filter(({ silent }) => silent)
      .map(({ account }) => ({ from: account.slot_code, amountMinor: 0n, status: 'FAILED' }));
  const wanted = readings.filter(({ account }) => !promised || promised.has(account.slot_code));
  wanted.sort((a, b) =>
    Number(b.account.credits * b.account.rate_micro - a.account.credits * a.account.rate_micro),
  );
  const legs: BroughtHome[] = [];
  let missing = options.neededMinor;
  for (const reading of wanted) {
    if (missing !== undefined && missing <= 0n) break;
    const leg = await bringOne(
      refuse,
      deps,
      member,
      reading,
      missing,
      promised?.get(reading.account.slot_code),
    );
    if (leg) legs.push(leg);
    if (leg?.status === 'SUCCESS' && missing !== undefined) missing -= leg.amountMinor;
  }
  return legs;
}

interface AllReceipt extends ReceiptBody {
  legs: { from: string; amount: number; status: BroughtHome['status'] }[];
}

/** The ids under which everything happens that this call may begin: one a game to empty, one for the game it goes to. */
interface Plan {
  outs: [slotCode: string, id: string][];
  into: string | null;
}

/** What a repeat has to go by should the call never end. */
type UnfinishedAll = AllReceipt & { plan?: Plan };

/** Legs of one call: transfers to the wallet, and then the one into a game. */
interface Legs {
  home: BroughtHome[];
  into: Pick<Move, 'amountMinor' | 'status'> | null;
}

function promise(accounts: AccountRow[], to: string, now: Date): UnfinishedAll & { plan: Plan } {
  const id = newId('TF', now);
  const outs = accounts.filter(({ slot_code }) => slot_code !== to);
  return {
    id,
    type: 'transfer',
    status: 'PENDING',
    amount: 0,
    from: 'all',
    to,
    createdAt: now.toISOString(),
    message: 'OK',
    legs: [],
    plan: {
      outs: outs.map(({ slot_code }) => [slot_code, newId('TF', now)]),
      into: to === 'wallet' ? null : id,
    },
  };
}

/**
 * Builds the receipt of the moves; throws when nothing moved or when it did not arrive at its destination. What is too
 * little for a game stays in the wallet, which is TRANSFER_FAIL too once nothing is on its way any more.
 */
function conclude(
  refuse: Refuse<'TRANSFER_FAIL' | 'MONEY_NOT_ENOUGH' | 'PROVIDER_UNAVAILABLE'>,
  member: Holder,
  { plan, ...kept }: UnfinishedAll,
  { home, into }: Legs,
): AllReceipt {
  const legs = into ? [...home, { from: 'wallet', ...into }] : home;
  const moved = legs.filter((leg) => leg.status !== 'FAILED');
  if (moved.length === 0) {
    if (legs.some((leg) => leg.amountMinor > 0n)) throw refuse('TRANSFER_FAIL');
    throw refuse(legs.length > 0 ? 'PROVIDER_UNAVAILABLE' : 'MONEY_NOT_ENOUGH');
  }
  const isUnderWay = moved.some((leg) => leg.status === 'PENDING');
  const hasStayed = plan?.into != null && !into && !isUnderWay;
  if (into?.status === 'FAILED' || hasStayed) throw refuse('TRANSFER_FAIL');
  const arrivedMinor = into ? into.amountMinor : moved.reduce((sum, leg) => sum + leg.amountMinor, 0n);
  // Money of one game alone is one row of the statement: the receipt has its id.
  const only = !into && moved.length === 1 ? plan?.outs.find(([slot]) => slot === moved[0]!.from) : undefined;
  return {
    ...kept,
    ...(only ? { id: only[1] } : {}),
    status: isUnderWay ? 'PENDING' : 'SUCCESS',
    amount: fromMinor(arrivedMinor, member.currency),
    message: 'SUCCESS',
    legs: legs.map(({ from, amountMinor, status }) => ({
      from,
      amount: fromMinor(amountMinor, member.currency),
      status,
    })),
  };
}

async function intoGame(
  refuse: Refuse<RefusalsOf<typeof wallet.transferAll>>,
  deps: GameDeps,
  member: Member,
  to: Opened,
  id: string,
  home: readonly BroughtHome[],
): Promise<Move | null> {
  const { balanceMinor } = await readBalance(deps.pool, member.walletAccount);
  if (balanceMinor <= 0n) return null;
  const least = leastInto(deps, member.currency, to);
  if (balanceMinor < least && home.length === 0)
    throw refuse('TRANSFER_MINIMUM', { min: fromMinor(least, member.currency) });
  // Less than the game takes in at once stays in the wallet, and another call may have been faster.
  return unlessRefused(refuse, ['TRANSFER_MINIMUM', 'MONEY_NOT_ENOUGH'], (refuse) =>
    moveIn(refuse, deps, { member, ...to, id }, balanceMinor),
  );
}

async function transferAll(
  refuse: Refuse<RefusalsOf<typeof wallet.transferAll>>,
  deps: GameDeps,
  member: Member,
  to: string,
  intent: Intent | null,
) {
  const target = await findPlace(refuse, deps, member, to, 'into');
  const accounts = await listAccounts(deps.pool, member.id);
  const hasSomething =
    accounts.length > 0 || (await readBalance(deps.pool, member.walletAccount)).balanceMinor > 0n;
  if (!hasSomething) throw refuse('MONEY_NOT_ENOUGH');
  const unfinished = promise(accounts, to, deps.clock.now());
  await takeKey(deps.ledger, intent, unfinished);
  const home = await sweepToWallet(refuse, deps, member, { promised: new Map(unfinished.plan.outs) });
  const into = target ? await intoGame(refuse, deps, member, target, unfinished.id, home) : null;
  const response = conclude(refuse, member, unfinished, { home, into });
  const walletAfterMinor = (await readBalance(deps.pool, member.walletAccount)).balanceMinor;
  if (intent) await finishSavedResponse(deps.pool, intent, { response, walletAfterMinor });
  return { ...response, wallet: { amount: fromMinor(walletAfterMinor, member.currency) } };
}

const STATUS = { DONE: 'SUCCESS', FAILED: 'FAILED', RESERVED: 'PENDING', UNKNOWN: 'PENDING' } as const;

/** Concludes a call that never ended, and names the balances that were not moved. */
async function endAll(
  refuse: Refuse<'TRANSFER_FAIL' | 'MONEY_NOT_ENOUGH' | 'PROVIDER_UNAVAILABLE'>,
  deps: GameDeps,
  member: Member,
  kept: UnfinishedAll,
  { outs, into }: Plan,
) {
  const ids = outs.map(([, id]) => id);
  const { rows, isOver } = await endPromised(deps, member, into ? [...ids, into] : ids);
  const legOf = (id: string | null) => {
    const row = rows.find((one) => one.id === id);
    return row && { amountMinor: row.amount, status: STATUS[row.state] };
  };
  const arrived = legOf(into);
  if (into && isOver && !arrived) throw refuse('TRANSFER_FAIL');
  const home: BroughtHome[] = [];
  for (const { slot_code: from, balance_account } of await listAccounts(deps.pool, member.id)) {
    const promised = outs.find(([slot]) => slot === from);
    const leg = promised && legOf(promised[1]);
    const isLeft = promised && (await readBalance(deps.pool, balance_account)).balanceMinor > 0n;
    if (leg) home.push({ from, ...leg });
    else if (isLeft) home.push({ from, amountMinor: 0n, status: 'FAILED' });
  }
  return { receipt: conclude(refuse, member, kept, { home, into: arrived ?? null }), isOver };
}

/** Declares moving all other balances into one account. */
export function transferAllCall(declare: Declare, deps: GameDeps): void {
  declare(wallet.transferAll, ({ member, body, intent, refuse }) =>
    respondOnce(
      deps,
      intent,
      {
        checkFirst: true,
        build: (saved) =>
          replayReceipt<UnfinishedAll>(deps, member, intent, saved, async (kept) =>
            kept.plan ? endAll(refuse, deps, member, kept, kept.plan) : null,
          ),
      },
      () => keepRefusal(deps.pool, intent, () => transferAll(refuse, deps, member, body.to, intent)),
    ),
  );
}
