import { depositAccounts } from '@krapao/contract/operator';
import { fromMinor, laoQrWithAmount, toMinor } from '@krapao/contract/shared';
import { type Actor, type AuditEntry, writeAudit } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Pool, PoolClient } from '../../../platform/database/db.ts';
import { type EntityRef, entityRef } from '../../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../../platform/http/declare-operator.ts';
import { Refusal, type Refuse } from '../../../platform/refusal.ts';
import { reorder } from '../../../platform/reorder.ts';
import type { Settings } from '../../../platform/settings.ts';
import { inTransaction } from '../../../platform/transaction.ts';
import { type CheckedAction, decideOrRequest, takeApproval } from '../../approvals/read.ts';
import {
  bankIsKnown,
  type ChannelRow,
  channelExists,
  insertChannel,
  listChannels,
  lockChannel,
  lockChannels,
  type NewChannel,
  orderChannels,
  writeChannel,
} from './queries.ts';

export interface ChannelDeps {
  pool: Pool;
  clock: Clock;
  settings: Settings;
}

const ACTION = 'channel.add';
/** Their own codes stand for these, in place of a bank's. */
const CODE_OF_TYPE = { WW: 'WW', ZAPMAN: 'ZAPMAN', WALLET: 'TRUEMONEY' } as const;

const stateOf = (row: ChannelRow) =>
  !row.is_open ? ('CLOSED' as const) : row.is_paused ? ('PAUSED' as const) : ('OPEN' as const);
const ceilingOf = (row: ChannelRow): number | null =>
  row.daily_ceiling === null ? null : fromMinor(row.daily_ceiling, row.currency);

const view = (row: ChannelRow & { today: bigint }) => ({
  id: String(row.id),
  bankCode: row.bank_code,
  bankName: row.bank_name,
  bankNameEn: row.bank_name_en,
  bankColor: row.bank_color,
  bankType: row.bank_type,
  mode: row.mode,
  accountName: row.account_name,
  accountNo: row.account_no,
  currency: row.currency,
  state: stateOf(row),
  ceiling: ceilingOf(row),
  today: fromMinor(row.today, row.currency),
  isFull: row.daily_ceiling !== null && row.today >= row.daily_ceiling,
  version: row.version,
});

function changeCalls(declare: OperatorDeclare, deps: ChannelDeps): void {
  const { pool, clock } = deps;
  declare(depositAccounts.setChannel, async ({ params, body, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const row = await lockChannel(tx, params.id);
      if (!row) throw refuse('NO_DATA');
      if (row.version !== body.version) throw refuse('ROW_CHANGED', { state: stateOf(row) });
      const ceiling = body.ceiling === null ? null : toMinor(body.ceiling, row.currency);
      if (body.ceiling !== null && ceiling === null)
        throw new Refusal('INVALID_REQUEST', { field: 'ceiling' });
      const { state, reason } = body;
      await writeChannel(tx, row.id, { isOpen: state !== 'CLOSED', isPaused: state === 'PAUSED', ceiling });
      const auditEntry = { action: 'channel.change', subject: entityRef('deposit-account', row.id) };
      const before = { state: stateOf(row), ceiling: ceilingOf(row) };
      const after = { state, ceiling: body.ceiling };
      await writeAudit(tx, actor, { ...auditEntry, before, after, reason }, clock.now());
    });
    return { message: 'OK' };
  });
  declare(depositAccounts.orderChannels, ({ body, actor, refuse }) =>
    reorder(refuse, deps, actor, body.ids, {
      audit: { action: 'channel.order', subject: entityRef('deposit-account', 'all') },
      lock: async (tx) => {
        await lockChannels(tx);
        return (await listChannels(tx, clock.now())).map((row) => String(row.id));
      },
      write: orderChannels,
    }),
  );
}

type Payload = NewChannel & { replaces: string | null };

/** The static code of an account, where it has one: what members' QRs pay into, whatever number stands beside it. */
const qrOf = ({ staticQr }: Payload) => (staticQr === null ? {} : { qr: staticQr });

