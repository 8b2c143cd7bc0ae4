import type { Db } from '../../platform/database/db.ts';

export type Audience = 'me' | 'role' | 'all';

export interface ViewRow {
  id: string;
  pageName: string;
  name: string;
  address: string;
  audience: Audience;
  owner: string;
  operator_id: bigint;
  isDefault: boolean;
}

/** Who reads views: their own, and those shared with their role or all. */
interface Reader {
  id: bigint;
  role: string;
}

/** How many views of their own an operator may have. */
export const VIEWS_MAX = 100;

/** How many views of their own an operator has besides that of a page and name, and whether that one is there. */
export async function countViews(
  db: Db,
  { operatorId, pageName, name }: { operatorId: bigint; pageName: string; name: string },
): Promise<{ others: number; isThere: boolean }> {
  const result = await db.query(
    `select count(*) filter (where not n.same)::int as others, coalesce(bool_or(n.same), false) as "isThere"
     from console_view v, lateral (select v.page_name = $2 and v.name = $3 as same) n where v.operator_id = $1`,
    [operatorId, pageName, name],
  );
  return result.rows[0]!;
}

/** An operator's own views, all of them, and those shared with their role or all, by page and name. */
export async function listViews(
  db: Db,
  reader: Reader & { pageNames: readonly string[] },
): Promise<ViewRow[]> {
  const result = await db.query(
    `select v.id, v.page_name as "pageName", v.name, v.address, v.audience, o.name as owner, v.operator_id,
       coalesce(c.default_view = v.id, false) as "isDefault"
     from console_view v join operator o on o.id = v.operator_id
     left join console_columns c on c.operator_id = $1 and c.page_name = v.page_name
     where v.id = any(array(
       select r.id from console_view r
       where r.page_name = any($3) and (r.operator_id = $1 or r.audience = 'all' or (r.audience = 'role' and r.role = $2))
       order by r.operator_id <> $1, r.page_name, r.name, r.id limit 500))
     order by v.page_name, v.operator_id <> $1, v.name, v.id`,
    [reader.id, reader.role, reader.pageNames],
  );
  return result.rows;
}

/** Keeps a view, or replaces the operator's own of that page and name; returns its id. */
export async function saveView(
  db: Db,
  view: {
    id: string;
    operatorId: bigint;
    pageName: string;
    name: string;
    address: string;
    audience: Audience;
    role: string | null;
    now: Date;
  },
): Promise<string> {
  const result = await db.query(
    `insert into console_view (id, operator_id, page_name, name, address, audience, role, saved_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (operator_id, page_name, name) do update
       set address = excluded.address, audience = excluded.audience, role = excluded.role, saved_at = excluded.saved_at
     returning id`,
    [view.id, view.operatorId, view.pageName, view.name, view.address, view.audience, view.role, view.now],
  );
  return result.rows[0]!.id;
}

/** Removes an operator's own view; undefined where they have none of this id. */
export async function removeView(
  db: Db,
  id: string,
  operatorId: bigint,
): Promise<Pick<ViewRow, 'pageName' | 'name' | 'address' | 'audience'> | undefined> {
  const result = await db.query(
    'delete from console_view where id = $1 and operator_id = $2 returning page_name as "pageName", name, address, audience',
    [id, operatorId],
  );
  return result.rows[0];
}

export interface ColumnsRow {
  pageName: string;
  shown: string[];
  pageSize: number | null;
}

export async function listColumns(db: Db, operatorId: bigint): Promise<ColumnsRow[]> {
  return (
    await db.query(
      'select page_name as "pageName", shown, page_size as "pageSize" from console_columns where operator_id = $1 order by page_name',
      [operatorId],
    )
  ).rows;
}

/** The columns an operator sees in a page from now on; none: the page's default. */
export async function writeColumns(
  db: Db,
  operatorId: bigint,
  { pageName, shown }: { pageName: string; shown: readonly string[] },
): Promise<void> {
  await db.query(
    `insert into console_columns (operator_id, page_name, shown) values ($1, $2, $3)
     on conflict (operator_id, page_name) do update set shown = excluded.shown`,
    [operatorId, pageName, shown],
  );
}

/** How many rows a page has for an operator from now on. */
export async function writePageSize(
  db: Db,
  operatorId: bigint,
  { pageName, size }: { pageName: string; size: number },
): Promise<void> {
  await db.query(
    `insert into console_columns (operator_id, page_name, shown, page_size) values ($1, $2, '{}', $3)
     on conflict (operator_id, page_name) do update set page_size = excluded.page_size`,
    [operatorId, pageName, size],
  );
}

/**
 * The name of a view of a page that an operator sees; undefined where there is none. The view is not deleted before
 * the transaction ends.
 */
export async function holdView(
  tx: Db,
  { id, pageName }: { id: string; pageName: string },
  reader: Reader,
): Promise<string | undefined> {
  const result = await tx.query(
    `select v.name from console_view v
     where v.id = $1 and v.page_name = $2
       and (v.operator_id = $3 or v.audience = 'all' or (v.audience = 'role' and v.role = $4))
     for key share`,
    [id, pageName, reader.id, reader.role],
  );
  return result.rows[0]?.name;
}

/** The view a page opens with for an operator from now on; null: none. */
export async function writeDefaultView(
  db: Db,
  operatorId: bigint,
  { pageName, id }: { pageName: string; id: string | null },
): Promise<void> {
  await db.query(
    `insert into console_columns (operator_id, page_name, shown, default_view) values ($1, $2, '{}', $3)
     on conflict (operator_id, page_name) do update set default_view = excluded.default_view`,
    [operatorId, pageName, id],
  );
}
