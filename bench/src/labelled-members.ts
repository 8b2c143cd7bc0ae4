import type pg from 'pg';

/** What a member is known to be: honest, or who does what one part of the score looks for. */
export const CHEATS = [
  'SHARED_ACCOUNT',
  'SHARED_DEVICE',
  'SHARED_ADDRESS',
  'INVITER_RING',
  'UNPLAYED',
  'SLIPS_REFUSED',
  'BONUS_HOPPING',
  'SUDDEN_STAKES',
  'MANY_NETWORKS',
  'UNUSUAL_AMOUNT',
] as const;
export type Label = 'honest' | 'helper' | (typeof CHEATS)[number];

interface Login {
  network: string;
  agent: string;
  minutes_ago: number;
}

/** A month of one member, as the product would have stored it; amounts in baht. */
export interface LabelledMember {
  label: Label;
  /** Position of who invited them, and of whose bank account they had before; null: none. */
  invitedBy: number | null;
  sharesAccountOf: number | null;
  logins: Login[];
  refusedSlips: number;
  /** Minutes between the end of each bonus and the next withdrawal. */
  bonuses: number[];
  /** Taken into games, by days ago. */
  taken: number[];
  paid: number[];
  /** Deposited today and not played. */
  deposited: number;
  amount: number;
}

/** What every member has, in baht. A deposit of all of it leaves nothing that was played. */
export const FUNDS = 100_000;
const MONTH_MINUTES = 30 * 24 * 60;

/** The same numbers for the same seed. */
function random(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  return {
    chance: (part: number) => next() < part,
    between: (from: number, to: number) => from + next() * (to - from),
    whole: (from: number, to: number) => Math.floor(from + next() * (to - from + 1)),
  };
}
type Random = ReturnType<typeof random>;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Phones of a mobile provider share few addresses and fewer browser names; homes have one address each. */
function logins(chance: Random, home: string, agent: string): Login[] {
  const mobile = () => `49.228.${chance.whole(0, 3)}.${chance.whole(1, 9)}`;
  const any = () => ({ agent, minutes_ago: chance.between(0, MONTH_MINUTES) });
  return [
    ...times(chance.whole(2, 8), () => ({ network: home, ...any() })),
    ...times(chance.whole(0, 8), () => ({
      ...any(),
      network: mobile(),
      agent: `Chrome ${chance.whole(1, 3)}`,
    })),
  ];
}

/** A life with nothing behind it, with what happens to people all the same: luck, families, bad pictures, journeys. */
function honest(chance: Random, place: number): LabelledMember {
  const usual = chance.between(150, 1_500);
  const home = `10${place % 9}.${Math.floor(place / 250) % 250}.${place % 250}.1`;
  const agent = `Browser ${chance.whole(1, 40)}`;
  const at = chance.between(0, 6 * 24 * 60);
  return {
    label: 'honest',
    invitedBy: chance.chance(0.3) && place > 50 ? chance.whole(0, 40) : null,
    sharesAccountOf: null,
    logins: [
      ...logins(chance, home, agent),
      // Home, under way and at a café within an hour is rare.
      ...(chance.chance(0.01)
        ? ['61.7.1.1', '171.5.2.2', '1.46.3.3'].map((network, index) => ({
            network: `${network}${place}`.slice(0, 15),
            agent,
            minutes_ago: at - index * 9,
          }))
        : []),
    ],
    refusedSlips: chance.chance(0.02) ? chance.whole(1, 3) : 0,
    bonuses: chance.chance(0.3)
      ? times(chance.whole(1, 5), () => (chance.chance(0.2) ? 30 : chance.between(120, 1_200)))
      : [],
    taken: times(chance.whole(3, 15), () => usual * chance.between(0.3, 3)),
    paid: times(chance.whole(0, 8), () => usual * chance.between(0.5, 2)),
    deposited: chance.chance(0.005) ? FUNDS : 0,
    amount: usual * (chance.chance(0.01) ? 12 : chance.between(0.5, 4)),
  };
}

/** What is changed of an honest life by each cheat, stronger or weaker; helpers are members that are not judged. */
const CHANGES: Record<
  (typeof CHEATS)[number],
  (
    member: LabelledMember,
    chance: Random,
    help: (member: Partial<LabelledMember>) => void,
    place: number,
  ) => void
