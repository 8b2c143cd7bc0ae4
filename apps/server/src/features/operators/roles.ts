import { operators, PERMISSIONS } from '@krapao/contract/operator';
import { currenciesOf, fromMinor, toMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Db, PoolClient } from '../../platform/database/db.ts';
import { type EntityRef, entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type CheckedAction, decideOrRequest, takeApproval } from '../approvals/read.ts';
import {
  deleteRole,
  findRole,
  findRoleName,
  getOperatorOrThrow,
  type LimitRow,
  listLimits,
  listRoles,
  writeLimits,
  writeRole,
} from './queries.ts';
import type { SignInDeps } from './sign-in.ts';

type Limit = Static<typeof operators.setOperatorLimits.body>['limits'][number];

/** The limits of a role or an operator, as the wire tells them. */
export const limitsOf = (rows: readonly (LimitRow & { subject: string })[], subject: EntityRef): Limit[] =>
  rows
    .filter((row) => row.subject === subject)
    .map(({ kind, currency, action_max, day_max }) => ({
      kind,
      currency,
      action: action_max === null ? null : fromMinor(action_max, currency),
      day: day_max === null ? null : fromMinor(day_max, currency),
    }));

/** The columns of limits; throws INVALID_REQUEST for parts of a minor unit, and when one is named twice. */
function limitRows(limits: readonly Limit[]): LimitRow[] {
  const wrong = () => new Refusal('INVALID_REQUEST', { field: 'limits' });
  const names = limits.map(({ kind, currency }) => `${kind} ${currency}`);
  if (new Set(names).size < names.length) throw wrong();
  const minorOf = (amount: number | null, currency: Limit['currency']): bigint | null => {
    if (amount === null || amount === 0) return amount === null ? null : 0n;
    const minor = toMinor(amount, currency);
    if (minor === null) throw wrong();
    return minor;
  };
  return limits.map(({ kind, currency, action, day }) => ({
    kind,
    currency,
    action_max: minorOf(action, currency),
    day_max: minorOf(day, currency),
  }));
}

interface RolePayload {
  code: string;
  permissions: string[];
  /** Left out: as it is. */
  name?: string | undefined;
  limits?: Limit[] | undefined;
  /** Whether it must not exist yet. */
  isNew?: boolean | undefined;
}

/** What a role is now; a new one has no permissions. */
async function inForce(db: Db, code: string) {
  return {
    permissions: await findRole(db, code),
    name: await findRoleName(db, code),
    limits: limitsOf(await listLimits(db), entityRef('role', code)),
  };
}

async function changeRole(
  refuse: Refuse<'CODE_TAKEN'>,
  deps: SignInDeps,
  tx: PoolClient,
  actor: Actor,
  { code, permissions, name, limits, isNew }: RolePayload,
  reason: string | null,
) {
  const subject = entityRef('role', code);
  const { permissions: had, name: hadName, limits: hadLimits } = await inForce(tx, code);
  if (isNew && had) throw refuse('CODE_TAKEN');
  const named = name === undefined ? hadName : name.trim() || null;
  await writeRole(tx, { code, name: named, permissions }, deps.clock.now());
  if (limits) await writeLimits(tx, subject, limitRows(limits));
  const before = had && { permissions: had, name: hadName, limits: hadLimits };
  const after = { permissions, name: named, limits: limits ?? hadLimits };
  await writeAudit(tx, actor, { action: 'role.change', subject, before, after, reason }, deps.clock.now());
}

async function removeRole(
  refuse: Refuse<'NO_DATA' | 'ROLE_IN_USE'>,
  deps: SignInDeps,
  tx: PoolClient,
  actor: Actor,
  code: string,
  reason: string | null,
) {
  const permissions = await findRole(tx, code);
  if (!permissions) throw refuse('NO_DATA');
  if (!(await deleteRole(tx, code))) throw refuse('ROLE_IN_USE');
  const auditEntry = { action: 'role.remove', subject: entityRef('role', code), before: { permissions } };
  await writeAudit(tx, actor, { ...auditEntry, reason }, deps.clock.now());
}

interface LimitsPayload {
  name: string;
  limits: Limit[];
}

async function changeLimits(
  refuse: Refuse<'NO_DATA'>,
  deps: SignInDeps,
  tx: PoolClient,
  actor: Actor,
  { name, limits }: LimitsPayload,
  reason: string | null,
) {
  await getOperatorOrThrow(refuse, tx, name);
  const subject = entityRef('operator', name);
  const before = { limits: limitsOf(await listLimits(tx), subject) };
  await writeLimits(tx, subject, limitRows(limits));
  const auditEntry = { action: 'operator.limits', subject, before, after: { limits } };
  await writeAudit(tx, actor, { ...auditEntry, reason }, deps.clock.now());
}

