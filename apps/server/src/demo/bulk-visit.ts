import { costUp, creditsFor, valueDown } from '@krapao/contract/credits';
import { MINUTE_MS } from '@krapao/contract/durations';
import { encodeBillPayment, encodeSlipCode } from '@krapao/contract/shared';
import { runEndItem, runStartItem } from '../features/bonuses/ledger.ts';
import {
  type BonusRow,
  findActiveRun,
  findBacking,
  findOffered,
  noteTurnover,
} from '../features/bonuses/queries.ts';
import { awardOf, thresholdsOf, verdictOf } from '../features/bonuses/run-verdict.ts';
import { openConversation, say } from '../features/chat/queries.ts';
import { type CoinDeps, reckonCoins } from '../features/coins/coins.ts';
import { giftAttemptItem, giftEndItem } from '../features/deposits/gifts/ledger.ts';
import { type MatchDeps, settle, type Transfer } from '../features/deposits/matching/match.ts';
import { insertQr } from '../features/deposits/qr/queries.ts';
import { checkSlip } from '../features/deposits/slips/check.ts';
import { findSlip, insertSlip } from '../features/deposits/slips/queries.ts';
import { gameReadingItem, transferEndItem, transferHoldItem } from '../features/games/ledger.ts';
import { newGamePassword } from '../features/games/password.ts';
import {
  type AccountRow,
  confirmAccount,
  findAccount,
  rateOf,
  reserveAccount,
  type SlotRow,
  type TransferRow,
  takeTurn,
} from '../features/games/queries.ts';
import type { createAssess } from '../features/risk/read.ts';
import { automaticMaxMinor } from '../features/withdrawals/automatic.ts';
import { holdItem, type UnplayedFinding } from '../features/withdrawals/ledger.ts';
import { openMemberAccount, readBalance } from '../ledger/index.ts';
import { newId } from '../platform/ids.ts';
import { inTransaction } from '../platform/transaction.ts';
import type { BulkChannel, BulkMember } from './bulk-member.ts';
import type { BulkSlips } from './bulk-partners.ts';

/** What the visits of the large population use: the product's functions, with partners that have no network. */
export interface BulkEnv extends MatchDeps, CoinDeps {
  slips: BulkSlips;
  assess: ReturnType<typeof createAssess>;
  games: readonly SlotRow[];
  /** The bank's code for transfers between banks, by our code. */
  botCodes: ReadonlyMap<string, string>;
  /** The operator who answers in the chat. */
  supportId: bigint;
  /** The stored picture that stands for all slips. */
  slipFile: string;
}

export interface Visit {
  member: BulkMember;
  amountMinor: bigint;
  /** The game that is played. */
  game?: AccountRow;
  creditsIn: bigint;
}

/** Takes one step of a visit and returns the next; null ends the visit. */
export type Step = (env: BulkEnv, visit: Visit) => Promise<Step | null>;

const BAHT = 100n;
const CREDIT_DECIMALS = 2;
/** The company's accounts that the demo seeds for transfers; KBANK also takes bills paid by QR. */
const TRANSFER_ACCOUNTS = { KBANK: '3334445556', SCB: '2223334445' } as const;
const QR_ACCOUNT = '1112223334';
const BILLER = '010753600037500';
const DAILY_BONUS = 'DAILY10';
const IDLE_MINUTES = 60;
const NOT_UNPLAYED: UnplayedFinding = { unplayed: null, rest: null, walletVersion: null };

/** A reference as banks print it, unique by member and moment. */
const bankReference = (env: BulkEnv, { position }: BulkMember): string =>
  `D${env.clock.now().getTime().toString(36).toUpperCase()}${String(position).padStart(7, '0')}`;

