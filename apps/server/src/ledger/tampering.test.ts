import { describe, expect, test } from 'vitest';
import { type Finding, verifyLedger } from './index.ts';
import { newMember, newReference, openBooks, transfer } from './testing.ts';

const books = await openBooks({ batchMax: 1 });
const memberId = newMember();
const wallet = await books.account({ memberId, minor: 1000n });
const hold = await books.account({ memberId, kind: 'hold' });
const other = await books.account();
const heldKey = newReference();
const moved = transfer(wallet, other, 70n);

/** Three entries in three batches; the tests tamper with the middle one. */
async function fill(): Promise<{ entry: bigint; batch: bigint }> {
  await books.ledger.post(
    transfer(wallet, hold, 100n, { hold: { op: 'open', key: heldKey }, kind: 'withdrawal_hold' }),
  );
  await books.ledger.post({ ...moved, memberId });
  await books.ledger.post(transfer(wallet, other, 5n));
  const { rows } = await books.owner.query(
    'select id as entry, batch_id as batch from ledger_entry where reference = $1',
    [moved.reference],
  );
  return rows[0];
}
const { entry, batch } = await fill();

const TABLES = ['ledger_account', 'ledger_batch', 'ledger_entry', 'ledger_posting', 'ledger_hold'] as const;
const TRIGGERED = ['ledger_batch', 'ledger_entry', 'ledger_posting'] as const;

async function triggers(state: 'enable' | 'disable'): Promise<void> {
  for (const table of TRIGGERED) await books.owner.query(`alter table ${table} ${state} trigger user`);
}

/** Returns what verification finds after the database owner changed rows; restores the rows afterwards. */
async function findingsAfter(...changes: string[]): Promise<Finding[]> {
  await triggers('disable');
  for (const table of TABLES) await books.owner.query(`create table copy_${table} as table ${table}`);
  try {
    for (const change of changes) await books.owner.query(change);
    return await verifyLedger(books.app);
  } finally {
    for (const table of TABLES) {
      await books.owner.query(`truncate ${table}`);
      await books.owner.query(`insert into ${table} overriding system value table copy_${table}`);
      await books.owner.query(`drop table copy_${table}`);
    }
    await triggers('enable');
  }
}

/** Inserts an entry with a correct digest, bypassing the ledger. */
const forged = (batchId: string, id: string) => [
  `insert into ledger_posting values (${wallet}, ${id}, 0, -1, 824), (${other}, ${id}, 1, 1, 76)`,
  `insert into ledger_entry select ${id}, ${batchId}, 'transfer', 'forged', null, null, at, sha256(convert_to(
     ledger_entry_text(${id}, 'transfer', 'forged', null, null, at, '${wallet}:-1:824,${other}:1:76,'), 'UTF8')) from (select now() at) t`,
  `update ledger_account set balance = balance + case id when ${wallet} then -1 else 1 end where id in (${wallet}, ${other})`,
];

const NAMED: [what: string, changes: string[], named: RegExp][] = [
  [
    'an amount',
    [`update ledger_posting set amount = amount + 1 where entry_id = ${entry} and leg = 1`],
    new RegExp(`^entry ${entry} \\(${moved.reference}\\) was changed`),
  ],
  [
    'both amounts of an entry, with every balance made to fit',
    [
      `update ledger_posting set amount = amount * 2, balance_after = balance_after + amount where entry_id = ${entry}`,
      `update ledger_posting set balance_after = balance_after - 70 where account_id = ${wallet} and entry_id > ${entry}`,
      `update ledger_posting set balance_after = balance_after + 70 where account_id = ${other} and entry_id > ${entry}`,
      `update ledger_account set balance = balance + case id when ${wallet} then -70 else 70 end where id in (${wallet}, ${other})`,
    ],
    new RegExp(`^entry ${entry} \\(`),
  ],
  [
    'a balance after',
    [`update ledger_posting set balance_after = 1 where entry_id = ${entry} and leg = 0`],
    new RegExp(`entry ${entry} `),
  ],
  [
    'an account of a posting',
    [`update ledger_posting set account_id = ${hold} where entry_id = ${entry} and leg = 1`],
    new RegExp(`entry ${entry} `),
  ],
  [
    'a kind',
    [`update ledger_entry set kind = 'gift' where id = ${entry}`],
    new RegExp(`^entry ${entry} \\(.*was changed`),
  ],
  [
    'a reference',
    [`update ledger_entry set reference = 'other' where id = ${entry}`],
    new RegExp(`^entry ${entry} \\(other\\) was changed`),
  ],
  ['a member', [`update ledger_entry set member_id = 1 where id = ${entry}`], new RegExp(`^entry ${entry} `)],
  [
    'a time',
    [`update ledger_entry set created_at = created_at - interval '1 second' where id = ${entry}`],
    new RegExp(`^entry ${entry} `),
  ],
  [
    'a digest made to fit a changed kind',
    [
      `update ledger_entry e set kind = 'gift', digest = sha256(convert_to(ledger_entry_text(e.id, 'gift', e.reference, e.member_id, e.hold_key, e.created_at,
         (select string_agg(account_id || ':' || amount || ':' || balance_after || ',', '' order by leg) from ledger_posting where entry_id = e.id)), 'UTF8')) where e.id = ${entry}`,
    ],
    new RegExp(`^batch ${batch} `),
  ],
  [
    'a balance',
    [`update ledger_account set balance = balance + 1 where id = ${wallet}`],
    new RegExp(`^account ${wallet} \\(wallet\\) shows`),
  ],
  [
    'the hash of a batch',
    [`update ledger_batch set hash = sha256('x') where id = ${batch}`],
    new RegExp(`^batch ${batch} `),
  ],
  [
    'the first batch',
    ["update ledger_batch set hash = sha256('x') where id = (select min(id) from ledger_batch)"],
    /^batch 1 /,
  ],
  [
    'the state of a hold',
    [`update ledger_hold set state = 'RELEASED' where key = '${heldKey}'`],
    new RegExp(`^hold account ${hold} holds 100, open holds say 0`),
  ],
];