/** Refuses an account that could not be paid into. */
async function requireSense(tx: PoolClient, channel: Payload): Promise<void> {
  const wrong = (field: string) => new Refusal('INVALID_REQUEST', { field });
  const { bankType, bankCode, accountNo, mode, currency } = channel;
  const isKnown = bankType === 'BANK' ? await bankIsKnown(tx, bankCode) : CODE_OF_TYPE[bankType] === bankCode;
  if (!isKnown) throw wrong('bankCode');
  const needsNumber = bankType === 'BANK' || bankType === 'WALLET';
  if (needsNumber ? accountNo.length < 6 : accountNo !== '') throw wrong('accountNo');
  if (bankType !== 'BANK' && currency !== 'BAHT') throw wrong('currency');
  if ((bankType === 'WALLET') !== (bankType === 'WALLET' && mode === 'AUTO')) throw wrong('mode');
  if ((bankType === 'WW' || bankType === 'ZAPMAN') && mode !== 'QR') throw wrong('mode');
  // QRs in kip are made of the static code: without a valid one members are offered a QR that always fails.
  if (mode === 'QR' && currency === 'LAK' && laoQrWithAmount(channel.staticQr ?? '', 1n) === null)
    throw wrong('staticQr');
  if (await channelExists(tx, channel)) throw wrong('accountNo');
}

/**
 * Puts an account into the list; the one it replaces is paused, so that late money is still credited. Throws NO_DATA when
 * that one is missing and INVALID_REQUEST for an account that could not be paid into.
 */
export async function placeChannel(
  refuse: Refuse<'NO_DATA'>,
  tx: PoolClient,
  channel: Payload,
): Promise<Pick<AuditEntry, 'action' | 'before' | 'after'> & { subject: EntityRef }> {
  await lockChannels(tx);
  await requireSense(tx, channel);
  const old = channel.replaces === null ? null : await lockChannel(tx, channel.replaces);
  if (old === undefined) throw refuse('NO_DATA');
  const place = { position: old?.position ?? null, ceiling: old?.daily_ceiling ?? null };
  const id = await insertChannel(tx, channel, place);
  if (old)
    await writeChannel(tx, old.id, { isOpen: old.is_open, isPaused: true, ceiling: old.daily_ceiling });
  const { bankCode, accountName, accountNo, mode } = channel;
  const before = old && { name: old.account_name, number: old.account_no };
  const after = { bankCode, mode, name: accountName, number: accountNo, ...qrOf(channel) };
  return { action: ACTION, subject: entityRef('deposit-account', id), before, after };
}

async function add(
  refuse: Refuse<'NO_DATA'>,
  deps: ChannelDeps,
  tx: PoolClient,
  actor: Actor,
  channel: Payload,
  reason: string | null,
): Promise<void> {
  await writeAudit(tx, actor, { ...(await placeChannel(refuse, tx, channel)), reason }, deps.clock.now());
}

/** Changing an account number needs two operators: the action of the request after its approval. */
export const channelActions = (deps: ChannelDeps): CheckedAction[] => [
  {
    name: ACTION,
    permission: 'approval.money',
    madeWith: ['channel.manage'],
    carryOut: (refuse, request, actor) =>
      inTransaction(deps.pool, async (tx) => {
        const channel = request.payload as Payload;
        await lockChannels(tx);
        if (channel.replaces !== null) await lockChannel(tx, channel.replaces);
        await takeApproval(refuse, tx, request.id, actor, deps.clock.now());
        await add(refuse, deps, tx, actor, channel, request.reason);
        return { state: 'DONE' };
      }),
  },
];

/** Declares the operator calls of deposit accounts. */
export function channelCalls(declare: OperatorDeclare, deps: ChannelDeps): void {
  const { pool, clock } = deps;
  declare(depositAccounts.listChannels, async () => ({
    channels: (await listChannels(pool, clock.now())).map(view),
  }));
  changeCalls(declare, deps);
  declare(depositAccounts.addChannel, ({ body, actor, refuse }) => {
    const { reason, ...channel } = body;
    return inTransaction(pool, async (tx) => {
      await requireSense(tx, channel);
      const old = channel.replaces === null ? null : await lockChannel(tx, channel.replaces);
      if (old === undefined) throw refuse('NO_DATA');
      const { bankCode, mode, accountName, accountNo, currency } = channel;
      return decideOrRequest(refuse, deps, tx, actor, {
        action: ACTION,
        subject: entityRef('deposit-account', old?.id ?? `${bankCode} ${mode} ${accountNo}`),
        payload: channel,
        summary: {
          bank: bankCode,
          kind: mode,
          ...(old ? { from: `${old.account_no} ${old.account_name}` } : {}),
          to: `${accountNo} ${accountName}`,
          unit: currency,
          ...qrOf(channel),
        },
        reason,
        needsChecker: true,
        state: old ? stateOf(old) : 'NEW',
        perform: async () => {
          await add(refuse, deps, tx, actor, channel, reason);
          return 'DONE';
        },
      });
    });
  });
}
