import type { KycDocument, KycRefusal, KycState } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

/** The identity check of a member; a member without a row has no check. */
export interface CheckRow {
  state: KycState;
  round: number;
  wanted: KycDocument[];
  refusal: KycRefusal | null;
  requested_by: string | null;
  requested_at: Date | null;
  submitted_at: Date | null;
  decided_by: string | null;
  decided_at: Date | null;
}

const COLUMNS =
  'state, round, wanted, refusal, requested_by, requested_at, submitted_at, decided_by, decided_at';

export async function findCheck(db: Db, memberId: bigint): Promise<CheckRow | undefined> {
  return (await db.query(`select ${COLUMNS} from kyc_check where member_id = $1`, [memberId])).rows[0];
}

/** The same, locked against other decisions and documents. */
export async function lockCheck(db: Db, memberId: bigint): Promise<CheckRow | undefined> {
  const sql = `select ${COLUMNS} from kyc_check where member_id = $1 for update` as const;
  return (await db.query(sql, [memberId])).rows[0];
}

/** Begins the check of a member who does so without a request; does nothing when there is one. */
export async function beginCheck(
  db: Db,
  { memberId, wanted, now }: { memberId: bigint; wanted: readonly KycDocument[]; now: Date },
): Promise<void> {
  await db.query(
    `insert into kyc_check (member_id, state, round, wanted, requested_at) values ($1, 'REQUESTED', 1, $2, $3)
     on conflict (member_id) do nothing`,
    [memberId, wanted, now],
  );
}

/** Who requests or decides what about a member, as the trail names them. */
interface Change {
  memberId: bigint;
  by: string;
  now: Date;
}

/** Begins a round for which the member is to send documents. */
export async function requestDocuments(
  db: Db,
  { memberId, by, now, wanted }: Change & { wanted: readonly KycDocument[] },
): Promise<void> {
  await db.query(
    `insert into kyc_check (member_id, state, round, wanted, requested_by, requested_at)
     values ($1, 'REQUESTED', 1, $2, $3, $4)
     on conflict (member_id) do update set state = 'REQUESTED', round = kyc_check.round + 1, wanted = $2, refusal = null,
       requested_by = $3, requested_at = $4, submitted_at = null, decided_by = null, decided_at = null`,
    [memberId, wanted, by, now],
  );
}

/** Notes that the identity is proven. */
export async function verify(db: Db, { memberId, by, now }: Change): Promise<void> {
  await db.query(
    `insert into kyc_check (member_id, state, round, wanted, decided_by, decided_at)
     values ($1, 'VERIFIED', 1, '{}', $2, $3)
     on conflict (member_id) do update
       set state = 'VERIFIED', round = kyc_check.round + 1, refusal = null, decided_by = $2, decided_at = $3`,
    [memberId, by, now],
  );
}

/** Refuses what came and begins a round for the documents that are to be sent again. */
export async function refuseDocuments(
  db: Db,
  { memberId, by, now, wanted, refusal }: Change & { wanted: readonly KycDocument[]; refusal: KycRefusal },
): Promise<void> {
  await db.query(
    `update kyc_check set state = 'REFUSED', round = round + 1, wanted = $2, refusal = $3, decided_by = $4, decided_at = $5
     where member_id = $1`,
    [memberId, wanted, refusal, by, now],
  );
}

/** Notes that all documents of the round have come. */
export async function submit(db: Db, memberId: bigint, now: Date): Promise<void> {
  await db.query(
    "update kyc_check set state = 'SUBMITTED', submitted_at = $2, decided_by = null, decided_at = null where member_id = $1",
    [memberId, now],
  );
}

/** The documents of a round that have come. */
export async function listReceived(db: Db, memberId: bigint, round: number): Promise<KycDocument[]> {
  const sql = 'select kind from kyc_document where member_id = $1 and round = $2';
  return (await db.query(sql, [memberId, round])).rows.map(({ kind }) => kind);
}

/** Keeps the picture of a document in place of the one that came in the same round; returns the key of that one. */
export async function putDocument(
  db: Db,
  document: { memberId: bigint; round: number; kind: KycDocument; file: string; now: Date },
): Promise<string | null> {
  const { memberId, round, kind, file, now } = document;
  const before = await db.query(
    'select file from kyc_document where member_id = $1 and round = $2 and kind = $3',
    [memberId, round, kind],
  );
  await db.query(
    `insert into kyc_document (member_id, round, kind, file, received_at) values ($1, $2, $3, $4, $5)
     on conflict (member_id, round, kind) do update set file = $4, received_at = $5`,
    [memberId, round, kind, file, now],
  );
  return before.rows[0]?.file ?? null;
}

export interface DocumentRow {
  id: bigint;
  kind: KycDocument;
  received_at: Date;
}

/** The newest documents of a member. */
export async function listDocuments(db: Db, memberId: bigint, limit: number): Promise<DocumentRow[]> {
  const sql = 'select id, kind, received_at from kyc_document where member_id = $1 order by id desc limit $2';
  return (await db.query(sql, [memberId, limit])).rows;
}

/** Where the picture of a document is stored, and whose it is. */
export async function findDocument(
  db: Db,
  id: bigint,
): Promise<{ file: string; member_id: bigint; kind: KycDocument } | undefined> {
  return (await db.query('select file, member_id, kind from kyc_document where id = $1', [id])).rows[0];
}

/** How many checks wait for an operator, and since when. */
export async function countSubmitted(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const sql =
    "select count(*)::int as count, min(submitted_at) as oldest from kyc_check where state = 'SUBMITTED'";
  return (await db.query(sql)).rows[0]!;
}

/** Whether the identity of a member is proven, and what they withdrew since then, minor units, without what failed. */
export async function readProven(
  db: Db,
  memberId: bigint,
  since: Date,
): Promise<{ is_verified: boolean; withdrawn: bigint }> {
  const result = await db.query(
    `select exists (select from kyc_check c where c.member_id = $1 and c.state = 'VERIFIED') as is_verified,
       (select coalesce(sum(w.amount), 0)::bigint from withdrawal w
        where w.member_id = $1 and w.created_at > $2 and w.status <> 'FAILED') as withdrawn`,
    [memberId, since],
  );
  return result.rows[0]!;
}
