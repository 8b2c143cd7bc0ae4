import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { writeAudit } from '../../platform/audit.ts';
import { exportQuery } from '../../platform/backup/csv.ts';
import type { Clock } from '../../platform/clock.ts';
import type { OperatorDoor } from '../../platform/http/declare-operator.ts';
import { timesOf } from '../../platform/http/list.ts';
import { Refusal } from '../../platform/refusal.ts';

const MONEY = (column: string): string =>
  `round(${column} / case m.currency when 'BAHT' then 100.0 else 1 end, case m.currency when 'BAHT' then 2 else 0 end)`;

/** What can be exported, the leave it needs, and its rows between two times; sealed columns are never among them. */
const EXPORTS: Record<string, { permission: string; sql: string }> = {
  withdrawals: {
    permission: 'withdrawal.read',
    sql: `select w.id, w.member_id, m.name, ${MONEY('w.amount')} as amount, m.currency, a.bank_code, w.status, w.automatic, w.reason, w.proof, w.created_at, w.updated_at
      from withdrawal w join member m on m.id = w.member_id join bank_account a on a.id = w.bank_account_id
      where ($1::timestamptz is null or w.created_at >= $1) and ($2::timestamptz is null or w.created_at < $2) order by w.created_at`,
  },
  deposits: {
    permission: 'deposit.read',
    sql: `select d.id, d.member_id, m.name, d.channel, d.bank_code, d.bank_reference, ${MONEY('d.amount')} as amount, m.currency, d.from_stranger, d.created_at, d.reversal_id
      from deposit d join member m on m.id = d.member_id
      where ($1::timestamptz is null or d.created_at >= $1) and ($2::timestamptz is null or d.created_at < $2) order by d.created_at`,
  },
  unmatched: {
    permission: 'unmatched.read',
    sql: `select m.id, m.bank_code, m.bank_reference, ${MONEY('m.amount')} as amount, m.currency, m.payer_bank, m.payer_mask, m.reference1, m.likely_member_id, m.reason, m.paid_at
      from bank_line m where m.state = 'UNMATCHED' and ($1::timestamptz is null or m.paid_at >= $1) and ($2::timestamptz is null or m.paid_at < $2) order by m.id`,
  },
  transfers: {
    permission: 'transfer.read',
    sql: `select t.id, t.member_id, m.name, t.slot_code, t.direction, ${MONEY('t.amount')} as amount, m.currency, t.state, t.created_at
      from provider_transfer t join member m on m.id = t.member_id
      where ($1::timestamptz is null or t.created_at >= $1) and ($2::timestamptz is null or t.created_at < $2) order by t.created_at`,
  },
  members: {
    permission: 'member.read',
    sql: `select m.id, left(m.phone, 3) || '•••' || right(m.phone, 4) as phone, m.name, m.currency, m.status, m.source_code, m.inviter_id, m.created_at
      from member m where ($1::timestamptz is null or m.created_at >= $1) and ($2::timestamptz is null or m.created_at < $2) order by m.id`,
  },
  audit: {
    permission: 'audit.read',
    sql: `select id, at, actor, role, action, thing, before, after, reason, address from audit
      where ($1::timestamptz is null or at >= $1) and ($2::timestamptz is null or at < $2) order by id`,
  },
};

export interface ExportDeps {
  pool: Pool;
  /** A pool whose statements may take their time. */
  backgroundPool: Pool;
  clock: Clock;
}

/**
 * GET /api/operator/export/{what}.csv: streams rows as CSV, as `exportQuery` writes it, between `from` and `to`.
 * The trail says who took what before the first byte leaves.
 */
export function exportRoute(app: FastifyInstance, deps: ExportDeps, door: OperatorDoor): void {
  app.get('/api/operator/export/:file', { schema: { hide: true } as never }, async (request, reply) => {
    const operator = await door(request, 'operator', 'export.read');
    const { file } = request.params as { file: string };
    const wanted = Object.hasOwn(EXPORTS, file.replace(/\.csv$/, ''))
      ? EXPORTS[file.replace(/\.csv$/, '')]
      : null;
    if (!operator || !wanted) throw new Refusal('NO_DATA');
    if (!operator.permissions.has(wanted.permission)) throw new Refusal('UNAUTHORIZED');
    const { from, to } = timesOf(request.query as { from?: string; to?: string });
    const act = { action: 'export', thing: `export:${file.replace(/\.csv$/, '')}`, after: { from, to } };
    await writeAudit(deps.pool, { ...operator, address: request.ip }, act, deps.clock.now());
    const sink = new PassThrough();
    exportQuery(deps.backgroundPool, wanted.sql, [from, to], sink).then(
      () => sink.end(),
      (error: Error) => sink.destroy(error),
    );
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${file.replace(/\.csv$/, '')}.csv"`)
      .send(sink);
  });
}
