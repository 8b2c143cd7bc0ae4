import type { Secrets } from '../platform/secrets.ts';

/** Rows for the operators' lists, many of each, written without the triggers and checks that real ones pass through. */

/** A list of operators, and how rows get into it. */
export interface ListedRows {
  /** Where it is read; its filter follows the question mark. */
  path: string;
  /** The orders it offers; none: its own. */
  sorts: readonly string[];
  /** A filter that operators use and that some or all of the rows fit; none: the list has no filters. */
  filter?: string;
  /** Adds `count` rows that the list shows, three of each moment and amount; `payer` is a sealed payer in hex. */
  insert: (count: number, payer: string) => string;
}

/** The member that the rows belong to; the bank account of another is used for theirs. */
const own = 700_000_000;
const DAY = '2026-01-05';
const ENDPOINT = 'WHLISTED';

const SINCE = "timestamptz '2026-01-05 00:00:00+00'";
const AT = `${SINCE} + n / 3 * interval '1 millisecond'`;
const rows = (count: number) => `generate_series(1, ${count}) n`;

const members = (count: number, first: number, inviter: string) =>
  `insert into ledger_account (id, allow_negative, asset, created_at, kind, member_id) overriding system value
     select -(${first} + n), false, 1, ${AT}, 'wallet', ${first} + n from ${rows(count)};
   insert into member (id, phone, name, password_hash, password_changed_at, currency, source_code, wallet_account, hold_account, coin_account, created_at, inviter_id)
   overriding system value
   select ${first} + n, (${first} + n)::text, 'Member ' || n, 'x', ${AT}, 'BAHT', 'other', -(${first} + n), -1, -1, ${AT}, ${inviter} from ${rows(count)}`;

/** Ten seconds, which 30,000 rows fit. */
const TEN_SECONDS = 'from=2026-01-05T00:02:00.000Z&to=2026-01-05T00:02:10.000Z&';

const TIMES = ['createdAt', '-createdAt'] as const;
const AMOUNTS = ['amount', '-amount'] as const;

