import { DAY_MS } from '@krapao/contract/durations';
import {
  KEY_PREFIX,
  keys,
  PERMISSIONS,
  PERSON_PERMISSIONS,
  type Permission,
} from '@krapao/contract/operator';
import { writeAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { newId, newToken } from '../../platform/ids.ts';
import { hashToken } from '../../platform/secrets.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { countKeys, insertKey, type KeyRow, listKeys, revokeKeys } from './key-queries.ts';
import { proveOperator } from './proof.ts';
import { getOperatorOrThrow } from './queries.ts';
import type { SignInDeps } from './sign-in.ts';

/** Keys of one operator that count at once. */
const KEYS_MAX = 10;
const PERSON_ONLY: ReadonlySet<string> = new Set(PERSON_PERMISSIONS);

/** Whether a key of an operator with these permissions may have this one. */
const isForKeys = (own: ReadonlySet<string>, permission: string): boolean =>
  own.has(permission) && !PERSON_ONLY.has(permission);

const keyView = (row: KeyRow) => ({
  id: row.id,
  name: row.name,
  // The contract takes no other.
  permissions: row.permissions as Permission[],
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  revokedAt: row.revoked_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  lastAddress: row.last_address,
});

function createKeyCall(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool, clock } = deps;
  declare(keys.createKey, async ({ body, operator, actor, address, refuse }) => {
    const { name, permissions, days } = body;
    if (!permissions.every((one) => isForKeys(operator.permissions, one))) throw refuse('UNAUTHORIZED');
    const proven = await proveOperator(deps, operator.name, address, body);
    if (!proven) throw refuse('WRONG_CREDENTIAL');
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + days * DAY_MS);
    const id = newId('KY', now);
    const key = KEY_PREFIX + newToken();
    await inTransaction(pool, async (tx) => {
      // The operator's row orders those who count their keys at once.
      const row = await getOperatorOrThrow(() => refuse('UNAUTHORIZED'), tx, operator.name);
      // A suspension or a new enrolment since the proof has ended all keys; this one must not come after it.
      if (row.status !== 'ACTIVE' || row.password_hash !== proven.password_hash)
        throw refuse('WRONG_CREDENTIAL');
      if ((await countKeys(tx, operator.id, now)) >= KEYS_MAX)
        throw refuse('TOO_MANY_KEYS', { max: KEYS_MAX });
      const added = { id, operatorId: operator.id, name, permissions, hash: hashToken(key), now, expiresAt };
      if (!(await insertKey(tx, added))) throw refuse('KEY_NAME_TAKEN');
      const entry = { action: 'key.create', subject: entityRef('operator', operator.name) };
      await writeAudit(tx, actor, { ...entry, after: { key: name, permissions, expiresAt } }, now);
    });
    return { id, key, expiresAt: expiresAt.toISOString() };
  });
}

/** Answers the calls about API keys. */
export function keyCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool, clock } = deps;
  declare(keys.listKeys, async ({ operator }) => ({
    keys: (await listKeys(pool, operator.id)).map(keyView),
    permissions: PERMISSIONS.filter((one) => isForKeys(operator.permissions, one)),
  }));
  createKeyCall(declare, deps);
  declare(keys.revokeKey, async ({ params, operator, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      if ((await revokeKeys(tx, operator.id, params.id, clock.now())) === 0) throw refuse('NO_DATA');
      const entry = { action: 'key.revoke', subject: entityRef('operator', operator.name) };
      await writeAudit(tx, actor, { ...entry, after: { key: params.id } }, clock.now());
    });
    return { message: 'OK' };
  });
  declare(keys.revokeOperatorKeys, async ({ params, body, actor, refuse }) => {
    const revoked = await inTransaction(pool, async (tx) => {
      const row = await getOperatorOrThrow(refuse, tx, params.name);
      const count = await revokeKeys(tx, row.id, null, clock.now());
      const entry = { action: 'key.revoke', subject: entityRef('operator', row.name), after: { count } };
      await writeAudit(tx, actor, { ...entry, reason: body.reason }, clock.now());
      return count;
    });
    return { revoked };
  });
}
