import type { Db } from '../../platform/database/db.ts';

export type Audience = 'me' | 'role' | 'all';

export interface ViewRow {
  id: string;
  room: string;
  name: string;
  address: string;
  audience: Audience;
  owner: string;
  operator_id: bigint;
}

/** An operator's own views and those shared with his role or all, by room and name. */
export async function listViews(
  db: Db,
  reader: { id: bigint; role: string; rooms: readonly string[] },
): Promise<ViewRow[]> {
  const result = await db.query<ViewRow>(
    `select v.id, v.room, v.name, v.address, v.audience, o.name as owner, v.operator_id
     from console_view v join operator o on o.id = v.operator_id
     where v.room = any($3) and (v.operator_id = $1 or v.audience = 'all' or (v.audience = 'role' and v.role = $2))
     order by v.room, v.operator_id <> $1, v.name, v.id limit 500`,
    [reader.id, reader.role, reader.rooms],
  );
  return result.rows;
}

/** Keeps a view, or replaces the operator's own of that room and name; answers its id. */
export async function saveView(
  db: Db,
  view: {
    id: string;
    operatorId: bigint;
    room: string;
    name: string;
    address: string;
    audience: Audience;
    role: string | null;
    now: Date;
  },
): Promise<string> {
  const result = await db.query<{ id: string }>(
    `insert into console_view (id, operator_id, room, name, address, audience, role, saved_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (operator_id, room, name) do update
       set address = excluded.address, audience = excluded.audience, role = excluded.role, saved_at = excluded.saved_at
     returning id`,
    [view.id, view.operatorId, view.room, view.name, view.address, view.audience, view.role, view.now],
  );
  return result.rows[0]!.id;
}

/** Removes an operator's own view; undefined where he has none of this id. */
export async function removeView(
  db: Db,
  id: string,
  operatorId: bigint,
): Promise<Pick<ViewRow, 'room' | 'name' | 'address' | 'audience'> | undefined> {
  const result = await db.query(
    'delete from console_view where id = $1 and operator_id = $2 returning room, name, address, audience',
    [id, operatorId],
  );
  return result.rows[0];
}

export interface ColumnsRow {
  room: string;
  shown: string[];
}

export async function listColumns(db: Db, operatorId: bigint): Promise<ColumnsRow[]> {
  return (
    await db.query<ColumnsRow>(
      'select room, shown from console_columns where operator_id = $1 order by room',
      [operatorId],
    )
  ).rows;
}

/** The columns an operator sees in a room from now on; none of them: those the room comes with. */
export async function writeColumns(
  db: Db,
  operatorId: bigint,
  { room, shown }: { room: string; shown: readonly string[] },
): Promise<void> {
  if (shown.length === 0)
    await db.query('delete from console_columns where operator_id = $1 and room = $2', [operatorId, room]);
  else
    await db.query(
      `insert into console_columns (operator_id, room, shown) values ($1, $2, $3)
       on conflict (operator_id, room) do update set shown = excluded.shown`,
      [operatorId, room, shown],
    );
}
