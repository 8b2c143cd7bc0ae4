/**
 * LAO QR, the Lao national payment code: EMVCo tag 38 with 00 = A005266284662577, 01 = institution, 02 = payment type,
 * 03 = receiver token that the bank issues. Such a code cannot be made from an account number: ours is the operator's
 * static merchant code with the amount put in. Layout as three public Lao integrations agree; live codes carry
 * checksums in either case and amounts with or without decimals.
 */
import { decimalToMinor } from './money.ts';
import { crc16, parseTlv } from './promptpay.ts';

export interface LaoQr {
  institution: string;
  paymentType: string;
  receiver: string;
  /** Whole kip; absent on a static code. */
  amountMinor?: bigint;
  billNumber?: string;
}

const LAPNET = 'A005266284662577';
const KIP = '418';
const field = (id: string, value: string): string => id + String(value.length).padStart(2, '0') + value;

/** Parses a QR text; null when it is truncated, fails its checksum or is another kind of code. */
export function parseLaoQr(text: string): LaoQr | null {
  const body = text.slice(0, -4);
  if (!body.endsWith('6304') || crc16(body) !== text.slice(-4).toUpperCase()) return null;
  const fields = parseTlv(text);
  const merchant = parseTlv(fields?.get('38') ?? '');
  if (fields?.get('00') !== '01' || merchant?.get('00') !== LAPNET || fields.get('53') !== KIP) return null;
  const [institution, paymentType, receiver] = ['01', '02', '03'].map((id) => merchant.get(id));
  if (!institution || !paymentType || !receiver) return null;
  const amountText = fields.get('54');
  const amountMinor = amountText === undefined ? undefined : decimalToMinor(amountText, 0);
  if (amountMinor === null) return null;
  const billNumber = parseTlv(fields.get('62') ?? '')?.get('01');
  return {
    institution,
    paymentType,
    receiver,
    ...(amountMinor === undefined ? {} : { amountMinor }),
    ...(billNumber === undefined ? {} : { billNumber }),
  };
}

/** A static code made into one for exactly this many kip; null when the text is no static LAO QR. */
export function laoQrWithAmount(staticText: string, amountMinor: bigint): string | null {
  const text = staticText.trim();
  const read = parseLaoQr(text);
  if (!read || read.amountMinor !== undefined || amountMinor <= 0n) return null;
  const fields = [...parseTlv(text)!].filter(([id]) => id !== '63' && id !== '54');
  const written = fields.map(([id, value]) => {
    const whole = field(id, id === '01' ? '12' : value);
    return id === '53' ? whole + field('54', amountMinor.toString()) : whole;
  });
  const body = `${written.join('')}6304`;
  return body + crc16(body);
}