/** Every list of operators that is turned by cursors and grows with the business. */
export const LISTED: Readonly<Record<string, ListedRows>> = {
  deposits: {
    path: '/api/operator/deposits?',
    sorts: [...TIMES, ...AMOUNTS],
    filter: TEN_SECONDS,
    insert: (count) =>
      `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
       select 'DPL' || n, ${own}, 'QR', 'KBANK', 'LISTED' || n, 10000 + n / 3, false, 0, ${AT} from ${rows(count)}`,
  },
  withdrawals: {
    path: '/api/operator/withdrawals?',
    sorts: [...TIMES, ...AMOUNTS, 'risk', '-risk'],
    filter: TEN_SECONDS,
    insert: (count) =>
      `insert into withdrawal (id, member_id, amount, status, automatic, bank_account_id, created_at, updated_at, risk_score)
       select 'WDL' || n, ${own}, 10000 + n / 3, 'SUCCESS', true, (select max(id) from bank_account), ${AT}, ${AT}, n % 101 from ${rows(count)}`,
  },
  members: {
    path: '/api/operator/members?',
    sorts: [...TIMES, 'name', '-name'],
    filter: TEN_SECONDS,
    insert: (count) => members(count, own, 'null'),
  },
  invites: {
    path: '/api/operator/invites?',
    sorts: [],
    filter: `inviter=${own}&`,
    insert: (count) => members(count, 2 * own, String(own)),
  },
  unmatched: {
    path: '/api/operator/unmatched?',
    sorts: ['receivedAt', '-receivedAt', ...AMOUNTS],
    filter: 'bank=KBANK&',
    insert: (count, payer) =>
      `insert into bank_transaction (bank_code, bank_reference, amount, paid_at, payer_bank, payer_mask, payer_sealed, received_at, state)
       select 'KBANK', 'LISTED' || n, 10000 + n / 3, ${AT}, '014', 'xxx-x-x7001-x', '\\x${payer}', ${AT}, 'UNMATCHED' from ${rows(count)}`,
  },
  // Slips that wait for an operator are few: each stands for work.
  slips: {
    path: '/api/operator/slips?',
    sorts: ['', ...TIMES],
    filter: 'status=FAILED&',
    insert: (count) =>
      `insert into slip (id, member_id, file, image_hash, reference, status, created_at, updated_at)
       select 'SLL' || n, ${own}, 'none', '\\x00', 'RL' || n, case n % 1000 when 0 then 'REVIEW' else 'FAILED' end, ${AT}, ${AT} from ${rows(count)}`,
  },
  gifts: {
    path: '/api/operator/gifts?',
    sorts: [],
    insert: (count) =>
      `insert into gift_redemption (id, member_id, code, expected, state, created_at, sent_at, tried_at)
       select 'GRL' || n, ${own}, 'LISTED' || n, 10000, 'UNKNOWN', ${AT}, ${AT}, ${AT} from ${rows(count)}`,
  },
  reports: {
    path: '/api/operator/reports?state=FAILED&',
    sorts: [...TIMES, ...AMOUNTS],
    filter: TEN_SECONDS,
    insert: (count) =>
      `insert into payment_report (id, member_id, amount, status, created_at, updated_at)
       select 'PRL' || n, ${own}, 10000 + n / 3, 'FAILED', ${AT}, ${AT} from ${rows(count)}`,
  },
  'ambiguous matches': {
    path: '/api/operator/doubts?',
    sorts: ['paidAt', '-paidAt', ...AMOUNTS],
    insert: (count, payer) =>
      `insert into transfer_evidence (source, bank_code, bank_reference, amount, currency, payer_bank, payer_mask, payer_sealed, paid_at, seen_at, state)
       select 'FEED', 'KBANK', 'EVL' || n, 20000 + n / 3, 'BAHT', '014', 'xxx-x-x7001-x', '\\x${payer}', ${AT}, ${AT}, 'ASK' from ${rows(count)}`,
  },
  differences: {
    path: `/api/operator/reconciliation/differences?day=${DAY}&`,
    sorts: ['', 'at', '-at', 'gap', '-gap'],
    filter: 'source=bank:L1&',
    insert: (count) =>
      `insert into reconciliation_difference (day, source, currency, kind, mark, direction, state, found_at, their_amount, their_at, explained_at, explained_by, explanation)
       select date '${DAY}' - n / 1000, 'bank:L' || n % 2, 'BAHT', 'MISSING_OURS', 'L' || n, 'IN', case n % 2 when 0 then 'OPEN' else 'EXPLAINED' end, ${AT}, 10000 + n / 3, ${AT},
         case n % 2 when 1 then ${AT} end, case n % 2 when 1 then 1 end, case n % 2 when 1 then 'known' end from ${rows(count)}`,
  },
  approvals: {
    path: '/api/operator/approvals?',
    sorts: ['madeAt', '-madeAt'],
    filter: 'state=LAPSED&',
    insert: (count) =>
      `insert into approval (id, action, subject, payload, summary, maker_member_id, state, made_at, lapses_at)
       select 'APL' || n, 'member.account', 'member:' || n, '{}', '{}', ${own}, 'LAPSED', ${AT}, ${AT} from ${rows(count)}`,
  },
  alerts: {
    path: '/api/operator/alerts?',
    sorts: ['openedAt', '-openedAt'],
    filter: 'assigned=nobody&',
    insert: (count) =>
      `insert into alert (kind, subject, detail, opened_at) select 'feed-silent', 'bank:' || n, '', ${AT} from ${rows(count)}`,
  },
  webhooks: {
    path: `/api/operator/webhooks/${ENDPOINT}/deliveries?`,
    sorts: [],
    filter: 'type=deposit.credited&',
    insert: (count) =>
      `insert into webhook_endpoint (id, created_at, created_by, description, events, secret_sealed, state, url)
         values ('${ENDPOINT}', now(), 'test', '', '{deposit.credited}', '\\x00', 'ENABLED', 'https://example.test/');
       insert into webhook_event (number, created_at, data, id, is_pending, subject, type) overriding system value
         select 700000000 + n, ${AT}, '{}', 'EVL' || n, false, 'deposit:' || n, 'deposit.credited' from ${rows(count)};
       insert into webhook_delivery (created_at, due_at, endpoint_id, event_number, state, subject, type, ended_at)
         select ${AT}, ${AT}, '${ENDPOINT}', 700000000 + n, 'DELIVERED', 'deposit:' || n, 'deposit.credited', ${AT} from ${rows(count)}`,
  },
  coupons: {
    path: '/api/operator/coupons?',
    sorts: [...TIMES, 'expiresAt', '-expiresAt'],
    filter: 'state=OPEN&',
    insert: (count) =>
      `insert into prize (id, coupon_days, created_at, currency, fingerprint, kind, name, value) overriding system value
         values (700000001, 7, now(), 'BAHT', 'listed', 'CASH', '{"th": "x", "la": "x", "en": "x"}', 100);
       insert into coupon (id, member_id, prize_id, slice_code, state, created_at, expires_at)
         select 'CPL' || n, ${own}, 700000001, 'S', 'OPEN', ${AT}, ${AT} from ${rows(count)}`,
  },
  'bonus runs': {
    path: '/api/operator/runs?',
    sorts: [],
    filter: 'kind=bonus&',
    insert: (count) =>
      `insert into bonus_run (id, member_id, entry_id, kind, label, state, granted, qualifying, success_percent, fail_percent, turnover_percent, unbound, wallet_account, started_at, expires_at, ended_at)
       select 'BRL' || lpad(n::text, 8, '0'), ${own}, 0, 'bonus', 'x', 'PLAIN', 100, 100, 0, 0, 0, 0, -1, ${AT}, ${AT}, ${AT} from ${rows(count)}`,
  },
  refunds: {
    path: '/api/operator/refunds?',
    sorts: [],
    filter: `member=${own}&`,
    insert: (count) =>
      `insert into refund_period (member_id, number, amount, balance, deposits, entry_id, from_at, loss, opening, paid_in, paid_out, percent, to_at, withdrawals)
       select ${own} + n % 3, n, 100, 0, 0, 0, ${AT}, 100, 0, 0, 0, 5, ${AT}, 0 from ${rows(count)}`,
  },
  // Open conversations are few: each waits for somebody.
  chats: {
    path: '/api/operator/chats?box=ended&',
    sorts: [],
    insert: (count) =>
      `insert into chat_conversation (guest_hash, created_at, last_at, last_words, state)
       select sha256(n::text::bytea), ${AT}, ${AT}, 'hello', case n % 1000 when 0 then 'OPEN' else 'ENDED' end from ${rows(count)}`,
  },
  'a statement': {
    path: `/api/operator/members/${own}/statement?`,
    sorts: [],
    insert: (count) =>
      `insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
       select ${own}, n, 'STL' || n, 'deposit', 'SUCCESS', 'a', 'b', 100, ${AT}, ${AT} from ${rows(count)}`,
  },
  transfers: {
    path: '/api/operator/transfers?',
    sorts: TIMES,
    filter: TEN_SECONDS,
    insert: (count) =>
      `insert into provider_transfer (id, member_id, slot_code, direction, amount, credits, state, created_at, touched_at)
       select 'TFL' || n, ${own}, 'betflix', 'IN', 10000, 10000, 'DONE', ${AT}, ${AT} from ${rows(count)}`,
  },
  postings: {
    path: `/api/operator/members/${own}/postings?`,
    sorts: [],
    insert: (count) =>
      `insert into ledger_entry (id, batch_id, kind, reference, member_id, created_at, digest)
         select ${own} + n, 0, 'deposit_qr', 'LISTED' || n, ${own}, ${AT}, '\\x00' from ${rows(count)};
       insert into ledger_posting (account_id, entry_id, leg, amount, balance_after)
         select -1, ${own} + n, 1, 100, 100 * n from ${rows(count)}`,
  },
  'statement files': {
    path: '/api/operator/reconciliation/statements?',
    sorts: ['uploadedAt', '-uploadedAt'],
    filter: 'source=bank:KBANK:L1&',
    insert: (count) =>
      `insert into statement_file (format, from_day, line_count, name, sha256, source, to_day, uploaded_at, uploaded_by)
       select 'csv', date '${DAY}', 1, 'LISTED' || n, sha256(n::text::bytea), 'bank:KBANK:L' || n % 2, date '${DAY}', ${AT}, 'test' from ${rows(count)}`,
  },
  audit: {
    path: '/api/operator/audit?',
    sorts: [],
    filter: 'action=member.note&',
    insert: (count) =>
      `insert into audit (at, actor, action, subject) select ${AT}, 'system', 'member.note', 'member:' || n from ${rows(count)}`,
  },
};

