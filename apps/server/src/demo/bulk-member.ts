import type { Currency } from '@krapao/contract/shared';
import type { AccountRow } from '../features/games/queries.ts';
import { type StoreDeps, storeMember } from '../features/registration/register.ts';
import { refuseAny } from '../platform/refuse-any.ts';
import { type Chance, seededChance } from './chance.ts';

/** Phones of the large population: this prefix and six digits, so that it can be recognised. */
export const BULK_PREFIX = '0690';
/** The most members that the prefix leaves room for. */
export const BULK_MAX = 1_000_000;

const BANKS = ['KBANK', 'SCB', 'BBL', 'KTB', 'BAY'] as const;
const GIVEN = [
  ['สมพร', 'SOMPHORN'],
  ['มานะ', 'MANA'],
  ['ปราณี', 'PRANEE'],
  ['วิชัย', 'WICHAI'],
  ['รัตนา', 'RATTANA'],
  ['ชาติชาย', 'CHATCHAI'],
  ['นภา', 'NAPHA'],
  ['ประเสริฐ', 'PRASERT'],
] as const;
const FAMILY = [
  ['แสงจันทร์', 'SAENGCHAN'],
  ['ทองสุข', 'THONGSUK'],
  ['บุญเรือง', 'BUNRUEANG'],
  ['ใจงาม', 'CHAINGAM'],
  ['วงศ์ดี', 'WONGDEE'],
  ['ศรีทอง', 'SRITHONG'],
  ['คำมูล', 'KHAMMOON'],
  ['พิมพ์ใจ', 'PHIMCHAI'],
  ['สายทอง', 'SAITHONG'],
] as const;

/** Channels and how often members use them, as cumulated shares. */
const CHANNELS = [
  ['qr', 0.6],
  ['transfer', 0.85],
  ['slip', 0.95],
  ['gift', 1],
] as const;
export type BulkChannel = (typeof CHANNELS)[number][0];

/** How often members come, as cumulated shares: most rarely, few every third day. Visits of a day. */
const RATES = [
  [0.7, 1 / 60],
  [0.95, 1 / 14],
  [1, 1 / 3],
] as const;

/** What decides how a member behaves; it follows from seed and position alone. */
export interface BulkPersona {
  position: number;
  phone: string;
  name: string;
  accountName: string;
  bankCode: string;
  accountNo: string;
  channel: BulkChannel;
  /** Usual deposit in baht. */
  deposit: number;
  visitsOfDay: number;
  /** Day of the history on which they register. */
  since: number;
  chance: Chance;
}

/** A registered persona with what the ledger needs of them. */
export interface BulkMember extends BulkPersona {
  id: bigint;
  currency: Currency;
  walletAccount: bigint;
  holdAccount: bigint;
  bankAccountId: bigint;
  /** Wallet in minor units, as the ledger has it between two steps. */
  walletMinor: bigint;
  games: Map<string, AccountRow>;
}

const HASH = 2_654_435_761;
/** The seed of a position: neighbours differ in all bits. */
const mix = (seed: number, position: number): number =>
  (((Math.imul(seed + 1, HASH) ^ Math.imul(position + 1, 0x9e37_79b1)) >>> 0) * 3 + position) % 2 ** 32;

const picked = <Value>(shares: readonly (readonly [Value, number])[], at: number): Value =>
  shares.find(([, upTo]) => at < upTo)![0];

/** Returns the persona of a position. Half of all are members on the first day, the others register in the first three quarters. */
export function bulkPersona(seed: number, position: number, days: number): BulkPersona {
  const chance = seededChance(mix(seed, position));
  chance.between(0, 1);
  const [given, family] = [chance.pick(GIVEN), chance.pick(FAMILY)];
  const rate = chance.between(0, 1);
  return {
    position,
    phone: `${BULK_PREFIX}${String(position).padStart(6, '0')}`,
    name: `${given[0]} ${family[0]}`,
    accountName: `${given[1]} ${family[1]}`,
    bankCode: chance.pick(BANKS),
    accountNo: `69${String(position).padStart(8, '0')}`,
    channel: picked(CHANNELS, chance.between(0, 1)),
    deposit: Math.round(chance.between(10, 55) ** 2 / 100) * 10 + 100,
    visitsOfDay: RATES.find(([upTo]) => rate < upTo)![1],
    since: chance.is(0.5) ? 0 : Math.floor(chance.between(0, days * 0.75)),
    chance,
  };
}

/** Registers personas as the registration does, with the common password of the demo. */
export async function registerMembers(
  deps: StoreDeps,
  personas: readonly BulkPersona[],
  passwordHash: string,
): Promise<BulkMember[]> {
  const ids = await Promise.all(
    personas.map(({ phone, name, bankCode, accountNo, accountName }) =>
      storeMember(refuseAny, deps, {
        phone,
        name,
        currency: 'BAHT',
        sourceCode: 'other',
        inviteCode: undefined,
        passwordHash,
        bank: { bankCode, bankAccountNo: accountNo, bankAccountName: accountName },
      }),
    ),
  );
  const { rows } = await deps.pool.query(
    `select m.id, m.wallet_account, m.hold_account, a.id as bank_account_id
     from member m join bank_account a on a.member_id = m.id where m.id = any($1)`,
    [ids],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return personas.map((persona, at) => {
    const row = found.get(ids[at]!)!;
    return {
      ...persona,
      id: row.id,
      currency: 'BAHT',
      walletAccount: row.wallet_account,
      holdAccount: row.hold_account,
      bankAccountId: row.bank_account_id,
      walletMinor: 0n,
      games: new Map(),
    };
  });
}
