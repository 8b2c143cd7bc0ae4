/**
 * The mini QR of Thai transfer slips. Banks: 00{ 00=000001, 01=sending bank, 02=transfer reference } 51=TH 91=CRC.
 * TrueMoney: 00{ 00=01, 01=01, 02=event, 03=transaction, 04=DDMMYYYY } 91=CRC in lower case. It names a transfer and
 * says nothing of amount, receiver or time. Source: promptparse 1.6.0 (MIT) and slip checkers' public examples.
 */
import { crc16, parseTlv } from './promptpay.ts';

export type SlipCode =
  | { kind: 'bank'; sendingBank: string; transRef: string }
  | { kind: 'truemoney'; eventType: string; transactionId: string; date: string };

const field = (id: string, value: string): string => id + String(value.length).padStart(2, '0') + value;

/** Mini QR text of a bank's slip. Throws RangeError for what no bank would print. */
export function encodeSlipCode(slip: { sendingBank: string; transRef: string }): string {
  if (!/^\d{3}$/.test(slip.sendingBank)) throw new RangeError('sendingBank');
  if (!/^[0-9A-Za-z]{15,25}$/.test(slip.transRef)) throw new RangeError('transRef');
  const inner = field('00', '000001') + field('01', slip.sendingBank) + field('02', slip.transRef);
  const body = `${field('00', inner)}${field('51', 'TH')}9104`;
  return body + crc16(body);
}

/** Restores leading zeros of the four-digit checksum, which some bank apps drop. */
function repaired(text: string): string {
  const at = text.lastIndexOf('9104');
  const checksum = text.slice(at + 4);
  return at > 0 && /^[0-9A-Fa-f]{1,3}$/.test(checksum)
    ? text.slice(0, at + 4) + checksum.padStart(4, '0')
    : text;
}

function readInner(inner: Map<string, string>, country: string | undefined): SlipCode | null {
  const [first, second, third] = [inner.get('01'), inner.get('02'), inner.get('03')];
  if (inner.get('00') === '000001' && country === 'TH')
    return /^\d{3}$/.test(first ?? '') && /^[0-9A-Za-z]{15,25}$/.test(second ?? '')
      ? { kind: 'bank', sendingBank: first!, transRef: second! }
      : null;
  const date = inner.get('04');
  if (inner.get('00') === '01' && first === '01' && second && third && /^\d{8}$/.test(date ?? ''))
    return { kind: 'truemoney', eventType: second, transactionId: third, date: date! };
  return null;
}

/** A slip's mini QR; NOT_A_SLIP for any other text, CRC when a slip's checksum is wrong. */
export function parseSlipCode(scanned: string): SlipCode | 'NOT_A_SLIP' | 'CRC' {
  const text = repaired(scanned.trim());
  const fields = parseTlv(text);
  const inner = fields && parseTlv(fields.get('00') ?? '');
  const checksum = fields?.get('91');
  const slip = inner && readInner(inner, fields.get('51'));
  if (!slip || checksum === undefined || !text.slice(0, -checksum.length).endsWith('9104'))
    return 'NOT_A_SLIP';
  return crc16(text.slice(0, -4)) === checksum.toUpperCase() ? slip : 'CRC';
}
