import type { Variant } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../platform/database/db.ts';

export interface SourceRow {
  code: string;
  th: string;
  la: string;
  en: string;
  isOpen: boolean;
}

/** Every source from which members may know us, in the order offered. */
export async function listSources(db: Db): Promise<SourceRow[]> {
  const result = await db.query(
    `select code, description_th as th, description_la as la, description_en as en, is_open as "isOpen"
     from source order by position, code`,
  );
  return result.rows;
}

/** Names a source again, or adds it at the end. */
export async function saveSource(db: Db, source: SourceRow): Promise<void> {
  await db.query(
    `insert into source (code, description_th, description_la, description_en, is_open, position)
     values ($1, $2, $3, $4, $5, (select coalesce(max(position), 0) + 1 from source))
     on conflict (code) do update set description_th = excluded.description_th, description_la = excluded.description_la,
       description_en = excluded.description_en, is_open = excluded.is_open`,
    [source.code, source.th, source.la, source.en, source.isOpen],
  );
}

export interface BankRow {
  code: string;
  local: string;
  en: string;
  color: string | null;
  isOpen: boolean;
}

/** Every bank of a variant, in the order offered. */
export async function listBanks(db: Db, variant: Variant): Promise<BankRow[]> {
  const result = await db.query(
    `select code, name_local as local, name_en as en, color, is_open as "isOpen"
     from bank where variant = $1 order by position, code`,
    [variant],
  );
  return result.rows;
}

/**
 * Names a bank again, or adds it at the end of its variant; false when the code is another variant's. A Lao bank's own
 * name is its Lao one; a Thai bank that gets another name has none until one is written for it.
 */
export async function saveBank(db: Db, variant: Variant, bank: BankRow): Promise<boolean> {
  const result = await db.query(
    `insert into bank (code, name_local, name_en, name_lao, color, is_open, variant, position)
     values ($1, $2, $3, case $6 when 'la' then $2 end, $4, $5, $6,
       (select coalesce(max(position), 0) + 1 from bank where variant = $6))
     on conflict (code) do update set name_local = excluded.name_local, name_en = excluded.name_en,
       name_lao = case when excluded.variant = 'th' and bank.name_local = excluded.name_local then bank.name_lao
         else excluded.name_lao end,
       color = excluded.color, is_open = excluded.is_open where bank.variant = excluded.variant`,
    [bank.code, bank.local, bank.en, bank.color, bank.isOpen, variant],
  );
  return result.rowCount === 1;
}

/** Lets one transaction at a time order a list. */
export async function lockChoices(tx: PoolClient): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('choices'))");
}

export async function orderSources(db: Db, codes: readonly string[]): Promise<void> {
  await db.query(
    'update source s set position = o.position from unnest($1::text[]) with ordinality o(code, position) where s.code = o.code',
    [codes],
  );
}

export async function orderBanks(db: Db, codes: readonly string[]): Promise<void> {
  await db.query(
    'update bank b set position = o.position from unnest($1::text[]) with ordinality o(code, position) where b.code = o.code',
    [codes],
  );
}
