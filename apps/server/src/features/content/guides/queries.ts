import type { Language } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../../platform/database/db.ts';

export interface GuideRow {
  name: string;
  titles: Record<Language, string>;
  video: string | null;
  is_open: boolean;
  version: number;
}

const COLUMNS = 'name, titles, video, is_open, version';

/** Every guide in the order shown. */
export async function listGuides(db: Db): Promise<GuideRow[]> {
  return (await db.query(`select ${COLUMNS} from howto_guide order by position, name`)).rows;
}

/** One guide, locked until the transaction ends. */
export async function lockGuide(tx: PoolClient, name: string): Promise<GuideRow | undefined> {
  const sql = `select ${COLUMNS} from howto_guide where name = $1 for update` as const;
  return (await tx.query(sql, [name])).rows[0];
}

export async function writeGuide(
  tx: PoolClient,
  name: string,
  to: { titles: Record<Language, string>; video: string | null; isOpen: boolean },
): Promise<void> {
  await tx.query(
    'update howto_guide set titles = $2::jsonb, video = $3, is_open = $4, version = version + 1 where name = $1',
    [name, JSON.stringify(to.titles), to.video, to.isOpen],
  );
}

/** Lets one transaction at a time order the guides. */
export async function lockGuides(tx: PoolClient): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('guides'))");
}

export async function orderGuides(db: Db, names: readonly string[]): Promise<void> {
  await db.query(
    'update howto_guide g set position = o.position from unnest($1::text[]) with ordinality o(name, position) where g.name = o.name',
    [names],
  );
}
