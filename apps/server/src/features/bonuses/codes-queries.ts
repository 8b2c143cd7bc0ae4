import { type Db, type PoolClient, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import { type ExportSource, timeSql } from '../../platform/http/export-file.ts';

/** A batch of codes for one person each. */
export interface BatchRow {
  id: string;
  made_by: string;
  made_at: Date;
  reason: string | null;
  codes: number;
  used: number;
  revoked_at: Date | null;
}

export async function listBatches(db: Db, bonusId: bigint): Promise<BatchRow[]> {
  const result = await db.query(
    `select b.id, b.made_by, b.made_at, b.reason, b.revoked_at, c.codes, c.used
     from promotion_batch b cross join lateral (
       select count(*)::int as codes, count(k.run_id)::int as used from promotion_code k where k.batch_id = b.id) c
     where b.bonus_id = $1 order by b.id desc limit 200`,
    [bonusId],
  );
  return result.rows;
}

/** The promotion of a code, if it is received by codes for one person each. */
export async function findSingle(db: Db, code: string): Promise<bigint | undefined> {
  const sql = "select id from bonus where code = $1 and kind = 'promotion' and single_codes";
  return (await db.query(sql, [code])).rows[0]?.id;
}

/** Keeps a batch; returns how many of its codes were new: one that is there already belongs to another. */
export async function insertBatch(
  tx: PoolClient,
  batch: { id: string; bonusId: bigint; by: string; now: Date; reason: string | null },
  codes: readonly string[],
): Promise<number> {
  await tx.query(
    'insert into promotion_batch (id, bonus_id, made_by, made_at, reason) values ($1, $2, $3, $4, $5)',
    [batch.id, batch.bonusId, batch.by, batch.now, batch.reason],
  );
  const result = await tx.query(
    'insert into promotion_code (code, batch_id) select unnest($2::text[]), $1 on conflict do nothing',
    [batch.id, codes],
  );
  return result.rowCount ?? 0;
}

/** Revokes a batch; returns the promotion's code, or undefined when there is no such batch, or it was revoked before. */
export async function revokeBatch(
  tx: PoolClient,
  id: string,
  by: string,
  now: Date,
): Promise<{ code: string } | undefined> {
  const result = await tx.query(
    `update promotion_batch p set revoked_at = $3, revoked_by = $2 from bonus b
     where p.id = $1 and p.revoked_at is null and b.id = p.bonus_id returning b.code`,
    [id, by, now],
  );
  return result.rows[0];
}

export async function hasBatch(db: Db, id: string): Promise<boolean> {
  return (await db.query('select 1 from promotion_batch where id = $1', [id])).rows.length > 0;
}

/** The codes of a batch for a file, with the members who used them. */
export const exportCodes = (batch: string): ExportSource =>
  pageSource(
    sql(`select c.code, case when c.run_id is not null then 'USED' when b.revoked_at is not null then 'REVOKED' else 'OPEN' end as state,
      r.member_id, ${timeSql('c.used_at')} as used_at
    from promotion_code c join promotion_batch b on b.id = c.batch_id left join bonus_run r on r.id = c.run_id
    where c.batch_id = $1 order by c.code`),
    [batch],
    'code',
  );
