import { HOUR_MS } from '@krapao/contract/durations';
import { wallet } from '@krapao/contract/member';
import { fromMinor, type RefusalsOf, toMinor } from '@krapao/contract/shared';
import {
  finishSavedResponse,
  keepRefusal,
  RespondedBefore,
  readBalance,
  respondOnce,
  runningResponse,
  type Saved,
} from '../../../ledger/index.ts';
import { readGiftCode } from '../../../outside/index.ts';
import type { Declare } from '../../../platform/http/declare.ts';
import { newId } from '../../../platform/ids.ts';
import type { Intent } from '../../../platform/intent.ts';
import type { Limits } from '../../../platform/limits.ts';
import { requireWithinLimit } from '../../../platform/limits.ts';
import { type Sockets, walletHint } from '../../../platform/live/sockets.ts';
import type { Refuse } from '../../../platform/refusal.ts';
import type { Member } from '../../../platform/sessions.ts';
import { dropOffer, type LimitCode, reserveOffer } from '../../limits/read.ts';
import { giftAttemptItem } from './ledger.ts';
import { findGift, findGiftUse } from './queries.ts';
import { type GiftDeps, redeemFirst } from './settle.ts';

export interface GiftCallDeps extends GiftDeps {
  limits: Limits;
  config: { GIFT_PASSPHRASE: string };
  /** Notifies the member's other screens of what the call's response contains. */
  notify: Sockets['notify'];
}

/** How long a voucher that is being taken counts against a member's own limit without having arrived. */
const OFFER_MS = HOUR_MS;

type ReceiptBody = Omit<ReturnType<typeof receiptOf>, 'status'> & { status: 'PENDING' | 'SUCCESS' };

/** The receipt while the outcome is unknown. */
const receiptOf = (id: string, amountMinor: bigint, createdAt: Date) => ({
  id,
  type: 'deposit' as const,
  status: 'PENDING' as const,
  amount: fromMinor(amountMinor, 'BAHT'),
  from: 'gift',
  to: 'wallet',
  createdAt: createdAt.toISOString(),
  message: 'OK',
});

const withWallet = (body: ReceiptBody, walletMinor: bigint) => ({
  ...body,
  wallet: { amount: fromMinor(walletMinor, 'BAHT') },
});

/** Throws TRUELINK_DUPLICATE for a voucher that was used here, with the row of a member who used it themselves. */
async function requireUnused(
  refuse: Refuse<'TRUELINK_DUPLICATE'>,
  deps: GiftCallDeps,
  member: Member,
  code: string,
): Promise<void> {
  const use = await findGiftUse(deps.pool, code);
  if (use) throw refuse('TRUELINK_DUPLICATE', use.member_id === member.id ? { own: use.id } : undefined);
}

/**
 * Verifies a voucher before it is redeemed, and returns its value to us. Throws TRUELINK_DUPLICATE for a voucher that was
 * used here, TRUELINK_INVALID for one that cannot be taken or is worth too little, PROVIDER_UNAVAILABLE when no provider
 * responds.
 */
async function checkScreen(
  refuse: Refuse<RefusalsOf<typeof wallet.truelink>>,
  deps: GiftCallDeps,
  member: Member,
  code: string,
): Promise<bigint> {
  if (!deps.gift) throw refuse('NO_BANK');
  await requireUnused(refuse, deps, member, code);
  const response = await deps.gift.look(code);
  if (response.outcome !== 'ok') throw refuse('PROVIDER_UNAVAILABLE', undefined, 'gift service');
  const seen = response.value;
  const min = deps.settings.get('gift.minimum').BAHT;
  if (seen.state === 'OPEN' && seen.partMinor >= toMinor(min, 'BAHT')!) return seen.partMinor;
  if (seen.state === 'OURS') {
    await requireUnused(refuse, deps, member, code);
    const detail = 'our wallet took this voucher for no member';
    await deps.alert('gift-taken-elsewhere', `gift-code:${code}`, detail);
  }
  throw refuse('TRUELINK_INVALID', { min });
}

