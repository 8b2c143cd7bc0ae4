/** Gift envelopes of the mobile wallet: making them, and taking a part. */
import { HOUR_MS } from '@krapao/contract/durations';
import { nowMs } from '../environment/clock.ts';
import { changed, type Environment } from '../environment/environment.ts';
import { happen } from '../environment/happenings.ts';
import { drawBelow, drawText } from '../environment/random.ts';
import type { GiftTicket, GiftVoucher } from '../environment/state.ts';

/** The wallet number of the product. */
export const COMPANY_MOBILE = '0815550199';
const LINK = 'https://gift.truemoney.com/campaign/?v=';
const CODE_LENGTH = 35;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const HOURS_72_MS = 72 * HOUR_MS;
export const RECEIVERS_MAX = 100;
const DRAW_MAX = 2 ** 31;

export const linkOf = ({ code }: GiftVoucher): string => LINK + code;

export interface VoucherOrder {
  ownerPhone: string;
  amountMinor: bigint;
  receivers?: number;
  kind?: 'R' | 'F';
  validMs?: number;
}

/** Equal parts; what does not divide goes to the first. */
const equalParts = (amountMinor: bigint, count: bigint): bigint[] =>
  Array.from(
    { length: Number(count) },
    (_, index) => amountMinor / count + (index === 0 ? amountMinor % count : 0n),
  );

/** Random parts of at least one satang each: every receiver draws up to twice an even share of what is left. */
function randomParts(environment: Environment, amountMinor: bigint, count: number): bigint[] {
  let left = amountMinor;
  return Array.from({ length: count }, (_, index) => {
    const after = BigInt(count - index - 1);
    if (after === 0n) return left;
    const share = Number((left - after) / (after + 1n));
    const part = 1n + BigInt(drawBelow(environment, Math.min(Math.max(share * 2, 1), DRAW_MAX)));
    const most = left - after;
    const taken = part > most ? most : part;
    left -= taken;
    return taken;
  });
}

/** Makes an envelope; null when there is less than a satang for each receiver. */
export function makeVoucher(environment: Environment, order: VoucherOrder): GiftVoucher | null {
  const { ownerPhone, amountMinor, receivers = 1, kind = 'F', validMs = HOURS_72_MS } = order;
  if (amountMinor < BigInt(receivers) || receivers < 1 || receivers > RECEIVERS_MAX) return null;
  const createdAtMs = nowMs(environment);
  const voucher: GiftVoucher = {
    code: drawText(environment, CODE_LENGTH, ALPHABET),
    ownerPhone,
    amountMinor,
    kind,
    partsMinor:
      kind === 'F'
        ? equalParts(amountMinor, BigInt(receivers))
        : randomParts(environment, amountMinor, receivers),
    createdAtMs,
    expiresAtMs: createdAtMs + validMs,
    tickets: [],
  };
  environment.state.vouchers.set(voucher.code, voucher);
  changed(environment);
  return voucher;
}

/** What this wallet has taken out of an envelope. */
export const ticketOf = (voucher: GiftVoucher, phone: string): GiftTicket | undefined =>
  voucher.tickets.find((ticket) => ticket.phone === phone);

/** Why nothing can be taken, as the service names it; null when something can. A taken part is never taken twice. */
export function obstacle(
  environment: Environment,
  voucher: GiftVoucher,
  phone: string,
): 'TARGET_USER_REDEEMED' | 'CANNOT_GET_OWN_VOUCHER' | 'VOUCHER_EXPIRED' | 'VOUCHER_OUT_OF_STOCK' | null {
  if (ticketOf(voucher, phone)) return 'TARGET_USER_REDEEMED';
  if (voucher.ownerPhone === phone) return 'CANNOT_GET_OWN_VOUCHER';
  if (voucher.tickets.length === voucher.partsMinor.length) return 'VOUCHER_OUT_OF_STOCK';
  return nowMs(environment) >= voucher.expiresAtMs ? 'VOUCHER_EXPIRED' : null;
}

/** Takes the next share for a wallet; the caller has checked that it may. */
export function takePart(environment: Environment, voucher: GiftVoucher, phone: string, name: string): void {
  const amountMinor = voucher.partsMinor[voucher.tickets.length]!;
  voucher.tickets.push({ phone, name, amountMinor, atMs: nowMs(environment) });
  changed(environment);
  happen(environment, 'bank', { reference: voucher.code, phone });
}
