import { beforeEach, expect, test } from 'vitest';
import { createSecrets } from '../secrets.ts';
import { requireSameSecret } from './same-secret.ts';
import { testDatabase } from './testing.ts';

const { owner, config } = await testDatabase();
const A = createSecrets('the first secret of 32 characters');
const B = createSecrets('another secret of 32 characters!!');
const REFUSED = /^SECRET is not the one/;

beforeEach(() => owner.query('delete from secret_fingerprint'));

test('programs with another SECRET than the first are refused, also when several start at once', async () => {
  await Promise.all([1, 2, 3].map(() => requireSameSecret(config.owner, A)));
  await expect(requireSameSecret(config.owner, B)).rejects.toThrow(REFUSED);
  await requireSameSecret(config.owner, A);
});

test('a database of a release without the fingerprint takes the SECRET that its values were sealed with', async () => {
  await owner.query('alter table bank_account drop constraint bank_account_member_id_fkey');
  await owner.query(
    `insert into bank_account (member_id, bank_code, account_no_sealed, account_name, account_no_fingerprint, status, created_at)
     values (1, 'KBANK', $1, 'SOMCHAI JAIDEE', $2, 'ACTIVE', now())`,
    [A.encrypt('bank-account', '1112223334'), A.fingerprint('bank-account', '1112223334')],
  );
  await expect(requireSameSecret(config.owner, B)).rejects.toThrow(REFUSED);
  await requireSameSecret(config.owner, A);
});