/** Changes of roles and limits need a second person: what each request does once it is approved. */
export function roleActions(deps: SignInDeps): CheckedAction[] {
  const action = <Payload>(
    name: string,
    perform: (
      refuse: Parameters<CheckedAction['carryOut']>[0],
      tx: PoolClient,
      actor: Actor,
      payload: Payload,
      reason: string | null,
    ) => Promise<void>,
    current?: CheckedAction['current'],
  ): CheckedAction => ({
    name,
    permission: 'approval.access',
    madeWith: ['operator.manage'],
    ...(current && { current }),
    carryOut: (refuse, request, actor) =>
      inTransaction(deps.pool, async (tx) => {
        await perform(refuse, tx, actor, request.payload as Payload, request.reason);
        await takeApproval(refuse, tx, request.id, actor, deps.clock.now());
        return { state: 'DONE' };
      }),
  });
  const permissionsNow: CheckedAction['current'] = async ({ payload }) => ({
    from: (await findRole(deps.pool, (payload as { code: string }).code)) ?? [],
  });
  // Requests of the release before do not name what they replace.
  const roleNow: CheckedAction['current'] = async ({ payload, summary }) => {
    const { permissions, name, limits } = await inForce(deps.pool, (payload as { code: string }).code);
    return {
      from: permissions ?? [],
      ...('fromName' in summary ? { fromName: name ?? '' } : {}),
      ...('fromLimits' in summary ? { fromLimits: limits } : {}),
    };
  };
  const limitsNow: CheckedAction['current'] = async ({ payload }) => ({
    from: limitsOf(await listLimits(deps.pool), entityRef('operator', (payload as LimitsPayload).name)),
  });
  return [
    action<RolePayload>(
      'role.change',
      (refuse, tx, actor, payload, reason) => changeRole(refuse, deps, tx, actor, payload, reason),
      roleNow,
    ),
    action<{ code: string }>(
      'role.remove',
      (refuse, tx, actor, { code }, reason) => removeRole(refuse, deps, tx, actor, code, reason),
      permissionsNow,
    ),
    action<LimitsPayload>(
      'operator.limits',
      (refuse, tx, actor, payload, reason) => changeLimits(refuse, deps, tx, actor, payload, reason),
      limitsNow,
    ),
  ];
}

function changeCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool } = deps;
  declare(operators.setRole, ({ params: { code }, body: { reason, ...change }, actor, refuse }) => {
    if (!/^[a-z][a-z0-9-]{1,38}$/.test(code)) throw new Refusal('INVALID_REQUEST');
    if (change.limits) limitRows(change.limits);
    return inTransaction(pool, async (tx) => {
      const before = await inForce(tx, code);
      if (change.isNew && before.permissions) throw refuse('CODE_TAKEN');
      const payload = { code, ...change };
      const { name, limits, permissions } = change;
      return decideOrRequest(refuse, deps, tx, actor, {
        action: 'role.change',
        subject: entityRef('role', code),
        payload,
        summary: {
          role: code,
          ...(name === undefined ? {} : { fromName: before.name ?? '', name }),
          from: before.permissions ?? [],
          to: permissions,
          ...(limits ? { fromLimits: before.limits, limits } : {}),
        },
        reason,
        needsChecker: true,
        state: before.permissions ? 'ACTIVE' : 'NEW',
        perform: async () => {
          await changeRole(refuse, deps, tx, actor, payload, reason);
          return 'DONE';
        },
      });
    });
  });
  declare(operators.removeRole, ({ params: { code }, body: { reason }, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const role = (await listRoles(tx)).find((row) => row.code === code);
      if (!role) throw refuse('NO_DATA');
      if (role.operators > 0) throw refuse('ROLE_IN_USE');
      return decideOrRequest(refuse, deps, tx, actor, {
        action: 'role.remove',
        subject: entityRef('role', code),
        payload: { code },
        summary: { role: code, from: role.permissions, to: [] },
        reason,
        needsChecker: true,
        state: 'ACTIVE',
        perform: async () => {
          await removeRole(refuse, deps, tx, actor, code, reason);
          return 'DONE';
        },
      });
    }),
  );
}

/** Answers the calls about roles and limits. */
export function roleCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool } = deps;
  declare(operators.listRoles, async () => {
    const [rows, limits] = await Promise.all([listRoles(pool), listLimits(pool)]);
    return {
      roles: rows.map(({ code, name, permissions, operators: count }) => ({
        code,
        name: name ?? '',
        permissions: permissions as never[],
        limits: limitsOf(limits, entityRef('role', code)),
        operators: count,
      })),
      currencies: currenciesOf(deps.config.variant),
      permissions: [...PERMISSIONS],
    };
  });
  changeCalls(declare, deps);
  declare(operators.setOperatorLimits, ({ params: { name }, body: { limits, reason }, actor, refuse }) => {
    limitRows(limits);
    return inTransaction(pool, async (tx) => {
      await getOperatorOrThrow(refuse, tx, name);
      const subject = entityRef('operator', name);
      const before = limitsOf(await listLimits(tx), subject);
      return decideOrRequest(refuse, deps, tx, actor, {
        action: 'operator.limits',
        subject,
        payload: { name, limits },
        summary: { name, from: before, to: limits },
        reason,
        needsChecker: true,
        state: 'ACTIVE',
        perform: async () => {
          await changeLimits(refuse, deps, tx, actor, { name, limits }, reason);
          return 'DONE';
        },
      });
    });
  });
}
