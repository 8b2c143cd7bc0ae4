/**
 * EMVCo merchant-presented QR text for Thai QR payments: id(2) length(2) value, nested in templates.
 * Bill payment is tag 30 (AID A000000677010112: 01 biller id, 02 reference 1, 03 reference 2).
 * Source: Thai QR Payment standard as used by SCB's developer pages; EMVCo MPM 1.1.
 */
import { decimalToMinor, minorToDecimal } from './money.ts';

export interface BillPayment {
  billerId: string;
  reference1: string;
  reference2?: string;
  /** Satang; absent on a static code. */
  amountMinor?: bigint;
}

/** Satang that field 54 can carry: 13 characters, two of them decimals. EMVCo MPM 1.1, transaction amount. */
export const QR_AMOUNT_MINOR_MAX = 999_999_999_999n;

const BILL_PAYMENT_AID = 'A000000677010112';

/** CRC-16/CCITT-FALSE (poly 1021, init FFFF) as four upper-case hex digits; "123456789" gives 29B1. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const field = (id: string, value: string): string => id + String(value.length).padStart(2, '0') + value;

/**
 * Bill payment to QR text with its checksum. References are 1–20 characters of A–Z and 0–9, the amount at most
 * QR_AMOUNT_MINOR_MAX; throws RangeError otherwise.
 */
export function encodeBillPayment(payment: BillPayment): string {
  for (const reference of [payment.reference1, payment.reference2]) {
    if (reference !== undefined && !/^[A-Z0-9]{1,20}$/.test(reference)) throw new RangeError('reference');
  }
  if ((payment.amountMinor ?? 0n) > QR_AMOUNT_MINOR_MAX) throw new RangeError('amount');
  const merchant =
    field('00', BILL_PAYMENT_AID) +
    field('01', payment.billerId) +
    field('02', payment.reference1) +
    (payment.reference2 ? field('03', payment.reference2) : '');
  const amount = payment.amountMinor === undefined ? '' : field('54', minorToDecimal(payment.amountMinor, 2));
  const body = `${field('00', '01')}${field('01', amount ? '12' : '11')}${field('30', merchant)}${field('53', '764')}${amount}${field('58', 'TH')}6304`;
  return body + crc16(body);
}

/** One level of TLV as a map, or null when a length runs past the end or an id repeats. */
export function parseTlv(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const head = text.slice(at, at + 4);
    if (!/^\d{4}$/.test(head)) return null;
    const id = head.slice(0, 2);
    const end = at + 4 + Number(head.slice(2));
    if (end > text.length || fields.has(id)) return null;
    fields.set(id, text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

/** QR text to a bill payment, or null when it is truncated, fails its checksum or is another kind of code. */
export function parseBillPayment(text: string): BillPayment | null {
  const body = text.slice(0, -4);
  if (!body.endsWith('6304') || crc16(body) !== text.slice(-4).toUpperCase()) return null;
  const fields = parseTlv(text);
  const merchant = parseTlv(fields?.get('30') ?? '');
  if (fields?.get('00') !== '01' || merchant?.get('00') !== BILL_PAYMENT_AID || fields.get('53') !== '764')
    return null;
  const billerId = merchant.get('01');
  const reference1 = merchant.get('02');
  if (!billerId || !reference1) return null;
  const amountText = fields.get('54');
  const amountMinor = amountText === undefined ? undefined : decimalToMinor(amountText, 2);
  if (amountMinor === null) return null;
  const reference2 = merchant.get('03');
  return {
    billerId,
    reference1,
    ...(reference2 === undefined ? {} : { reference2 }),
    ...(amountMinor === undefined ? {} : { amountMinor }),
  };
}
