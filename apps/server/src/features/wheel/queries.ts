import type { PrizeKind } from '@krapao/contract/prizes';
import type { Currency, LocalizedText } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

export interface SliceRow {
  position: number;
  code: string;
  label: LocalizedText;
  bg_color: string;
  text_color: string;
  html: LocalizedText;
  weight: number;
  /** How often its prize may still be won, 0 while it is withdrawn; null: without a limit, or a blank slice. */
  left: bigint | null;
  prize_kind: PrizeKind | null;
  prize_name: LocalizedText | null;
  coupon_days: number | null;
  prize_id: bigint | null;
}

/** A version of a wheel as members spin it. */
export interface TurningWheel {
  id: bigint;
  version: number;
  name: LocalizedText;
  cost_per_spin: number;
  slices: SliceRow[];
}

/** The wheel that turns for members of a currency, slices in their order. */
export async function findTurning(db: Db, currency: Currency): Promise<TurningWheel | undefined> {
  const { rows } = await db.query(
    `select w.id, w.version, v.name, v.cost_per_spin, s.position, s.code, s.label, s.bg_color, s.text_color, s.html, s.weight,
       case when p.withdrawn_at is not null then 0 when s.stock is not null then greatest(s.stock - p.won, 0) end as left, p.kind as prize_kind, p.name as prize_name, p.coupon_days, s.prize_id
     from wheel w join wheel_version v on v.wheel_id = w.id and v.version = w.version
     join wheel_slice s on s.wheel_id = v.wheel_id and s.version = v.version left join prize p on p.id = s.prize_id
     where w.state = 'OPEN' and w.currency = $1 order by s.position`,
    [currency],
  );
  const [first] = rows;
  if (!first) return undefined;
  const { id, version, name, cost_per_spin } = first;
  return { id, version, name, cost_per_spin, slices: rows };
}

/** Whether a wheel turns for members of a currency. */
export async function isTurning(db: Db, currency: Currency): Promise<boolean> {
  const sql = "select 1 from wheel where state = 'OPEN' and currency = $1";
  return (await db.query(sql, [currency])).rows.length > 0;
}
