import { type Currency, type MemberStatus, normalisePhone, type Variant } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

/** A member as money, coins or coupons are given to them. */
export interface MeantMember {
  id: bigint;
  phone: string;
  name: string;
  status: MemberStatus;
  currency: Currency;
  wallet_account: bigint;
  coin_account: bigint;
}

const COLUMNS = 'm.id, m.phone, m.name, m.status, m.currency, m.wallet_account, m.coin_account';

/**
 * Finds the members that each text means: by id, or by phone as people write it or as it is stored. One member's phone
 * may be another's id: then there are two rows for the text, and callers that need one member refuse.
 */
export async function listByPhoneOrId(
  db: Db,
  texts: readonly string[],
  variant: Variant,
): Promise<(MeantMember & { given: string })[]> {
  const phones = texts.map((text) => normalisePhone(text, variant) ?? text);
  const sql =
    `select u.given as given /* never null */, ${COLUMNS} from unnest($1::text[], $2::text[]) u(given, phone) join member m on m.phone in (u.given, u.phone)
     union
     select u.given, ${COLUMNS} from unnest($1::text[]) u(given)
     join member m on m.id = case when u.given ~ '^[1-9][0-9]{0,14}$' then u.given::bigint end` as const;
  return (await db.query(sql, [texts, phones])).rows;
}

/** The only member with this phone or id; undefined where there is none, or where the text means two. */
export async function findByPhoneOrId(
  db: Db,
  text: string,
  variant: Variant,
): Promise<MeantMember | undefined> {
  const [found, other] = await listByPhoneOrId(db, [text], variant);
  return other ? undefined : found;
}

/** The member with this id. */
export async function findById(db: Db, id: bigint): Promise<MeantMember | undefined> {
  return (await db.query(`select ${COLUMNS} from member m where m.id = $1`, [id])).rows[0];
}
