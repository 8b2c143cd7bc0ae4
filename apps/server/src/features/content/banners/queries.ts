import type { banners } from '@krapao/contract/operator';
import type { Static } from 'typebox';
import type { Db, PoolClient } from '../../../platform/database/db.ts';

export type BannerTexts = Static<typeof banners.addBanner.body>['words'];
export type BannerPlace = Static<typeof banners.addBanner.body>['place'];

export interface BannerRow {
  id: bigint;
  place: BannerPlace;
  words: BannerTexts;
  link: string;
  is_open: boolean;
  starts_at: Date | null;
  ends_at: Date | null;
  version: number;
  changed_by: string;
  changed_at: Date;
}

/** What operators decide of a banner. */
export interface BannerTerms {
  words: BannerTexts;
  link: string;
  isOpen: boolean;
  startsAt: Date | null;
  endsAt: Date | null;
}

const COLUMNS = 'id, place, words, link, is_open, starts_at, ends_at, version, changed_by, changed_at';

/** Every banner, place by place in the order shown. */
export async function listBanners(db: Db): Promise<BannerRow[]> {
  const sql = `select ${COLUMNS} from banner order by place, position, id` as const;
  return (await db.query(sql)).rows;
}

const SHOWN_MAX = 30;

/** What members see in a place at a moment, in its order. */
export async function listShown(
  db: Db,
  place: BannerPlace,
  now: Date,
): Promise<Pick<BannerRow, 'id' | 'words' | 'link'>[]> {
  const result = await db.query(
    `select id, words, link from banner
     where place = $1 and is_open and (starts_at is null or starts_at <= $2) and (ends_at is null or ends_at > $2)
     order by position, id limit ${SHOWN_MAX}`,
    [place, now],
  );
  return result.rows;
}

/** Tells open screens, as a change would, when a banner has begun or ended in the last so many seconds. */
export async function logTurns(db: Db, now: Date, seconds: number): Promise<void> {
  await db.query(
    `select pg_notify('member_event', '[{"memberId":"*","event":"site","payload":{"part":"words"}}]')
     where exists (select 1 from banner, unnest(array[starts_at, ends_at]) turn
       where is_open and turn <= $1 and turn > $1::timestamptz - $2 * interval '1 second')`,
    [now, seconds],
  );
}

/** One banner, locked until the transaction ends. */
export async function lockBanner(tx: PoolClient, id: string): Promise<BannerRow | undefined> {
  const sql = `select ${COLUMNS} from banner where id::text = $1 for update` as const;
  return (await tx.query(sql, [id])).rows[0];
}

export async function insertBanner(
  tx: PoolClient,
  place: BannerPlace,
  to: BannerTerms & { by: string; now: Date },
): Promise<bigint> {
  const result = await tx.query(
    `insert into banner (place, words, link, is_open, starts_at, ends_at, changed_by, changed_at, position)
     values ($1, $2::jsonb, $3, $4, $5, $6, $7, $8, (select coalesce(max(position), 0) + 1 from banner where place = $1))
     returning id`,
    [place, JSON.stringify(to.words), to.link, to.isOpen, to.startsAt, to.endsAt, to.by, to.now],
  );
  return result.rows[0]!.id;
}

export async function writeBanner(
  tx: PoolClient,
  id: bigint,
  to: BannerTerms & { by: string; now: Date },
): Promise<void> {
  await tx.query(
    `update banner set words = $2::jsonb, link = $3, is_open = $4, starts_at = $5, ends_at = $6, changed_by = $7,
       changed_at = $8, version = version + 1 where id = $1`,
    [id, JSON.stringify(to.words), to.link, to.isOpen, to.startsAt, to.endsAt, to.by, to.now],
  );
}

/** Lets one transaction at a time order banners. */
export async function lockBanners(tx: PoolClient): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('banners'))");
}

export async function orderBanners(db: Db, ids: readonly string[]): Promise<void> {
  await db.query(
    'update banner b set position = o.position from unnest($1::bigint[]) with ordinality o(id, position) where b.id = o.id',
    [ids],
  );
}
