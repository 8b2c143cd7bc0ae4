import { bankB } from '@krapao/contract/outside';
import { CURRENCY_DECIMALS, type Currency, decimalToMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { askPartner, type PartnerAnswer, shaped } from '../partner.ts';

export interface StyleBSettings {
  url: string;
  key: string;
  timeoutMs: () => number;
}

/** An account of ours whose statement is read. */
export interface WatchedAccount {
  bankCode: string;
  accountNo: string;
  currency: Currency;
}

/** Money that came in, as the statement prints it. */
export interface FeedLine {
  /** The bank's own reference: once for ever within the account's bank. */
  bankReference: string;
  /** In the account's minor units. */
  amountMinor: bigint;
  /** BOT code, or a short code where there is none. */
  payerBank: string;
  /** As printed, hidden digits as x: "xxx-x-x0209-x". */
  payerMask: string;
  /** As printed, with title and mostly cut: "นาย ธนาคาร ก". */
  payerName: string;
  reference1: string | null;
  paidAt: Date;
}

export interface FeedPage {
  /** Incoming lines, oldest first. */
  lines: FeedLine[];
  /** Where to go on; the same cursor always continues at the same line. */
  next: string;
  more: boolean;
}

/** A statement that can be read on from where it was left. */
export interface BankFeed {
  /** Lines after the cursor; without one, those booked at `since` or later. A line out of shape makes all unknown. */
  read(
    account: WatchedAccount,
    from: { cursor: string | null; since: Date },
  ): Promise<PartnerAnswer<FeedPage>>;
}

const PAGE = '100';
const CURRENCY = { BAHT: 'THB', LAK: 'LAK' } as const;

function lineOf(line: Static<typeof bankB.Line>, currency: Currency): FeedLine | null {
  const amountMinor = decimalToMinor(line.amount, CURRENCY_DECIMALS[currency]);
  const paidAt = new Date(line.bookedAt);
  if (!amountMinor || Number.isNaN(paidAt.getTime()) || !line.reference) return null;
  return {
    bankReference: line.reference,
    amountMinor,
    payerBank: line.sender.bank,
    payerMask: line.sender.account,
    payerName: line.sender.name,
    reference1: line.billReference1 ?? null,
    paidAt,
  };
}

/** The account-watching service over HTTP. */
export function styleBFeed(settings: StyleBSettings): BankFeed {
  return {
    async read({ bankCode, accountNo, currency }, { cursor, since }) {
      const at: Record<string, string> = cursor === null ? { since: since.toISOString() } : { cursor };
      const query = new URLSearchParams({ bank: bankCode, limit: PAGE, ...at });
      const reply = await askPartner({
        url: `${settings.url}/v1/accounts/${encodeURIComponent(accountNo)}/statement?${query}`,
        method: 'GET',
        headers: { [bankB.KEY_HEADER]: settings.key },
        timeoutMs: settings.timeoutMs(),
      });
      if (!reply.answered) return { outcome: 'unknown', note: reply.note };
      const body = reply.status === 200 ? shaped(bankB.StatementReply, reply.json) : null;
      if (!body) {
        const told = shaped(bankB.ErrorReply, reply.json);
        return reply.status >= 400 && reply.status < 500 && reply.status !== 429 && told
          ? { outcome: 'rejected', code: told.error }
          : { outcome: 'unknown', note: `status ${reply.status}` };
      }
      if (body.currency !== CURRENCY[currency]) return { outcome: 'rejected', code: 'WRONG_CURRENCY' };
      const lines = body.lines.filter((line) => line.type === 'CREDIT').map((line) => lineOf(line, currency));
      if (lines.includes(null)) return { outcome: 'unknown', note: 'a line out of shape' };
      return { outcome: 'ok', value: { lines: lines as FeedLine[], next: body.next, more: body.more } };
    },
  };
}
