import { beforeEach, expect, test } from 'vitest';
import { createSecrets } from '../secrets.ts';
import { requireSameSecret } from './same-secret.ts';
import { testDatabase } from './testing.ts';

const { owner, config } = await testDatabase();
const A = createSecrets('the first secret of 32 characters');
const B = createSecrets('another secret of 32 characters!!');
const SERVER = { stores: true };
const COMMAND = { stores: false };
const REFUSED = /^SECRET is not the one/;

beforeEach(() => owner.query('delete from secret_fingerprint'));

test('programs with another SECRET than the first are refused, also when several start at once', async () => {
  await Promise.all([1, 2, 3].map(() => requireSameSecret(config.owner, A, SERVER)));
  await expect(requireSameSecret(config.owner, B, SERVER)).rejects.toThrow(REFUSED);
  await requireSameSecret(config.owner, A, SERVER);
});

test('the command line stores none: a shell with settings of a developer keeps no server from starting', async () => {
  await requireSameSecret(config.owner, B, COMMAND);
  await requireSameSecret(config.owner, A, SERVER);
  await expect(requireSameSecret(config.owner, B, COMMAND)).rejects.toThrow(REFUSED);
});

test('a database of a release without the fingerprint takes the SECRET that its values were sealed with', async () => {
  await owner.query('alter table bank_account drop constraint bank_account_member_id_fkey');
  // A server with another one has sealed the newest.
  for (const [index, secrets] of [A, A, B].entries()) {
    const number = `111222333${index}`;
    await owner.query(
      `insert into bank_account (member_id, bank_code, account_no_sealed, account_name, account_no_fingerprint, status, created_at)
       values ($3, 'KBANK', $1, 'SOMCHAI JAIDEE', $2, 'ACTIVE', now())`,
      [secrets.encrypt('bank-account', number), secrets.fingerprint('bank-account', number), index + 1],
    );
  }
  await expect(requireSameSecret(config.owner, B, SERVER)).rejects.toThrow(REFUSED);
  await requireSameSecret(config.owner, A, SERVER);
});
