import { createHash, randomBytes } from 'node:crypto';
import { createLedger, createSystemAccounts } from '@krapao/server/ledger';
import type { Pool } from 'pg';
import type { Secrets } from '../../apps/server/src/platform/secrets.ts';

/**
 * Members with money, a bank account and a session each, written in bulk; returns their tokens. Settings are written beside
 * them. `secrets` are those of the server: it refuses a database whose values it cannot read.
 */
export async function fillMembers(
  pool: Pool,
  intent: { members: number; fundsMinor: bigint; secrets: Secrets; settings: Record<string, unknown> },
): Promise<string[]> {
  const tokens = Array.from({ length: intent.members }, () => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest());
  await pool.query(
    `insert into member (id, phone, name, password_hash, currency, source_code, password_changed_at, created_at, wallet_account, hold_account, coin_account)
     overriding system value
     select 200000 + g, '09' || lpad(g::text, 8, '0'), 'Bench', 'x', 'BAHT', 'other', now(), now(),
       ledger_open_account(1::smallint, 'wallet', 200000 + g, null, now()), ledger_open_account(1::smallint, 'hold', 200000 + g, null, now()),
       ledger_open_account(3::smallint, 'coin', 200000 + g, null, now()) from generate_series(1, $1) g`,
    [intent.members],
  );
  await pool.query(
    `insert into bank_account (member_id, bank_code, account_no_sealed, account_no_fingerprint, account_name, status, created_at)
     select 200000 + g, 'KBANK', $2, decode(lpad(to_hex(g), 8, '0'), 'hex'), 'BENCH', 'ACTIVE', now() from generate_series(1, $1) g`,
    [intent.members, intent.secrets.encrypt('bank-account', '1234567890')],
  );
  await pool.query(
    "insert into session (token_hash, member_id, created_at, expires_at) select u.hash, 200000 + u.o, now(), now() + interval '1 day' from unnest($1::bytea[]) with ordinality u(hash, o)",
    [hashes],
  );
  for (const [key, value] of Object.entries(intent.settings))
    await pool.query('insert into setting (key, value, updated_at) values ($1, $2::jsonb, now())', [
      key,
      JSON.stringify(value),
    ]);
  await fund(pool, intent.fundsMinor);
  return tokens;
}

async function fund(pool: Pool, amountMinor: bigint): Promise<void> {
  const ledger = createLedger({ pool, now: () => new Date(), queueMax: 20_000 });
  const manual = await createSystemAccounts(pool, () => new Date())('manual', 'BAHT');
  const wallets = await pool.query('select id, wallet_account as wallet from member where id > 200000');
  await Promise.all(
    wallets.rows.map(({ id, wallet }) =>
      ledger.post({
        reference: `fund:${id}`,
        kind: 'manual_credit',
        legs: [{ from: manual, to: wallet, amountMinor }],
      }),
    ),
  );
  await ledger.close();
}
