import { PERMISSIONS } from '@krapao/contract/operator';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { insertListed } from '../testing/listed-rows.ts';
import { operatorHelpers } from '../testing/operator.ts';
import { startTestEnv } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
await env.owner.query("update operator_role set permissions = $1 where code = 'finance'", [[...PERMISSIONS]]);
const reader = await operators.operator('finance');
const other = await operators.operator('finance');
// Only the superuser can write rows without what they refer to.
const superuser = new pg.Client({ ...env.owner.options, user: 'postgres' });
await superuser.connect();
afterAll(() => superuser.end());
await env.member();

/** The member of the rows, as `insertListed` writes them. */
const OWN = 700_000_000;
const DAY = '2026-01-05';
const AT = `timestamptz '${DAY} 00:00:00+00'`;

// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
type Row = any;

interface Filtered {
  path: string;
  /** The parameters that list every row; none: without a filter all are listed. */
  everything?: string;
  /** The filters, each with the value that a row has for it. */
  filters: Record<string, (row: Row) => string>;
  /** The filters whose values are not a closed set. */
  open?: readonly string[];
  /** Writes rows with at least three values of a filter, or all it has. */
  insert: string;
}

const withdrawal = (id: string, score: number | null) =>
  `insert into withdrawal (id, member_id, amount, status, automatic, bank_account_id, created_at, updated_at, risk_score)
   values ('${id}', ${OWN}, 10000, 'REVIEW', false, (select max(id) from bank_account), ${AT}, ${AT}, ${score})`;
const assign = (id: string, operator: bigint) =>
  `insert into assignment (subject, operator_id, assigned_at, touched_at) values ('withdrawal:${id}', ${operator}, now(), now())`;

