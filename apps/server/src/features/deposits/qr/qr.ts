import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { qr } from '@krapao/contract/member';
import { type Currency, fromMinor, QR_AMOUNT_MINOR_MAX, toMinor } from '@krapao/contract/shared';
import { renderSVG } from 'uqr';
import type { QrOffer } from '../../../outside/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Pool, PoolClient } from '../../../platform/database/db.ts';
import type { Declare } from '../../../platform/http/declare.ts';
import { newId } from '../../../platform/ids.ts';
import { type Limits, requireWithinLimit } from '../../../platform/limits.ts';
import type { Sockets } from '../../../platform/live/sockets.ts';
import type { Refuse } from '../../../platform/refusal.ts';
import type { Member } from '../../../platform/sessions.ts';
import type { Settings } from '../../../platform/settings.ts';
import { inTransaction } from '../../../platform/transaction.ts';
import { dropOffer, type LimitCode, reserveOffer } from '../../limits/read.ts';
import {
  closeOpenQr,
  findOpenQr,
  findPaidQr,
  findPayableQr,
  insertQr,
  lockMember,
  offersQr,
  type QrRow,
  queueCancel,
} from './queries.ts';

export interface QrDeps {
  pool: Pool;
  limits: Limits;
  settings: Settings;
  clock: Clock;
  /** The bank or gateway behind a code, if QRs can be made there. */
  qrMakerOf(bankCode: string): QrOffer | undefined;
  notify: Sockets['notify'];
}

/** Notifies the member's screens that their open QR has changed. */
const notifyChanged = ({ notify }: QrDeps, memberId: bigint): void =>
  notify([{ memberId, event: 'qr', payload: {} }]);

const none = (message: string | null = null) => ({
  qrcodeId: null,
  hasQrcode: false,
  qrcode: null,
  payload: null,
  reference: null,
  amount: 0,
  expireIn: 0,
  message,
});

function viewOf(row: QrRow, currency: Currency, now: Date) {
  return {
    qrcodeId: row.id,
    hasQrcode: true,
    qrcode: renderSVG(row.payload, { ecc: 'M', border: 2 }),
    payload: row.payload,
    reference: row.id,
    amount: fromMinor(row.amount, currency),
    expireIn: Math.max(0, Math.floor((row.expires_at.getTime() - now.getTime()) / 1000)),
    message: null,
  };
}

/** No QR is open; with the deposit of the last one, if it was paid. */
async function noneOpen(deps: QrDeps, member: Member, bankCode: string) {
  const row = await findPaidQr(deps.pool, member.id, bankCode);
  const paid = row && {
    qrcodeId: row.id,
    id: row.deposit_id,
    amount: fromMinor(row.amount, member.currency),
  };
  return { ...none(), ...(paid && { paid }) };
}

async function requireOffer(
  refuse: Refuse<'NO_BANK'>,
  deps: QrDeps,
  member: Member,
  bankCode: string,
): Promise<QrOffer> {
  const maker = deps.qrMakerOf(bankCode);
  if (
    !deps.settings.get('deposit.open') ||
    maker?.currency !== member.currency ||
    !(await offersQr(deps.pool, bankCode, maker.currency, deps.clock.now()))
  )
    throw refuse('NO_BANK');
  return maker;
}

/** Closes the member's open QR here, and queues its cancelling at the gateway. */
async function close(deps: QrDeps, tx: PoolClient, memberId: bigint, now: Date, bankCode?: string) {
  const closed = await closeOpenQr(tx, memberId, now, bankCode);
  if (closed && deps.qrMakerOf(closed.bank_code)?.cancelQr) await queueCancel(tx, closed.id);
}

/**
 * Creates the member's only open QR: it replaces the former one, and concurrent requests of devices are serialised.
 */
async function replaceOpenQr(deps: QrDeps, qr: Omit<QrRow, 'status'>): Promise<void> {
  await inTransaction(deps.pool, async (tx) => {
    await lockMember(tx, qr.member_id);
    // Now, not when the provider was called: a QR that was made and paid meanwhile was open until here.
    await close(deps, tx, qr.member_id, deps.clock.now());
    await insertQr(tx, qr);
  });
}

async function create(
  refuse: Refuse<LimitCode>,
  deps: QrDeps,
  member: Member,
  maker: QrOffer,
  amountMinor: bigint,
) {
  const now = deps.clock.now();
  const id = newId('QR', now);
  const expiresAt = new Date(now.getTime() + deps.settings.get('qr.minutes') * MINUTE_MS);
  await reserveOffer(refuse, deps, member, { id, amountMinor, expiresAt });
  const response = await maker.createQr({ reference: id, amountMinor, expiresAt });
  if (response.outcome !== 'ok') {
    await dropOffer(deps.pool, id);
    return none('QR_FAIL');
  }
  const qr = {
    id,
    member_id: member.id,
    bank_code: maker.code,
    amount: amountMinor,
    payload: response.value,
    created_at: now,
    expires_at: expiresAt,
  };
  await replaceOpenQr(deps, qr);
  notifyChanged(deps, member.id);
  return viewOf({ ...qr, status: 'OPEN' }, member.currency, deps.clock.now());
}

/** The most one QR is made for: the setting, within what the QR format can carry. */
export const qrMaximum = (settings: Settings, currency: Currency): number =>
  Math.min(settings.get('qr.maximum')[currency], fromMinor(QR_AMOUNT_MINOR_MAX, currency));

/** Declares reading, creating and cancelling a QR. */
export function qrCalls(declare: Declare, deps: QrDeps): void {
  declare(qr.readQr, async ({ member, params, refuse }) => {
    const now = deps.clock.now();
    const row = await findPayableQr(deps.pool, member.id, params.bankCode, now);
    if (row) return viewOf(row, member.currency, now);
    const state = await noneOpen(deps, member, params.bankCode);
    if (!state.paid) await requireOffer(refuse, deps, member, params.bankCode);
    return state;
  });
  declare(qr.createQr, async ({ member, params, body, refuse }) => {
    const maker = await requireOffer(refuse, deps, member, params.bankCode);
    const amountMinor = toMinor(body.amount, member.currency);
    const minimum = deps.settings.get(maker.minimum)[member.currency];
    const maximum = qrMaximum(deps.settings, member.currency);
    if (typeof body.amount === 'number' && body.amount > maximum)
      throw refuse('TRANSFER_MAXIMUM', { max: maximum });
    if (amountMinor === null || amountMinor < toMinor(minimum, member.currency)!)
      throw refuse('TRANSFER_MINIMUM', { min: minimum });
    const window = { key: `qr:${member.id}`, max: deps.settings.get('qr.hourMax'), ms: HOUR_MS };
    await requireWithinLimit(deps.limits, window, deps.clock.now());
    return create(refuse, deps, member, maker, amountMinor);
  });
  declare(qr.cancelQr, async ({ member, params, refuse }) => {
    const now = deps.clock.now();
    // A QR of a bank that was closed since can still be cancelled.
    if (!(await findOpenQr(deps.pool, member.id, params.bankCode, now)))
      await requireOffer(refuse, deps, member, params.bankCode);
    await inTransaction(deps.pool, (tx) => close(deps, tx, member.id, now, params.bankCode));
    notifyChanged(deps, member.id);
    return noneOpen(deps, member, params.bankCode);
  });
}