/** Writes the attempt down, for this voucher the only one. Throws TRUELINK_DUPLICATE when another was first. */
async function writeAttempt(
  refuse: Refuse<LimitCode | 'TRUELINK_DUPLICATE'>,
  deps: GiftCallDeps,
  member: Member,
  code: string,
  expectedMinor: bigint,
  intent: Intent | null,
): Promise<string> {
  const now = deps.clock.now();
  const id = newId('DP', now);
  const expiresAt = new Date(now.getTime() + OFFER_MS);
  await reserveOffer(refuse, deps, member, { id, amountMinor: expectedMinor, expiresAt });
  const response = receiptOf(id, expectedMinor, now);
  const saved = intent ? runningResponse(intent, response) : undefined;
  const outcome = await deps.ledger.post(
    giftAttemptItem({ id, memberId: member.id, code, expectedMinor, saved }),
  );
  if (outcome.state !== 'posted') await dropOffer(deps.pool, id);
  if (outcome.state === 'answered') throw new RespondedBefore();
  if (outcome.state === 'refused') {
    await requireUnused(refuse, deps, member, code);
    throw refuse(outcome.body.message as 'TRUELINK_DUPLICATE');
  }
  if (outcome.state !== 'posted') throw new Error(`gift intent ended as ${outcome.state}`);
  return id;
}

async function redeem(
  refuse: Refuse<RefusalsOf<typeof wallet.truelink>>,
  deps: GiftCallDeps,
  member: Member,
  code: string,
  intent: Intent | null,
) {
  const expectedMinor = await checkScreen(refuse, deps, member, code);
  const id = await writeAttempt(refuse, deps, member, code, expectedMinor, intent);
  return keepRefusal(deps.pool, intent, async () => {
    const settled = await redeemFirst(deps, id);
    if (settled.state === 'FAILED') {
      await dropOffer(deps.pool, id);
      throw refuse('TRUELINK_INVALID');
    }
    const row = (await findGift(deps.pool, id))!;
    const pending = receiptOf(id, row.amount ?? row.expected, row.created_at);
    const isDone = settled.state === 'DONE';
    const body: ReceiptBody = isDone ? { ...pending, status: 'SUCCESS', message: 'SUCCESS' } : pending;
    const walletAfterMinor =
      (isDone ? settled.walletAfterMinor : null) ??
      (await readBalance(deps.pool, member.walletAccount)).balanceMinor;
    if (isDone && settled.version !== null && settled.walletAfterMinor !== null) {
      const { walletAfterMinor: balanceMinor, version } = settled;
      deps.notify([walletHint(member, { balanceMinor, version })]);
    }
    if (intent) await finishSavedResponse(deps.pool, intent, { response: body, walletAfterMinor });
    return withWallet(body, walletAfterMinor);
  });
}

/** Builds the response of a repeat; when the first call never ended, from the attempt's present state. */
async function rebuild(refuse: Refuse<'TRUELINK_INVALID'>, deps: GiftCallDeps, member: Member, saved: Saved) {
  const body = saved.response as ReceiptBody;
  const walletMinor =
    saved.walletAfterMinor ?? (await readBalance(deps.pool, member.walletAccount)).balanceMinor;
  const row = saved.state === 'DONE' ? undefined : await findGift(deps.pool, body.id);
  if (row?.state === 'FAILED') throw refuse('TRUELINK_INVALID');
  if (row?.state !== 'DONE') return withWallet(body, walletMinor);
  const amount = fromMinor(row.amount!, 'BAHT');
  return withWallet({ ...body, amount, status: 'SUCCESS', message: 'SUCCESS' }, walletMinor);
}

/**
 * Answers taking a gift link. Whatever is wrong with the text is one code; only the voucher's code in it is used. What
 * is credited is what our wallet received.
 */
export function giftCall(declare: Declare, deps: GiftCallDeps): void {
  declare(wallet.truelink, ({ member, body, intent, refuse }) =>
    respondOnce(
      deps,
      intent,
      { checkFirst: true, build: (saved) => rebuild(refuse, deps, member, saved) },
      async () => {
        const isOpen = deps.settings.get('deposit.open') && deps.settings.get('gift.open');
        if (!deps.gift || !isOpen || member.currency !== 'BAHT') throw refuse('NO_BANK');
        const key = `gift:${member.id}`;
        const window = { key, max: deps.settings.get('gift.hourMax'), ms: HOUR_MS };
        await requireWithinLimit(deps.limits, window, deps.clock.now());
        const code = readGiftCode(body.link, deps.config.GIFT_PASSPHRASE);
        if (!code) throw refuse('TRUELINK_INVALID');
        return redeem(refuse, deps, member, code, intent);
      },
    ),
  );
}