const LISTS: Record<string, Filtered> = {
  withdrawals: {
    path: '/api/operator/withdrawals?',
    filters: {
      risk: (row) => row.risk?.outcome ?? 'pass',
      assigned: (row) => (row.assignment ? (row.assignment.mine ? 'mine' : 'others') : 'nobody'),
    },
    insert: [
      withdrawal('WDC1', null),
      withdrawal('WDC2', 0),
      withdrawal('WDC3', 50),
      withdrawal('WDC4', 100),
      assign('WDC2', reader.id),
      assign('WDC3', other.id),
    ].join(';'),
  },
  alerts: {
    path: '/api/operator/alerts?',
    filters: {
      assigned: (row) => (row.assignee ? (row.assignee.mine ? 'mine' : 'others') : 'nobody'),
    },
    insert: `insert into alert (kind, subject, detail, opened_at, assignee_id, taken_at) values
      ('feed-silent', 'bank:1', '', ${AT}, null, null), ('feed-silent', 'bank:2', '', ${AT}, ${reader.id}, ${AT}),
      ('feed-silent', 'bank:3', '', ${AT}, ${other.id}, ${AT})`,
  },
  unmatched: {
    path: '/api/operator/unmatched?',
    everything: 'state=UNMATCHED,CREDITED,RETURNED',
    filters: { state: (row) => row.state, bank: (row) => row.bankCode },
    open: ['bank'],
    insert: `with written as (
        insert into bank_transaction (bank_code, bank_reference, amount, paid_at, payer_bank, payer_mask, payer_sealed, received_at, state)
        select bank, 'CHOICE' || state, 10000, ${AT}, '014', 'xxx-x-x7001-x', (select payer_sealed from sealed), ${AT}, state
        from unnest(array['KBANK', 'SCB', 'BBL']) bank, unnest(array['UNMATCHED', 'CREDITED', 'RETURNED']) state returning id)
      insert into audit (at, actor, action, subject) select ${AT}, 'system', 'unmatched.assign', 'unmatched:' || id from written`,
  },
  reports: {
    path: '/api/operator/reports?',
    everything: 'state=PENDING,SUCCESS,FAILED',
    filters: { state: (row) => row.state },
    insert: `insert into payment_report (id, member_id, amount, status, created_at, updated_at)
      select 'PRC' || n, ${OWN}, 10000, (array['PENDING', 'SUCCESS', 'FAILED', 'FAILED'])[n], ${AT}, ${AT} from generate_series(1, 4) n`,
  },
  coupons: {
    path: '/api/operator/coupons?',
    filters: { kind: (row) => row.prize.kind, state: (row) => row.state },
    insert: `insert into prize (id, coupon_days, created_at, currency, fingerprint, kind, name, value) overriding system value
        select 700000000 + n, 7, now(), 'BAHT', 'choice' || n, (array['CASH', 'ITEM', 'COIN'])[n], '{"th": "x", "la": "x", "en": "x"}', 100
        from generate_series(1, 3) n;
      insert into coupon (id, member_id, prize_id, slice_code, state, created_at, expires_at, ended_at, delivered_at)
        select 'CPC' || row_number() over (), ${OWN}, 700000000 + prize, 'S', state, ${AT}, now() + days * interval '1 day', case when state <> 'OPEN' then now() end, delivered::timestamptz
        from (values (1, 'OPEN', 1, null), (3, 'OPEN', 2, null), (1, 'OPEN', -1, null), (1, 'CLAIMED', 1, null), (2, 'CLAIMED', 1, null),
          (2, 'CLAIMED', 1, now()), (3, 'REVOKED', 1, null)) c(prize, state, days, delivered)`,
  },
  invites: {
    path: '/api/operator/invites?',
    filters: { state: (row) => row.state },
    insert: `insert into ledger_account (id, allow_negative, asset, created_at, kind, member_id) overriding system value
        select -(700000100 + n), false, 1, ${AT}, 'wallet', 700000100 + n from generate_series(1, 4) n;
      insert into member (id, phone, name, password_hash, password_changed_at, currency, source_code, wallet_account, hold_account, coin_account, created_at, inviter_id)
        overriding system value
        select 700000100 + n, '07000001' || n, 'Friend ' || n, 'x', ${AT}, 'BAHT', 'other', -(700000100 + n), -1, -1, ${AT}, ${OWN} from generate_series(1, 4) n;
      insert into invite_credit (invitee_id, inviter_id, deposit_id, deposited, amount, needed, state, reason, created_at)
        select 700000100 + n, ${OWN}, 'DPC' || n, 10000, 100, 100, (array['ACCRUED', 'READY', 'BARRED'])[n], case n when 3 then 'DEVICE' end, ${AT}
        from generate_series(1, 3) n`,
  },
  'bonus runs': {
    path: '/api/operator/runs?',
    filters: { state: (row) => row.state, kind: (row) => row.kind },
    insert: `insert into bonus_run (id, member_id, entry_id, kind, label, state, granted, qualifying, success_percent, fail_percent, turnover_percent, unbound, wallet_account, started_at, expires_at, ended_at)
      select 'BRC' || n, ${OWN}, 0, (array['bonus', 'invite', 'refund'])[1 + n % 3], 'x', (array['PLAIN', 'SUCCESS', 'FAILED'])[1 + n / 3], 100, 100, 0, 0, 0, 0, -1, ${AT}, ${AT}, ${AT}
      from generate_series(0, 8) n`,
  },
  bonuses: {
    path: '/api/operator/bonuses?',
    filters: { state: (row) => row.state, kind: (row) => row.kind },
    insert: `insert into bonus overriding system value select (jsonb_populate_record(null::bonus, to_jsonb(b) || jsonb_build_object('id', 700000000 + n, 'code', 'CHOICE' || n,
        'kind', (array['bonus', 'promotion'])[1 + n % 2], 'is_open', n > 1, 'starts_at', null, 'ends_at', case n when 2 then ${AT} end, 'quota', null))).*
      from (select * from bonus order by id limit 1) b, generate_series(1, 4) n`,
  },
  deliveries: {
    path: '/api/operator/webhooks/WHCHOICES/deliveries?',
    filters: { state: (row) => row.state, type: (row) => row.type },
    open: ['type'],
    insert: `insert into webhook_endpoint (id, created_at, created_by, description, events, secret_sealed, state, url)
        values ('WHCHOICES', now(), 'test', '', '{deposit.credited}', '\\x00', 'ENABLED', 'https://example.test/');
      insert into webhook_event (number, created_at, data, id, is_pending, subject, type) overriding system value
        select 700000000 + n, ${AT}, '{}', 'EVC' || n, false, 'deposit:' || n, 'x' from generate_series(0, 8) n;
      insert into webhook_delivery (created_at, due_at, endpoint_id, event_number, state, subject, type, ended_at)
        select ${AT}, ${AT}, 'WHCHOICES', 700000000 + n, (array['DELIVERED', 'GIVEN_UP', 'SKIPPED'])[1 + n / 3], 'deposit:' || n,
          (array['deposit.credited', 'member.registered', 'withdrawal.paid'])[1 + n % 3], ${AT} from generate_series(0, 8) n`,
  },
  differences: {
    path: `/api/operator/reconciliation/differences?day=${DAY}&`,
    filters: { state: (row) => row.state, kind: (row) => row.kind, source: (row) => row.source },
    open: ['source'],
    insert: `insert into reconciliation_difference (day, source, currency, kind, mark, direction, state, found_at, their_amount, their_at, explained_at, explained_by, explanation)
      select date '${DAY}', 'bank:L' || n % 3, 'BAHT', (array['MISSING_OURS', 'AMOUNT', 'BALANCE'])[1 + n / 4], 'C' || n, 'IN', case n % 2 when 0 then 'OPEN' else 'EXPLAINED' end, ${AT}, 10000, ${AT},
        case n % 2 when 1 then ${AT} end, case n % 2 when 1 then ${reader.id} end, case n % 2 when 1 then 'known' end from generate_series(0, 11) n`,
  },
  'statement files': {
    path: '/api/operator/reconciliation/statements?',
    filters: { source: (row) => row.source },
    open: ['source'],
    insert: `insert into statement_file (format, from_day, line_count, name, sha256, source, to_day, uploaded_at, uploaded_by)
      select 'csv', date '${DAY}', 1, 'CHOICE' || n, sha256(n::text::bytea), 'bank:KBANK:L' || n % 3, date '${DAY}', ${AT}, 'test' from generate_series(0, 5) n`,
  },
  audit: {
    path: '/api/operator/audit?',
    everything: 'subject=choice:1',
    filters: { action: (row) => row.action },
    open: ['action'],
    insert: `insert into audit (at, actor, action, subject) select ${AT}, 'system', action, 'choice:1'
      from unnest(array['member.note', 'withdrawal.approve', 'withdrawal.reject', 'slip.refuse']) action`,
  },
  'a timeline': {
    path: `/api/operator/members/${OWN}/timeline?`,
    filters: { kind: (row) => row.kind },
    insert: `insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
        values (${OWN}, 1, 'STC1', 'deposit', 'SUCCESS', 'a', 'b', 100, ${AT}, ${AT});
      insert into audit (at, actor, action, subject) values (${AT}, 'system', 'member.tags', 'member:${OWN}');
      insert into alert (kind, subject, detail, opened_at) values ('feed-silent', 'member:${OWN}', '', ${AT})`,
  },
};

