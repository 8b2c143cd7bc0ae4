import pg from 'pg';
import { expect, test } from 'vitest';
import { databaseUrlOf, startServer } from '../../crash/fixtures/server.ts';
import { testDatabase } from './testing.ts';

const { owner, name } = await testDatabase();
const DATABASE_URL = await databaseUrlOf(owner);

/** What a server that refuses to start has written. */
async function refusal(environment: Record<string, string>): Promise<string> {
  const attempt = startServer({ DATABASE_URL, ...environment });
  const { message } = await attempt.then(
    () => Promise.reject(new Error('it started')),
    (error: Error) => error,
  );
  return message.replace('the server ended at its start:\n', '');
}

test('a server without the application’s own login does not start, and says why in one line', async () => {
  expect(await refusal({ DATABASE_APP_URL: '' })).toMatch(
    /^DATABASE_APP_URL is missing.*database create.*\n$/,
  );
  expect(await refusal({ DATABASE_APP_URL: DATABASE_URL })).toMatch(
    /^DATABASE_APP_URL: login .* has the rights of.*\n$/,
  );
});

test('nor does one whose database takes no writes', async () => {
  const administrator = new pg.Client({ connectionString: DATABASE_URL });
  await administrator.connect();
  try {
    await administrator.query(`alter database ${name} set default_transaction_read_only = on`);
    expect(await refusal({})).toMatch(/^DATABASE_URL leads to a read-only database.*primary\.\n$/);
  } finally {
    await administrator.query('set default_transaction_read_only = off');
    await administrator.query(`alter database ${name} reset default_transaction_read_only`);
    await administrator.end();
  }
});