function transferOf(
  env: BulkEnv,
  { member, amountMinor }: Visit,
  to: Pick<Transfer, 'source' | 'bankCode' | 'accountNo' | 'reference1'>,
): Transfer {
  return {
    ...to,
    currency: 'BAHT',
    bankReference: bankReference(env, member),
    amountMinor,
    payerBank: env.botCodes.get(member.bankCode) ?? '',
    payerAccount: member.accountNo,
    payerName: member.accountName,
    paidAt: env.clock.now(),
  };
}

const transferTarget = ({ bankCode }: BulkMember) => {
  const code = bankCode === 'SCB' ? 'SCB' : 'KBANK';
  return { bankCode: code, accountNo: TRANSFER_ACCOUNTS[code] };
};

const ownerOf = ({ id, walletAccount }: BulkMember) => ({
  memberId: id,
  walletAccount,
  qrId: null,
  slipId: null,
  fromOtherAccount: false,
});

/** Deposits by each channel. Returns whether the member has the money. */
const DEPOSITS: Record<BulkChannel, (env: BulkEnv, visit: Visit) => Promise<boolean>> = {
  async qr(env, visit) {
    const { member, amountMinor } = visit;
    const now = env.clock.now();
    const id = newId('QR', now);
    const payload = encodeBillPayment({ billerId: BILLER, reference1: id, amountMinor });
    const expiresAt = new Date(now.getTime() + env.settings.get('qr.minutes') * MINUTE_MS);
    await insertQr(env.pool, {
      id,
      member_id: member.id,
      bank_code: 'KBANK',
      amount: amountMinor,
      payload,
      created_at: now,
      expires_at: expiresAt,
    });
    const transfer = transferOf(env, visit, {
      source: 'QR',
      bankCode: 'KBANK',
      accountNo: QR_ACCOUNT,
      reference1: id,
    });
    const settled = await settle(env, transfer, { ...ownerOf(member), channel: 'QR', qrId: id });
    return settled.booked === 'credited';
  },
  async transfer(env, visit) {
    const to = { source: 'FEED' as const, reference1: null, ...transferTarget(visit.member) };
    const owner = { ...ownerOf(visit.member), channel: 'AUTO' as const };
    return (await settle(env, transferOf(env, visit, to), owner)).booked === 'credited';
  },
  slip: (env, visit) => submitSlip(env, visit, visit.member.chance.is(0.1)),
  async gift(env, { member, amountMinor }) {
    const now = env.clock.now();
    const id = newId('DP', now);
    const code = bankReference(env, member);
    const attempt = { id, memberId: member.id, code, expectedMinor: amountMinor, saved: undefined };
    await env.ledger.post(giftAttemptItem(attempt));
    const row = {
      id,
      member_id: member.id,
      wallet_account: member.walletAccount,
      code,
      state: 'SENT' as const,
      expected: amountMinor,
      amount: null,
      asked: 0,
      reason: null,
      age_seconds: 0,
      tried_seconds: 0,
      created_at: now,
    };
    const from = await env.systemAccount('gift', 'BAHT');
    return (await env.ledger.post(giftEndItem(row, { amountMinor }, from, null))).state === 'posted';
  },
};

/** Uploads a slip and has it checked; one to somebody else's account is refused. Returns whether it was credited. */
async function submitSlip(env: BulkEnv, visit: Visit, isRefused: boolean): Promise<boolean> {
  const { member, amountMinor } = visit;
  const now = env.clock.now();
  const target = transferTarget(member);
  const sendingBank = env.botCodes.get(member.bankCode) ?? '';
  const transRef = bankReference(env, member);
  const code = encodeSlipCode({ sendingBank, transRef });
  env.slips.add(code, {
    sendingBank,
    transRef,
    amountMinor,
    paidAt: new Date(now.getTime() - MINUTE_MS),
    sender: { bank: sendingBank, account: member.accountNo, name: member.accountName },
    receiver: {
      bank: env.botCodes.get(target.bankCode) ?? '',
      account: isRefused ? '9990001112' : target.accountNo,
      name: 'KRAPAO CO LTD',
    },
    reference1: null,
  });
  const id = newId('SL', now);
  await insertSlip(env.pool, {
    id,
    memberId: member.id,
    reference: transRef,
    idempotencyKey: null,
    imageHash: Buffer.from(transRef),
    file: env.slipFile,
    code,
    sendingBank,
    transRef,
    status: 'PENDING',
    note: null,
    checkAt: now,
    now,
  });
  await checkSlip(env, id);
  return (await findSlip(env.pool, id)).status === 'SUCCESS';
}