/** The statements that add `count` rows to a list, in one transaction, with their member and without triggers. */
export const insertListed = (
  { insert }: ListedRows,
  count: number,
  secrets: Pick<Secrets, 'encrypt'>,
): string =>
  `set local session_replication_role = replica;
   insert into ledger_account (id, allow_negative, asset, created_at, kind, member_id) overriding system value
     values (-1, false, 1, now(), 'wallet', ${own}), (-2, false, 1, now(), 'hold', ${own}), (-3, false, 3, now(), 'coin', ${own}) on conflict do nothing;
   insert into member (id, phone, name, password_hash, password_changed_at, currency, source_code, wallet_account, hold_account, coin_account, created_at)
     overriding system value values (${own}, '0700000000', 'Owner', 'x', now(), 'BAHT', 'other', -1, -2, -3, now()) on conflict do nothing;
   ${insert(count, secrets.encrypt('payer', '{"name": "MALEE S."}').toString('hex'))}`;

/** The same rows, but of another member and long ago, beside those of {@link insertRecent}. */
export const insertHistory = (
  list: ListedRows,
  count: number,
  secrets: Pick<Secrets, 'encrypt'>,
  memberId: bigint,
): string =>
  insertListed(list, count, secrets)
    .replaceAll(SINCE, "now() - interval '200 days'")
    .replaceAll(`generate_series(1, ${count})`, `generate_series(1000001, ${1_000_000 + count})`)
    .replaceAll(`, ${own}, `, `, ${memberId}, `);

/** The same rows, but of the last hour, and a hundred each of different members where a list is not of one. */
export const insertRecent = (list: ListedRows, count: number, secrets: Pick<Secrets, 'encrypt'>): string =>
  insertListed(list, count, secrets)
    .replaceAll(SINCE, "now() - interval '1 hour'")
    .replaceAll(`, ${own}, `, `, ${own} + n / 100, `)
    .replaceAll(`, ${own} from `, `, ${own} + n / 100 from `)
    .replaceAll(`${own} + n % 3, `, `${own} + n / 100, `);
