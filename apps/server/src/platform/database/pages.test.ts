import { expect, test } from 'vitest';
import { type PageSource, readPages } from './pages.ts';
import { testDatabase } from './testing.ts';

const { app, owner } = await testDatabase();
await owner.query(`create table paged (id bigint primary key, amount int not null, note text);
  grant select on paged to krapao_app`);
const fill = () =>
  owner.query(
    "truncate paged; insert into paged select n, n % 7, 'note ' || n from generate_series(1, 3500) n",
  );
const source: PageSource = {
  sql: 'select note, id, amount from paged where amount < $1 order by amount desc, id desc',
  values: [6],
  key: 'id',
};

test('rows come in the order of the query, page by page, each once', async () => {
  await fill();
  const ids: number[] = [];
  let pages = 0;
  for await (const { rows } of readPages(app, source)) {
    pages++;
    ids.push(...rows.map((row) => Number(row[1])));
  }
  const { rows: wanted } = await owner.query(source.sql, [...source.values]);
  expect(pages).toBe(3);
  expect(ids).toEqual(wanted.map((row) => Number(row.id)));
});

test('what is written meanwhile neither doubles nor skips a row that was there at the start', async () => {
  await fill();
  const seen: string[] = [];
  let isFirst = true;
  for await (const { rows } of readPages(app, source)) {
    seen.push(...rows.map((row) => row[1]!));
    if (!isFirst) continue;
    isFirst = false;
    // New rows before, between and after those that were read, rows that move in the order, and some that go.
    await owner.query("insert into paged select n, n % 6, 'new' from generate_series(-500, 0) n");
    await owner.query("insert into paged select n, n % 6, 'new' from generate_series(3501, 4500) n");
    await owner.query('update paged set amount = 5 - amount where id between 1 and 3500 and amount < 6');
    await owner.query('delete from paged where id % 500 = 0');
  }
  const there = Array.from({ length: 3500 }, (_, at) => at + 1).filter((id) => id % 7 < 6);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.every((id) => Number(id) >= 1 && Number(id) <= 3500)).toBe(true);
  const missing = there.filter((id) => !seen.includes(String(id)));
  expect(missing.every((id) => id % 500 === 0)).toBe(true);
});

test('no connection is held between two pages', async () => {
  await fill();
  const pages = readPages(app, source);
  await pages.next();
  expect(app.totalCount - app.idleCount).toBe(0);
  const { rows } = await owner.query(
    "select count(*)::int as open from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  );
  expect(rows).toEqual([{ open: 0 }]);
  await pages.return(undefined);
});

test('a hidden key tells rows apart and is not part of them; no rows give the columns', async () => {
  const hidden = {
    sql: 'select id as page_key, note from paged where id < $1',
    values: [3],
    key: 'page_key',
  };
  await fill();
  for await (const page of readPages(app, hidden))
    expect(page).toEqual({ columns: [{ name: 'note', isNumber: false }], rows: [['note 1'], ['note 2']] });
  for await (const page of readPages(app, { ...hidden, values: [0] }))
    expect(page).toEqual({ columns: [{ name: 'note', isNumber: false }], rows: [] });
});