/** The first step: a deposit, where the wallet holds less than is usually deposited. */
export const arrive: Step = async (env, visit) => {
  const { member, amountMinor } = visit;
  if (member.walletMinor < amountMinor) {
    if (!(await DEPOSITS[member.channel](env, visit))) return complain;
    member.walletMinor += amountMinor;
    await reckonCoins(env, member.id);
  }
  return member.chance.is(0.08) ? receiveBonus : enterGame;
};

/** Writes to support, who answer. */
const complain: Step = async (env, { member }) => {
  const now = env.clock.now();
  await inTransaction(env.pool, async (tx) => {
    const conversationId = await openConversation(
      tx,
      { memberId: member.id, guestHash: null, language: 'th' },
      now,
    );
    if (conversationId === null) return;
    const write = (sender: 'customer' | 'agent', words: string) => {
      const message = { message_type: 'text', payload: { message: words } };
      const operatorId = sender === 'agent' ? env.supportId : null;
      const clientId = `${sender} ${now.toISOString()}`;
      const content = { conversationId, sender, operatorId, message, words, clientId };
      return say(tx, content, now, IDLE_MINUTES);
    };
    await write('customer', 'เติมเงินแล้วยอดยังไม่เข้าค่ะ');
    if (member.chance.is(0.95)) await write('agent', 'ตรวจสอบแล้ว รบกวนส่งสลิปใหม่อีกครั้งนะคะ');
  });
  return null;
};

/** Receives the bonus of the day on the deposit just made, when it is on offer. */
const receiveBonus: Step = async (env, { member }) => {
  const at = env.clock.now();
  const intent = { kind: 'bonus', code: DAILY_BONUS } as const;
  const bonus = await findOffered(env.pool, at, 'BAHT', intent);
  const deposit = bonus && (await backingOf(env, member, bonus, at));
  if (!bonus || !deposit) return enterGame;
  const qualifying = deposit.amount < member.walletMinor ? deposit.amount : member.walletMinor;
  const granted = awardOf(bonus, qualifying);
  if (granted <= 0n) return enterGame;
  const outcome = await env.ledger.post(
    runStartItem(
      {
        kind: bonus.kind,
        label: bonus.title.th,
        terms: bonus,
        from: await env.systemAccount('bonus_cost', 'BAHT'),
        entryKind: 'bonus_granted',
        bonus: { id: bonus.id, version: bonus.version, receivedSince: bonus.received_since },
      },
      {
        id: newId('BN', at),
        member,
        at,
        grant: { granted, deposit: { id: deposit.id, qualifying } },
        total: member.walletMinor,
      },
    ),
  );
  if (outcome.state === 'posted') member.walletMinor += granted;
  return enterGame;
};

const backingOf = ({ pool }: BulkEnv, member: BulkMember, bonus: BonusRow, at: Date) =>
  findBacking(pool, member.id, {
    since: new Date(at.getTime() - 60 * MINUTE_MS),
    min: bonus.deposit_min ?? 0n,
    max: bonus.deposit_max,
  });