> = {
  SHARED_ACCOUNT: (_member, _chance, help, place) => help({ sharesAccountOf: place }),
  SHARED_DEVICE: (member, chance, help) => {
    for (const _ of times(chance.whole(1, 4), Number)) help({ logins: member.logins.slice(0, 1) });
  },
  SHARED_ADDRESS: (member, chance, help) => {
    const [first] = member.logins;
    for (const index of times(chance.whole(2, 6), Number))
      help({
        logins: [
          { ...first!, agent: `Other ${index}`, minutes_ago: first!.minutes_ago + chance.between(-50, 50) },
        ],
      });
  },
  INVITER_RING: (member, chance, help, place) => {
    const login = { ...member.logins[0]!, network: `93.184.${place % 250}.7` };
    for (const _ of times(chance.whole(2, 5), Number)) help({ invitedBy: place, logins: [login] });
  },
  UNPLAYED: (member) => {
    member.deposited = FUNDS;
  },
  SLIPS_REFUSED: (member, chance) => {
    member.refusedSlips = chance.whole(2, 7);
  },
  BONUS_HOPPING: (member, chance) => {
    member.bonuses = times(chance.whole(2, 8), () => chance.between(3, 70));
  },
  SUDDEN_STAKES: (member, chance) => {
    const usual = member.taken.reduce((sum, one) => sum + one, 0) / member.taken.length;
    member.taken[0] = usual * chance.between(6, 60);
  },
  MANY_NETWORKS: (member, chance, _help, place) => {
    const at = chance.between(0, 6 * 24 * 60);
    for (const index of times(chance.whole(2, 5), Number))
      member.logins.push({
        network: `${180 + index}.${place % 250}.1.1`,
        agent: `Remote ${index}`,
        minutes_ago: at - index * chance.between(2, 20),
      });
  },
  UNUSUAL_AMOUNT: (member, chance) => {
    const usual = chance.between(150, 800);
    member.paid = times(chance.whole(2, 8), () => usual * chance.between(0.7, 1.4));
    member.amount = usual * chance.between(6, 40);
  },
};

/** Honest members and so many of each cheat, with the helpers they need; the same for the same seed. */
export function labelledMembers(intent: { honest: number; each: number; seed: number }): LabelledMember[] {
  const chance = random(intent.seed);
  const members = times(intent.honest, (place) => honest(chance, place));
  for (const label of CHEATS)
    for (const _ of times(intent.each, Number)) {
      const place = members.length;
      const member: LabelledMember = { ...honest(chance, place), label };
      members.push(member);
      const help = (given: Partial<LabelledMember>) =>
        void members.push({ ...honest(chance, members.length), label: 'helper', logins: [], ...given });
      CHANGES[label](member, chance, help, place);
    }
  return members;
}

/** Writes the lives behind the product's back, for members whose ids follow each other from `firstId`. */
export async function writeLives(
  owner: pg.Client,
  members: readonly LabelledMember[],
  firstId: number,
): Promise<void> {
  const id = (place: number) => firstId + place;
  const rows = <Row extends object>(of: (member: LabelledMember, place: number) => Row[]) =>
    JSON.stringify(members.flatMap((member, place) => of(member, place)));
  await owner.query(
    `insert into session (token_hash, member_id, created_at, expires_at, address, network, user_agent)
     select gen_random_uuid()::text::bytea, r.id, now() - r.minutes_ago * interval '1 minute', now(), r.network, r.network, r.agent
     from jsonb_to_recordset($1) r(id bigint, network text, agent text, minutes_ago float8)`,
    [rows((member, place) => member.logins.map((login) => ({ id: id(place), ...login })))],
  );
  await owner.query(
    'update member m set inviter_id = r.inviter from jsonb_to_recordset($1) r(id bigint, inviter bigint) where m.id = r.id',
    [rows(({ invitedBy }, place) => (invitedBy === null ? [] : [{ id: id(place), inviter: id(invitedBy) }]))],
  );
  await owner.query(
    `insert into bank_account (member_id, bank_code, account_no_sealed, account_no_fingerprint, account_name, status, created_at)
     select r.id, a.bank_code, a.account_no_sealed, a.account_no_fingerprint, a.account_name, 'REPLACED', a.created_at
     from jsonb_to_recordset($1) r(id bigint, other bigint) join bank_account a on a.member_id = r.other and a.status = 'ACTIVE'`,
    [
      rows(({ sharesAccountOf }, place) =>
        sharesAccountOf === null ? [] : [{ id: id(place), other: id(sharesAccountOf) }],
      ),
    ],
  );
  await owner.query(
    `insert into slip (id, member_id, reference, image_hash, file, status, created_at, updated_at)
     select 'SL' || r.id || '-' || n, r.id, 'picture' || r.id || '-' || n, '', 'none', 'FAILED', now() - interval '1 day', now()
     from jsonb_to_recordset($1) r(id bigint, slips int), generate_series(1, r.slips) n`,
    [rows(({ refusedSlips: slips }, place) => [{ id: id(place), slips }])],
  );
  await writeMoney(owner, rows, id);
}

