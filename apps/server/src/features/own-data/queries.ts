import { type Db, sql } from '../../platform/database/db.ts';
import { moneySql } from '../../platform/http/export-file.ts';

export interface OwnAccountRow {
  bank_code: string;
  account_no_sealed: Buffer;
  account_name: string;
  status: string;
  created_at: Date;
}

/** Every bank account the member has had, newest first. */
export async function listOwnAccounts(db: Db, memberId: bigint): Promise<OwnAccountRow[]> {
  const result = await db.query(
    `select bank_code, account_no_sealed, account_name, status, created_at from bank_account
     where member_id = $1 order by id desc`,
    [memberId],
  );
  return result.rows;
}

export interface OwnRequestRow {
  state: string;
  bank_code: string;
  account_name: string;
  account_no_sealed: Buffer;
  made_at: Date;
  checked_at: Date | null;
}

/** Every other bank account that the member has requested, newest first, whatever became of the request. */
export async function listOwnRequests(db: Db, memberId: bigint): Promise<OwnRequestRow[]> {
  const result = await db.query(
    `select a.state, a.payload->>'bankCode' as bank_code /* never null */, a.payload->>'accountName' as account_name /* never null */,
       decode(a.payload->>'sealed', 'hex') as account_no_sealed /* never null */, a.made_at, a.checked_at
     from approval a where a.subject = 'member:' || $1::bigint and a.action = 'account.change' and a.maker_member_id = $1
     order by a.made_at desc, a.id desc`,
    [memberId],
  );
  return result.rows;
}

/** The member themselves as JSON. */
export const PROFILE = `select row_to_json(p)::text from (
  select m.id::text as id, m.phone, m.name, m.currency, m.status, m.source_code as source, m.unknown_invite_code, m.created_at, m.age_confirmed, m.age_confirmed_at,
    m.inviter_id::text as inviter, m.password_changed_at, m.pin_set_at, ${moneySql('w.balance', 'm.currency')} as wallet, c.balance as coins
  from member m join ledger_account w on w.id = m.wallet_account join ledger_account c on c.id = m.coin_account
  where m.id = $1) p` as const;

const money = <const Column extends string>(column: Column) =>
  `${moneySql(column, 'm.currency')} as amount` as const;
/** Rows as JSON, each with the key that tells it apart for the pages. */
const rows = <const Key extends string, const Columns extends string, const Rest extends string>(
  key: Key,
  columns: Columns,
  rest: Rest,
) =>
  `select ${key} as page_key, (select row_to_json(r)::text from (select ${columns}) r) from ${rest}` as const;

