import { expect, test } from 'vitest';
import { testDatabase } from '../platform/database/testing.ts';
import { createSystemAccounts } from './accounts.ts';
import { encodeBatch, POST_STATEMENT } from './encode.ts';

const { app } = await testDatabase();
const systemAccount = createSystemAccounts(app, () => new Date());
const [from, to] = await Promise.all([systemAccount('bank:ONE', 'BAHT'), systemAccount('bank:TWO', 'BAHT')]);

test.each([
  ['off', 'on'],
  ['local', 'on'],
  ['on', 'on'],
  ['remote_apply', 'remote_apply'],
])('a batch posted with synchronous_commit = %s commits with %s', async (given, atCommit) => {
  const client = await app.connect();
  try {
    await client.query(`begin; set local synchronous_commit = ${given}`);
    const item = {
      reference: `durable:${given}`,
      kind: 'test',
      legs: [{ from, to, amountMinor: 1n }],
    };
    const { rows } = await client.query(POST_STATEMENT, [...encodeBatch([item], new Date())]);
    expect(rows[0].states).toEqual(['posted']);
    expect((await client.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: atCommit }]);
    await client.query('commit');
    expect((await client.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
  } finally {
    client.release(true);
  }
});