/** Bonuses with the withdrawals after them, money taken into games, withdrawals paid, and money deposited today. */
async function writeMoney(
  owner: pg.Client,
  rows: <Row extends object>(of: (member: LabelledMember, place: number) => Row[]) => string,
  id: (place: number) => number,
): Promise<void> {
  await owner.query(
    `with r as materialized (select *, row_number() over () as n from jsonb_to_recordset($1) r(id bigint, days int, minutes float8)),
     run as (
       insert into bonus_run (id, member_id, kind, label, qualifying, granted, success_percent, fail_percent, turnover_percent, unbound,
         wallet_account, entry_id, expires_at, started_at, ended_at, ended_by, state)
       select 'BN' || r.n, r.id, 'bonus', 'bench', 0, 100, 200, 10, 0, 0, 1, 1, now(),
         now() - r.days * interval '1 day' - interval '3 hours', now() - r.days * interval '1 day', 'bench', 'SUCCESS' from r)
     insert into withdrawal (id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at)
     select 'WD0BONUS' || r.n, r.id, 1, 20000, 'FAILED', false, now() - r.days * interval '1 day' + r.minutes * interval '1 minute', now() from r`,
    [
      rows(({ bonuses }, place) =>
        bonuses.map((minutes, index) => ({ id: id(place), days: index * 3 + 1, minutes })),
      ),
    ],
  );
  await owner.query(
    `insert into slot (code, name, category, adapter, agent, launch_name, rate_micro, logo, background, position)
     values ('bench', 'Bench', 'slot', 'style-f', 'bench', 'bench', 1000000, '', '', 1)`,
  );
  await owner.query(
    `insert into provider_transfer (id, member_id, slot_code, direction, amount, credits, state, created_at, sent_at, touched_at)
     select gen_random_uuid()::text, r.id, 'bench', 'IN', r.amount, r.amount, 'DONE',
       now() - r.days * interval '1 day' - interval '2 hours', now(), now()
     from jsonb_to_recordset($1) r(id bigint, days int, amount bigint)`,
    [
      rows(({ taken }, place) =>
        taken.map((amount, days) => ({ id: id(place), days, amount: Math.round(amount * 100) })),
      ),
    ],
  );
  await owner.query(
    `insert into withdrawal (id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at)
     select 'WD0PAID' || row_number() over (), r.id, 1, r.amount, 'SUCCESS', true, now() - r.days * interval '1 day', now()
     from jsonb_to_recordset($1) r(id bigint, days int, amount bigint)`,
    [
      rows(({ paid }, place) =>
        paid.map((amount, index) => ({
          id: id(place),
          days: index * 4 + 2,
          amount: Math.round(amount * 100),
        })),
      ),
    ],
  );
  await owner.query(
    `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
     select 'DPBENCH' || r.id, r.id, 'QR', 'KBANK', 'BENCH' || r.id, r.amount, false, 0, now() - interval '5 minutes'
     from jsonb_to_recordset($1) r(id bigint, amount bigint)`,
    [
      rows(({ deposited }, place) =>
        deposited > 0 ? [{ id: id(place), amount: Math.round(deposited * 100) }] : [],
      ),
    ],
  );
}