/** The lists of a member's own data, each a query of rows as JSON, with `page_key` beside. */
export const LISTS = {
  statement: sql(
    rows(
      `s.id`,
      `s.id, s.type, s.status, s.source as "from", s.target as "to", ${money('s.amount')}, s.reference_text as description,
    s.created_at, s.updated_at`,
      `statement s join member m on m.id = s.member_id where s.member_id = $1 order by s.number`,
    ),
  ),
  deposits: sql(
    rows(
      `d.id`,
      `d.id, d.channel, d.bank_code as bank, d.bank_reference, ${money('d.amount')}, d.created_at`,
      `deposit d join member m on m.id = d.member_id where d.member_id = $1 order by d.created_at`,
    ),
  ),
  withdrawals: sql(
    rows(
      `w.id`,
      `w.id, a.bank_code as bank, w.status, ${money('w.amount')}, w.created_at, w.updated_at,
    (select r.notice from withdrawal_rejection r where r.withdrawal_id = w.id) as rejection`,
      `withdrawal w join member m on m.id = w.member_id join bank_account a on a.id = w.bank_account_id where w.member_id = $1 order by w.created_at`,
    ),
  ),
  bonuses: sql(
    rows(
      `r.id`,
      `r.id, r.kind, r.label as bonus, r.state, ${moneySql('r.granted', 'm.currency')} as granted,
    ${moneySql('r.taken', 'm.currency')} as taken, r.started_at, r.ended_at`,
      `bonus_run r join member m on m.id = r.member_id where r.member_id = $1 order by r.started_at`,
    ),
  ),
  invites: sql(
    rows(
      `c.id`,
      `c.invitee_id::text as invited, c.state, ${moneySql('c.amount', 'm.currency')} as amount, c.created_at, c.received_at, c.reversed_at`,
      `invite_credit c join member m on m.id = c.inviter_id where c.inviter_id = $1 order by c.id`,
    ),
  ),
  coins: sql(
    rows(
      `d.day`,
      `d.day::text, ${moneySql('d.deposited', 'm.currency')} as deposited, ${moneySql('d.unplayed', 'm.currency')} as unplayed,
    d.granted as coins`,
      `coin_day d join member m on m.id = d.member_id where d.member_id = $1 order by d.day`,
    ),
  ),
  coin_grants: sql(
    rows(`g.id`, `g.id, g.coins, g.created_at`, `coin_grant g where g.member_id = $1 order by g.created_at`),
  ),
  spins: sql(
    rows(
      `s.id`,
      `s.id, w.code as slice, w.label->>'en' as label, s.cost as coins, s.created_at`,
      `spin s join wheel_slice w on w.wheel_id = s.wheel_id and w.version = s.version and w.position = s.position
    where s.member_id = $1 order by s.created_at`,
    ),
  ),
  coupons: sql(
    rows(
      `c.id`,
      `c.id, p.kind, p.name->>'en' as prize, c.state, c.created_at, c.expires_at, c.ended_at, c.delivered_at`,
      `coupon c join prize p on p.id = c.prize_id where c.member_id = $1 order by c.created_at`,
    ),
  ),
  refunds: sql(
    rows(
      `p.number`,
      `p.from_at, p.to_at, ${moneySql('p.deposits', 'm.currency')} as deposits, ${moneySql('p.withdrawals', 'm.currency')} as withdrawals,
    ${moneySql('p.opening', 'm.currency')} as opening, ${moneySql('p.balance', 'm.currency')} as balance,
    ${moneySql('p.loss', 'm.currency')} as loss, p.percent, ${moneySql('p.amount', 'm.currency')} as amount`,
      `refund_period p join member m on m.id = p.member_id where p.member_id = $1 order by p.number`,
    ),
  ),
  identity_check: sql(
    rows(
      `k.member_id`,
      `k.state, k.refusal, k.wanted, k.requested_at, k.submitted_at, k.decided_at`,
      `kyc_check k where k.member_id = $1`,
    ),
  ),
  identity_documents: sql(
    rows(`d.id`, `d.kind as document, d.received_at`, `kyc_document d where d.member_id = $1 order by d.id`),
  ),
  slips: sql(
    rows(
      `s.id`,
      `s.id, s.status, s.note, ${moneySql('s.amount', 'coalesce(s.currency, m.currency)')} as amount, s.currency, s.bank_code as bank,
    s.trans_ref as bank_reference, s.sending_bank, s.payer_mask as sender, s.paid_at, s.created_at, s.updated_at`,
      `slip s join member m on m.id = s.member_id where s.member_id = $1 order by s.created_at`,
    ),
  ),
  qr_codes: sql(
    rows(
      `q.id`,
      `q.id, q.bank_code as bank, q.status, ${money('q.amount')}, q.payload, q.created_at, q.expires_at, q.closed_at`,
      `qr q join member m on m.id = q.member_id where q.member_id = $1 order by q.created_at`,
    ),
  ),
  gifts: sql(
    rows(
      `g.id`,
      `g.id, g.code, g.state, g.reason, ${moneySql('g.expected', 'm.currency')} as expected, ${money('g.amount')}, g.created_at`,
      `gift_redemption g join member m on m.id = g.member_id where g.member_id = $1 order by g.created_at`,
    ),
  ),
  games: sql(
    rows(
      `g.slot_code`,
      `g.slot_code as game, g.username, g.credits / 100.0 as credits, g.asked_at, g.created_at`,
      `game_account g where g.member_id = $1 order by g.created_at`,
    ),
  ),
  play_read: sql(
    rows(
      `p.slot_code || ' ' || p.since`,
      `p.slot_code as game, p.turnover / 100.0 as turnover, p.since, p.until, p.read_at`,
      `game_played p where p.member_id = $1 order by p.since, p.slot_code`,
    ),
  ),
  limits: sql(
    rows(
      `l.kind || l.period`,
      `l.kind, l.period, case l.kind when 'reminder' then l.amount else ${moneySql('l.amount', 'm.currency')} end as amount,
    case l.kind when 'reminder' then l.next_amount else ${moneySql('l.next_amount', 'm.currency')} end as next_amount, l.next_from, l.updated_at`,
      `play_limit l join member m on m.id = l.member_id where l.member_id = $1 order by l.kind, l.period`,
    ),
  ),
  breaks: sql(
    rows(`b.id`, `b.length, b.started_at, b.until`, `play_break b where b.member_id = $1 order by b.id`),
  ),
  conversations: sql(
    rows(
      `m.id`,
      `m.sender, m.message->>'message_type' as kind, coalesce(m.message->'payload'->>'message', m.message->'payloads'->0->>'title') as words, m.created_at`,
      `chat_message m join chat_conversation c on c.id = m.conversation_id where c.member_id = $1 and m.sender <> 'note' order by m.id`,
    ),
  ),
  notifications: sql(
    rows(
      `n.id`,
      `n.kind, n.status, ${money('n.amount')}, n.name, n.created_at, n.read_at`,
      `notification n join member m on m.id = n.member_id where n.member_id = $1 order by n.id`,
    ),
  ),
  notification_preferences: sql(
    rows(
      `p.member_id`,
      `p.money, p.bonus, p.chat, p.login, p.hides_amounts, p.updated_at`,
      `push_preference p where p.member_id = $1`,
    ),
  ),
  notified_browsers: sql(
    rows(`s.id`, `s.language, s.created_at`, `push_subscription s where s.member_id = $1 order by s.id`),
  ),
  sessions: sql(
    rows(
      `s.token_hash`,
      `s.created_at, s.last_seen_at, s.expires_at, s.ended_at, s.ended_by, s.address, s.user_agent as browser`,
      `session s where s.member_id = $1 order by s.created_at`,
    ),
  ),
  actions: sql(
    rows(
      `a.id`,
      `a.at, a.action, a.address`,
      `audit a where a.actor = 'member:' || $1::bigint order by a.id`,
    ),
  ),
} as const;
