import { DAY_MS } from '@krapao/contract/durations';
import type { Pool as Database } from 'pg';
import { newToken } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/passwords.ts';
import { hashToken } from '../../platform/secrets.ts';
import type { Caller } from './requests.ts';

/** What a run puts back again and again, because valid requests may change it. */
export interface Snapshot {
  settings: Record<string, unknown>;
  roles: { code: string; permissions: string[] }[];
  memberIds: bigint[];
}

/** A well-formed hash of a password that cannot be guessed. */
const PASSWORD_HASH = await hashPassword(newToken(), { lane: 'operator', address: '127.0.0.1' });

/** Limits that would leave most requests unread. */
const FUZZ_SETTINGS: Record<string, unknown> = {
  'otp.addressHourMax': 1_000_000,
  'register.addressHourMax': 1_000_000,
  'login.failuresMax': 1_000_000,
  'gift.hourMax': 1_000_000,
  'slip.hourMax': 1_000_000,
  'qr.hourMax': 1_000_000,
  'game.entryHourMax': 1_000_000,
  'refresh.seconds': 0,
  'deposit.manual': true,
  'slip.closedHours': [],
};

/** Remembers roles as they are. `memberIds`: the members who make requests. */
export async function takeSnapshot(owner: Database, memberIds: bigint[]): Promise<Snapshot> {
  const { rows } = await owner.query('select code, permissions from operator_role order by code');
  return { settings: FUZZ_SETTINGS, roles: rows, memberIds };
}

async function restoreRules(owner: Database, { settings, roles }: Snapshot): Promise<void> {
  await owner.query('delete from setting where not key = any($1)', [Object.keys(settings)]);
  for (const [key, value] of Object.entries(settings))
    await owner.query(
      `insert into setting (key, value, updated_at) values ($1, $2::jsonb, now())
       on conflict (key) do update set value = excluded.value, updated_at = now()`,
      [key, JSON.stringify(value)],
    );
  for (const { code, permissions } of roles)
    await owner.query('update operator_role set permissions = $2 where code = $1', [code, permissions]);
  await owner.query('truncate throttle');
}

/** Two operators a role with sessions of their own. */
async function operatorCallers(owner: Database, { roles }: Snapshot, now: Date): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const { code } of roles)
    for (const number of [1, 2]) {
      const name = `fuzz-${code}-${number}`;
      await owner.query(
        `insert into operator (name, role, status, created_at) values ($1, $2, 'ACTIVE', $3)
         on conflict (name) do update set role = excluded.role, status = 'ACTIVE'`,
        [name, code, now],
      );
      const token = newToken();
      await owner.query(
        `insert into operator_session (token_hash, id, operator_id, created_at, seen_at, expires_at, address)
         select $1, $2, id, $3, $3, $4, '127.0.0.1' from operator where name = $5`,
        [hashToken(token), newToken().slice(0, 20), now, new Date(now.getTime() + 43_200_000), name],
      );
      callers.push({ kind: code, cookie: `operator-session=${token}` });
    }
  return callers;
}

async function memberCallers(owner: Database, { memberIds }: Snapshot, now: Date): Promise<Caller[]> {
  await owner.query("update member set status = 'ACTIVE', password_hash = $2 where id = any($1)", [
    memberIds,
    PASSWORD_HASH,
  ]);
  return Promise.all(
    memberIds.map(async (id) => {
      const token = newToken();
      await owner.query(
        'insert into session (token_hash, member_id, created_at, expires_at) values ($1, $2, $3, $4)',
        [hashToken(token), id, now, new Date(now.getTime() + DAY_MS)],
      );
      return { kind: 'member', token };
    }),
  );
}

/** Puts rules and people back as they were, and gives everybody a new session. */
export async function restore(owner: Database, snapshot: Snapshot, now: Date): Promise<Caller[]> {
  await restoreRules(owner, snapshot);
  const members = await memberCallers(owner, snapshot, now);
  const operators = await operatorCallers(owner, snapshot, now);
  // A third of the requests comes from members, most of the others from operators.
  return [{ kind: 'guest' }, { kind: 'guest', token: 'x' }, ...members, ...members, ...operators];
}