/** Opens a game account as the activation does, once its provider has created the player. */
async function openGame(env: BulkEnv, member: BulkMember, slot: SlotRow): Promise<AccountRow> {
  const known = member.games.get(slot.code);
  if (known) return known;
  const now = env.clock.now();
  const account = {
    memberId: member.id,
    kind: 'mirror',
    asset: member.currency,
    slotCode: slot.code,
  } as const;
  await reserveAccount(env.pool, {
    memberId: member.id,
    slotCode: slot.code,
    username: `kp${member.id}`,
    sealed: env.secrets.encrypt('game-password', newGamePassword()),
    balanceAccount: await openMemberAccount(env.pool, account, now),
    rateMicro: rateOf(slot, member.currency),
    now,
  });
  await confirmAccount(env.pool, member.id, slot.code, null);
  const opened = (await findAccount(env.pool, member.id, slot.code))!;
  member.games.set(slot.code, opened);
  return opened;
}

/** Moves money or credits between wallet and game: held, then ended as done. */
async function move(
  env: BulkEnv,
  { member, game }: Visit,
  direction: 'IN' | 'OUT',
  credits: bigint,
  amountMinor: bigint,
): Promise<boolean> {
  const account = game!;
  const createdAt = env.clock.now();
  const id = newId('TF', createdAt);
  const from = direction === 'IN' ? member.walletAccount : account.balance_account;
  const held = await env.ledger.post(
    transferHoldItem({
      id,
      memberId: member.id,
      walletAccount: member.walletAccount,
      slotCode: account.slot_code,
      direction,
      leg: { from, to: member.holdAccount, amountMinor },
      credits,
      saved: undefined,
    }),
  );
  if (held.state !== 'posted') return false;
  const row: TransferRow = {
    id,
    member_id: member.id,
    slot_code: account.slot_code,
    direction,
    amount: amountMinor,
    credits,
    state: 'RESERVED',
    asked: 0,
    age_seconds: 0,
    currency: member.currency,
    wallet_account: member.walletAccount,
    hold_account: member.holdAccount,
    created_at: createdAt,
  };
  const rounding = await env.systemAccount('rounding', member.currency);
  await env.ledger.post(transferEndItem(row, account, true, rounding, null));
  member.walletMinor += direction === 'IN' ? -amountMinor : amountMinor;
  return true;
}

/** Takes most of the wallet into a game. */
const enterGame: Step = async (env, visit) => {
  const { member } = visit;
  const slot = member.chance.pick(env.games.slice(0, 3 + (member.position % 4)));
  const share = BigInt(Math.round(member.chance.between(50, 100)));
  const account = await openGame(env, member, slot);
  visit.game = account;
  const wished = (member.walletMinor * share) / 100n;
  visit.creditsIn = creditsFor(wished, account.rate_micro, member.currency, CREDIT_DECIMALS);
  if (visit.creditsIn <= 0n) return null;
  const cost = costUp(visit.creditsIn, account.rate_micro, member.currency);
  return (await move(env, visit, 'IN', visit.creditsIn, cost)) ? play : null;
};

/** Plays: the next reading of the game's balance books what was won or lost. */
const play: Step = async (env, visit) => {
  const { member, creditsIn } = visit;
  const account = visit.game!;
  const result = member.chance.is(0.35) ? member.chance.between(1, 2.2) : member.chance.between(0, 1);
  const credits = (creditsIn * BigInt(Math.round(result * 100))) / 100n;
  const requested = { at: env.clock.now(), turn: await takeTurn(env.pool) };
  const booked = await readBalance(env.pool, account.balance_account);
  const worth = valueDown(credits, account.rate_micro, member.currency);
  await env.ledger.post(
    gameReadingItem({
      memberId: member.id,
      account,
      balance: { credits, outstanding: 0n },
      requested,
      version: booked.version,
      differenceMinor: worth - booked.balanceMinor,
      result: await env.systemAccount(`game_result:${account.slot_code}`, member.currency),
      action: null,
    }),
  );
  visit.creditsIn = credits;
  return leaveGame;
};