const get = (path: string) => operators.call(reader, 'GET', path);

async function read(path: string): Promise<Row[]> {
  const { status, body } = await get(`${path}&limit=100`);
  expect([status, body.message], path).toEqual([200, undefined]);
  return Object.entries(body).find(([name, value]) => Array.isArray(value) && name !== 'sums')![1] as Row[];
}

const INSERT = Object.fromEntries(
  Object.entries(LISTS).map(([name, { insert }]) => [
    name,
    insertListed(
      {
        path: '',
        sorts: [],
        insert: (_, payer) => insert.replace('(select payer_sealed from sealed)', `'\\x${payer}'`),
      },
      0,
      env.app.deps.secrets,
    ),
  ]),
);

test.each(Object.entries(LISTS))(
  'the filters of %s take several values and leave others out',
  async (name, { path, everything = '', filters, open = [] }) => {
    await superuser.query(INSERT[name]!);
    const all = await read(path + everything);
    for (const [filter, kindOf] of Object.entries(filters)) {
      const values = [...new Set(all.map(kindOf))];
      expect(values.length, filter).toBeGreaterThan(1);
      const rest = everything.startsWith(`${filter}=`) ? '' : `&${everything}`;
      const ids = (rows: Row[]) => rows.map(({ id }) => id).toSorted();
      const found = async (text: string) => ids(await read(`${path}${filter}=${text}${rest}`));
      const having = (wanted: readonly string[]) => ids(all.filter((row) => wanted.includes(kindOf(row))));
      const [one, two] = values as [string, string];
      const but = (...left: string[]) => values.filter((value) => !left.includes(value));
      for (const value of values) expect(await found(value), `${filter}=${value}`).toEqual(having([value]));
      expect(await found(`${one},${two}`), `${filter}: two`).toEqual(having([one, two]));
      expect(await found(`${one},${values.at(-1)}`), `${filter}: first, last`).toEqual(
        having([one, values.at(-1)!]),
      );
      expect(await found(`!${one}`), `${filter}: without one`).toEqual(having(but(one)));
      expect(await found(`!${one},!${two}`), `${filter}: without two`).toEqual(having(but(one, two)));
      // A filter takes no longer text than one that names every value once.
      if (values.length > 2)
        expect(await found(`${one},${two},!${two}`), `${filter}: both`).toEqual(having([one]));
      expect(await found(`${one},!${one}`), `${filter}: neither`).toEqual([]);
      if (open.includes(filter)) expect(await found('unknown'), filter).toEqual([]);
      for (const wrong of open.includes(filter)
        ? ['%25', '!', `${one},`]
        : ['unknown', `!unknown`, `${one},`])
        expect(await get(`${path}${filter}=${wrong}`), `${filter}=${wrong}`).toMatchObject({
          status: 400,
          body: { message: 'INVALID_REQUEST' },
        });
    }
  },
);