const TAKEN: [what: string, changes: string[], named: RegExp][] = [
  [
    'a posting',
    [`delete from ledger_posting where entry_id = ${entry} and leg = 0`],
    new RegExp(`^entry ${entry} `),
  ],
  [
    'both postings of an entry',
    [`delete from ledger_posting where entry_id = ${entry}`],
    new RegExp(`^entry ${entry} has no postings`),
  ],
  ['an entry', [`delete from ledger_entry where id = ${entry}`], new RegExp(`names missing entry ${entry}$`)],
  [
    'an entry with all that belongs to it',
    [
      `delete from ledger_entry where id = ${entry}`,
      `delete from ledger_posting where entry_id = ${entry}`,
      `update ledger_posting set balance_after = balance_after + 70 where account_id = ${wallet} and entry_id > ${entry}`,
      `update ledger_posting set balance_after = balance_after - 70 where account_id = ${other} and entry_id > ${entry}`,
      `update ledger_account set balance = balance + case id when ${wallet} then 70 else -70 end where id in (${wallet}, ${other})`,
    ],
    new RegExp(`^batch ${batch} `),
  ],
  [
    'a batch',
    [`delete from ledger_batch where id = ${batch}`],
    new RegExp(`^entry ${entry} \\(.*names missing batch ${batch}$`),
  ],
  [
    'the last batch',
    ['delete from ledger_batch where id = (select max(id) from ledger_batch)'],
    /^entry \d+ \(.*names missing batch \d+$/,
  ],
  ['the first batch', ['delete from ledger_batch where id = 1'], /^batch 2 /],
  ['a hold', [`delete from ledger_hold where key = '${heldKey}'`], new RegExp(`^hold account ${hold} `)],
];

const ADDED: [what: string, changes: string[], named: RegExp][] = [
  [
    'an entry in a batch that is there',
    forged(String(batch), '5000'),
    new RegExp(`^batch ${batch} .*its 1 entries`),
  ],
  [
    'an entry outside every batch',
    forged('5000', '5000'),
    /^entry 5000 \(forged\) names missing batch 5000$/,
  ],
  [
    'a posting to an entry that is there',
    [`insert into ledger_posting values (${other}, ${entry}, 9, 1, 1)`],
    new RegExp(`entry ${entry} `),
  ],
];

describe('the proof of the books names', () => {
  const expectNamed = async (changes: string[], named: RegExp) => {
    const findings = await findingsAfter(...changes);
    expect(findings.map((finding) => finding.detail)).toContainEqual(expect.stringMatching(named));
  };
  test.each(NAMED)('%s that was changed', (_what, changes, named) => expectNamed(changes, named));
  test.each(TAKEN)('%s that was taken away', (_what, changes, named) => expectNamed(changes, named));
  test.each(ADDED)('%s that was added', (_what, changes, named) => expectNamed(changes, named));
});

describe('ledger tables', () => {
  const every = [...TABLES, 'ledger_asset', 'ledger_companion'];
  test.each(every)('%s cannot be written by the application', async (table) => {
    const column = (
      await books.owner.query(
        'select column_name as name from information_schema.columns where table_name = $1 order by is_identity, ordinal_position limit 1',
        [table],
      )
    ).rows[0].name;
    for (const statement of [
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table}`,
      `insert into ${table} overriding system value select * from ${table}`,
      `alter table ${table} disable trigger all`,
      `drop table ${table}`,
    ])
      await expect(books.app.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  });

  test.each(TRIGGERED)('%s is never changed, not even by its owner', async (table) => {
    const column = table === 'ledger_posting' ? 'amount' : 'created_at';
    for (const statement of [
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `delete from ${table} where false`,
      `truncate ${table}`,
    ])
      await expect(books.owner.query(statement), statement).rejects.toMatchObject({ code: '23001' });
  });

  test('the application can neither become the owner nor add a saved answer by itself', async () => {
    await expect(books.app.query('set role krapao_owner')).rejects.toMatchObject({ code: '42501' });
    await expect(
      books.app.query("insert into idempotency values (1, 'c', 'k', 'h', 'DONE', false, '{}', null, now())"),
    ).rejects.toMatchObject({ code: '42501' });
  });

  test('a correction is a new entry: both rows show', async () => {
    const wrong = transfer(other, wallet, 3n);
    await books.ledger.post(wrong);
    await books.ledger.post(transfer(wallet, other, 3n, { reference: `${wrong.reference}:reversal` }));
    const { rows } = await books.app.query('select 1 from ledger_entry where reference like $1', [
      `${wrong.reference}%`,
    ]);
    expect(rows).toHaveLength(2);
  });
});

test('the books are right without tampering', async () => {
  expect(await verifyLedger(books.app)).toEqual([]);
});