/** Brings back what is left, and ends a bonus. */
const leaveGame: Step = async (env, visit) => {
  const { member, creditsIn, game } = visit;
  const worth = valueDown(creditsIn, game!.rate_micro, member.currency);
  if (worth > 0n && !(await move(env, visit, 'OUT', creditsIn, worth))) return null;
  await endBonus(env, member);
  const least = BigInt(env.settings.get('withdraw.minimum').BAHT) * BAHT;
  const wants = member.walletMinor > visit.amountMinor + visit.amountMinor / 2n && member.chance.is(0.7);
  return wants && member.walletMinor >= least ? withdraw : null;
};

/** Ends an active bonus by its terms, or as forfeited where these decide nothing. */
async function endBonus(env: BulkEnv, member: BulkMember): Promise<void> {
  const found = await findActiveRun(env.pool, member.id);
  if (!found) return;
  const run = { ...found, turnover: thresholdsOf(found).needed };
  await noteTurnover(env.pool, run.id, run.turnover);
  const state = verdictOf(run) ?? 'FORFEITED';
  const over = run.standing - run.qualifying;
  const takenMinor = state === 'FORFEITED' && over > 0n ? over : 0n;
  const now = env.clock.now();
  const outcome = await env.ledger.post(
    runEndItem({
      run,
      end: { state, takenMinor },
      rowId: newId('BN', now),
      walletAccount: member.walletAccount,
      cost: await env.systemAccount('bonus_cost', 'BAHT'),
      endedBy: 'member',
      action: null,
    }),
  );
  if (outcome.state === 'posted') member.walletMinor -= takenMinor;
}

/** Requests a withdrawal of all; one in twenty was not played for and waits for an operator. */
const withdraw: Step = async (env, { member }) => {
  const whole = (member.walletMinor / BAHT) * BAHT;
  const most = BigInt(env.settings.get('withdraw.maximum').BAHT) * BAHT;
  const amountMinor = whole < most ? whole : most;
  const unplayed: UnplayedFinding = member.chance.is(0.05)
    ? { ...NOT_UNPLAYED, unplayed: amountMinor / 2n }
    : NOT_UNPLAYED;
  const outcome = await env.ledger.post(
    holdItem({
      id: newId('WD', env.clock.now()),
      memberId: member.id,
      walletAccount: member.walletAccount,
      holdAccount: member.holdAccount,
      bankAccountId: member.bankAccountId,
      bankCode: member.bankCode,
      amountMinor,
      onlyOne: env.settings.get('withdraw.oneOpen'),
      assessment: await env.assess(member, amountMinor, Promise.resolve(unplayed)),
      unplayed,
      automaticMaxMinor: automaticMaxMinor(env.settings, 'BAHT'),
      automaticDayMaxMinor: BigInt(env.settings.get('withdraw.automaticDayMax').BAHT) * BAHT,
      saved: undefined,
    }),
  );
  if (outcome.state === 'posted') member.walletMinor -= amountMinor;
  return null;
};

/** Begins a visit of a member, with the amount they deposit if they do. */
export function visitOf(member: BulkMember): Visit {
  const amount = Math.max(1, Math.round(member.deposit * member.chance.between(0.5, 2)));
  return { member, amountMinor: BigInt(amount) * BAHT, creditsIn: 0n };
}

/** Books money of somebody who is no member, for operators. */
export async function payAsNonMember(env: BulkEnv, position: number, amountMinor: bigint): Promise<void> {
  await settle(
    env,
    {
      source: 'FEED',
      bankCode: 'SCB',
      accountNo: TRANSFER_ACCOUNTS.SCB,
      currency: 'BAHT',
      bankReference: `S${env.clock.now().getTime().toString(36).toUpperCase()}${position}`,
      amountMinor,
      payerBank: env.botCodes.get('KTB') ?? '',
      payerAccount: `98${String(position).padStart(8, '0')}`,
      payerName: 'SOMSAK RAKTHAI',
      reference1: null,
      paidAt: env.clock.now(),
    },
    { likely: [], reason: 'NO_MEMBER' },
  );
}
