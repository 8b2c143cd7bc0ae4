import { bankB } from '@krapao/contract/outside';
import { CURRENCY_DECIMALS, type Currency, decimalToMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { callPartner, isRefusalStatus, type PartnerResponse, shaped } from '../partner.ts';
import { readPages, type Span, type Statement, type StatementLine, soundLine } from '../statement.ts';

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
  /** The bank's own reference: once forever within the account's bank. */
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
  ): Promise<PartnerResponse<FeedPage>>;
  /** Everything that moved on the account, both ways. */
  statement(account: WatchedAccount, span: Span): Promise<Statement>;
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

type StatementPage = Static<typeof bankB.StatementReply>;

/** One page of an account's statement, after a cursor or from a time on. */
function requester(settings: StyleBSettings) {
  return async (
    { bankCode, accountNo, currency }: WatchedAccount,
    { cursor, since }: { cursor: string | null; since: Date },
  ): Promise<PartnerResponse<StatementPage>> => {
    const at: Record<string, string> = cursor === null ? { since: since.toISOString() } : { cursor };
    const query = new URLSearchParams({ bank: bankCode, limit: PAGE, ...at });
    const reply = await callPartner({
      url: `${settings.url}/v1/accounts/${encodeURIComponent(accountNo)}/statement?${query}`,
      method: 'GET',
      headers: { [bankB.KEY_HEADER]: settings.key },
      timeoutMs: settings.timeoutMs(),
    });
    if (!reply.answered) return { outcome: 'unknown', note: reply.note };
    const body = reply.status === 200 ? shaped(bankB.StatementReply, reply.json) : null;
    if (!body) {
      const reported = shaped(bankB.ErrorReply, reply.json);
      return isRefusalStatus(reply.status) && reported
        ? { outcome: 'rejected', code: reported.error }
        : { outcome: 'unknown', note: `status ${reply.status}` };
    }
    return body.currency === CURRENCY[currency]
      ? { outcome: 'ok', value: body }
      : { outcome: 'rejected', code: 'WRONG_CURRENCY' };
  };
}

const statementLine = (line: StatementPage['lines'][number], currency: Currency): StatementLine | null =>
  soundLine({
    reference: line.reference,
    ours: line.billReference1 ?? null,
    direction: line.type === 'CREDIT' ? 'IN' : 'OUT',
    amountMinor: decimalToMinor(line.amount, CURRENCY_DECIMALS[currency]),
    at: new Date(line.bookedAt),
    account: line.sender.account,
  });

/** The account-watching service over HTTP. */
export function styleBFeed(settings: StyleBSettings): BankFeed {
  const request = requester(settings);
  return {
    async read(account, from) {
      const response = await request(account, from);
      if (response.outcome !== 'ok') return response;
      const { next, more } = response.value;
      const incoming = response.value.lines.filter((line) => line.type === 'CREDIT');
      const lines = incoming.map((line) => lineOf(line, account.currency));
      if (lines.includes(null)) return { outcome: 'unknown', note: 'a line out of shape' };
      return { outcome: 'ok', value: { lines: lines as FeedLine[], next, more } };
    },
    async statement(account, { from, to }) {
      const response = await readPages(async (cursor) => {
        const page = await request(account, { cursor, since: from });
        if (page.outcome !== 'ok') return page;
        const lines = page.value.lines.map((line) => statementLine(line, account.currency));
        // The service knows no end: it is read until a line of a later time, or to its last one.
        const isPast = lines.some((line) => line !== null && line.at >= to);
        return { outcome: 'ok', value: { lines, next: page.value.more && !isPast ? page.value.next : null } };
      });
      return response.outcome === 'ok'
        ? { outcome: 'ok', value: response.value.filter((line) => line.at < to) }
        : response;
    },
  };
}
