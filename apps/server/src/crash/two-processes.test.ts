import { expect, test } from 'vitest';
import { verifyLedger } from '../ledger/index.ts';
import { openBooks } from '../ledger/testing.ts';
import { lostOf, openAccounts, startPosting } from './fixtures/posting.ts';

const books = await openBooks();
const MOVES = 4000;

test('two processes that post at once, to the same accounts and partly under the same references, leave right books', async () => {
  const accounts = await openAccounts(books.app, 6);
  const order = { ...accounts, database: books.config.app, run: 'two', moves: MOVES, inFlight: 40 };
  const processes = ['a', 'b'].map((name) => startPosting({ ...order, name }));
  let ended = false;
  const both = Promise.all(processes.map((one) => one.exited)).then(() => {
    ended = true;
  });
  let checks = 0;
  for (; !ended; checks++) {
    expect(await books.drift()).toEqual([]);
    if (checks % 5 === 0) expect(await verifyLedger(books.app)).toEqual([]);
  }
  await both;
  const all = processes.map((one) => one.acknowledged);
  expect(all.map((one) => one.size)).toEqual([MOVES, MOVES]);
  expect(await lostOf(books.app, all)).toEqual([]);

  const states = (state: string) =>
    all.flatMap((one) =>
      [...one].filter(([, expected]) => expected === state).map(([reference]) => reference),
    );
  const posted = states('posted');
  const { rows } = await books.app.query('select count(*)::int as entries from ledger_entry');
  expect(posted.length).toBe(rows[0].entries);
  // A reference that both used was posted by one of them only.
  expect(new Set(posted).size).toBe(posted.length);
  expect(states('repeated').length).toBeGreaterThan(MOVES / 40);
  expect(states('insufficient').length).toBeGreaterThan(100);
  expect(checks).toBeGreaterThan(5);
  expect(await verifyLedger(books.app)).toEqual([]);
});
