/**
 * A member with 10,000 invited members and 1,000,000 rows in their statement against a new one, over HTTP: every call
 * behind the invite, refund and bonus screens and the statement, in turn. Prints both medians and what the old one
 * waits longer.
 * Usage: npm run bench -- crowded [invitees] [rows] [rounds]
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { numberArgument } from './src/arguments.ts';
import { judge, median, openBenchDatabase } from './src/bench-env.ts';
import { fillMembers } from './src/members.ts';
import { startServer, stopServer } from './src/server.ts';

const invitees = numberArgument(0, 10_000);
const rows = numberArgument(1, 1_000_000);
const rounds = numberArgument(2, 40);
/** The additional time in ms that a screen of the old member may take; not noticeable. */
const LATER_MS = 50;
/** Checks a refund a minute before the last figures. */
const CHECK_MS = 100;

const env = await openBenchDatabase();
const [old, fresh] = (await fillMembers(env.pool, {
  secrets: env.secrets,
  members: 2,
  fundsMinor: 100_000n,
  settings: {},
})) as [string, string];
const OLD = 200_001;

/** Years of an old member's life, written in bulk behind the ledger's back. */
async function live(owner: pg.Client): Promise<void> {
  await owner.query('begin');
  await owner.query('alter table ledger_entry disable trigger all');
  await owner.query(
    `with w as (select wallet_account as id from member where id = $1),
       e as (insert into ledger_entry (id, batch_id, kind, reference, member_id, created_at, digest)
         select nextval('ledger_entry_id'), 1, case g % 4 when 0 then 'deposit_qr' when 1 then 'transfer_in' when 2 then 'transfer_out' else 'withdrawal' end,
           'old:' || g, $1, now() - ($2 - g) * interval '1 minute', '\\x00' from generate_series(1, $2::int) g returning id, kind)
     insert into ledger_posting (account_id, entry_id, leg, amount, balance_after)
     select w.id, e.id, 0, case when e.kind in ('transfer_in', 'withdrawal') then -100 else 100 end, 100000 from e, w`,
    [OLD, rows],
  );
  await owner.query('alter table ledger_entry enable trigger all');
  await owner.query(
    `insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
     select $1, g, 'ST' || g, case g % 2 when 0 then 'deposit' else 'transfer' end, 'SUCCESS', 'KBANK', 'wallet', 100, now(), now()
     from generate_series(1, $2::int) g`,
    [OLD, rows],
  );
  await owner.query(
    `insert into member (id, phone, name, password_hash, currency, source_code, password_changed_at, created_at, wallet_account, hold_account, coin_account, inviter_id)
     overriding system value
     select 300000 + g, '07' || lpad(g::text, 8, '0'), 'Friend ' || g, 'x', 'BAHT', 'other', now(), now() - interval '2 days',
       ledger_open_account(1::smallint, 'wallet', 300000 + g, null, now()), ledger_open_account(1::smallint, 'hold', 300000 + g, null, now()),
       ledger_open_account(3::smallint, 'coin', 300000 + g, null, now()), $1 from generate_series(1, $2::int) g`,
    [OLD, invitees],
  );
  await owner.query(
    `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
     select 'DPOLD' || g, 300000 + g, 'QR', 'KBANK', 'OLD' || g, 10000, false, 0, now() - interval '1 day' from generate_series(1, $1::int) g`,
    [invitees],
  );
  await owner.query('commit');
  await owner.query('analyze');
}

const owner = new pg.Client(env.database.owner);
await owner.connect();
const began = performance.now();
await live(owner);
console.log(
  `an old member with ${invitees} invited and ${rows} rows, written in ${((performance.now() - began) / 1000).toFixed(0)} s`,
);
const port = await freePort();
const server = await startServer(env.dataDir, port);
const { rows: behind } = await owner.query(
  'select count(*)::int as sums from refund_sum where member_id = $1',
  [OLD],
);
if (behind[0].sums === 0) console.log('a background job sums the member’s history first');
for (let tries = 0; tries < 120; tries++) {
  const sql = 'select coalesce(max(postings), 0)::int as postings from refund_sum where member_id = $1';
  if ((await owner.query(sql, [OLD])).rows[0].postings >= rows) break;
  await pause(1_000);
}

/** The calls behind the screens; the last page too, where there are pages. */
const CALLS: [name: string, method: 'GET' | 'POST', path: string, body?: object][] = [
  ['invites, page 1', 'POST', '/api/invite', { page: 1, limit: 10 }],
  ['invites, last page', 'POST', '/api/invite', { page: invitees / 10, limit: 10 }],
  ['refund, what comes back', 'GET', '/api/refund/check'],
  ['refund, the log', 'POST', '/api/refund', { page: 1, limit: 10 }],
  ['bonuses', 'GET', '/api/bonus'],
  ['bonus under way', 'GET', '/api/bonus/check/active'],
  ['wheel', 'GET', '/api/spinwheel/setup'],
  ['statement, page 1', 'POST', '/api/statement', { page: 1, limit: 10 }],
  ['statement, page 50,000', 'POST', '/api/statement', { page: 50_000, limit: 10 }],
];

async function time(token: string, [, method, path, body]: (typeof CALLS)[number]): Promise<number> {
  const started = performance.now();
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  await reply.text();
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}`);
  return performance.now() - started;
}

const later: number[] = [];
for (const call of CALLS) {
  const times: Record<string, number[]> = { [old]: [], [fresh]: [] };
  for (let round = 0; round < rounds; round++) {
    for (const token of [old, fresh]) times[token]!.push(await time(token, call));
    if (call[2].includes('refund')) await pause(CHECK_MS);
  }
  const [his, new_] = [median(times[old]!), median(times[fresh]!)];
  later.push(his - new_);
  console.log(`${call[0].padEnd(26)} old ${his.toFixed(1)} ms, new ${new_.toFixed(1)} ms`);
}
const good = judge([
  {
    name: 'what the old member waits longer at the most, in ms',
    reached: Math.max(...later),
    bar: LATER_MS,
    aim: LATER_MS / 5,
    lowerIsBetter: true,
  },
]);
await stopServer(server);
await owner.end();
await env.close();
process.exit(good ? 0 : 1);
