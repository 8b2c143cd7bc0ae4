import type { PrizeKind } from '@krapao/contract/prizes';
import { CURRENCY_DECIMALS, type Currency, type LocalizedText } from '@krapao/contract/shared';
import type { createSystemAccounts, Ledger } from './ledger/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Pool } from './platform/database/db.ts';
import { changeSetting } from './platform/settings.ts';
import { inTransaction } from './platform/transaction.ts';

export interface DemoWheelDeps {
  pool: Pool;
  clock: Clock;
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
}

type Kind = PrizeKind;

interface Slice {
  code: string;
  colors: readonly [ground: string, text: string];
  weight: number;
  stock?: number;
  /** Absent: a slice without a prize. Amounts in whole units of the currency. */
  prize?: { kind: Kind; value: number };
}

const PALE = ['#ddeee8', '#0b5d4e'] as const;
const DEEP = ['#0b5d4e', '#ffffff'] as const;
const TEAL = ['#2c7a6a', '#ffffff'] as const;
const CREAM = ['#f6ecd6', '#7a5512'] as const;
const GOLD = ['#e3bc6e', '#4a3206'] as const;

const SLICES: Slice[] = [
  { code: 'CASH10', colors: PALE, weight: 300, prize: { kind: 'CASH', value: 10 } },
  { code: 'COIN1', colors: DEEP, weight: 200, prize: { kind: 'COIN', value: 1 } },
  { code: 'CASH50', colors: CREAM, weight: 60, prize: { kind: 'CASH', value: 50 } },
  { code: 'NEXT', colors: TEAL, weight: 260 },
  { code: 'CASH20', colors: PALE, weight: 120, prize: { kind: 'CASH', value: 20 } },
  { code: 'BONUS100', colors: DEEP, weight: 50, prize: { kind: 'BONUS', value: 100 } },
  { code: 'CASH500', colors: GOLD, weight: 2, stock: 20, prize: { kind: 'CASH', value: 500 } },
  { code: 'UMBRELLA', colors: TEAL, weight: 8, stock: 100, prize: { kind: 'ITEM', value: 150 } },
];

const COUPON_DAYS = 14;
const RUN = { success: 200, fail: 10, days: 30 };
/** Kip per baht in the demo data. */
const RATE: Record<Currency, number> = { BAHT: 1, LAK: 700 };
const SYMBOL: Record<Currency, string> = { BAHT: '฿', LAK: '₭' };
const UNIT: Record<Currency, LocalizedText> = {
  BAHT: { th: 'บาท', la: 'ບາດ', en: 'baht' },
  LAK: { th: 'กีบ', la: 'ກີບ', en: 'kip' },
};

const BLANK: LocalizedText = { th: 'ไม่ได้รางวัล', la: 'ບໍ່ໄດ້ລາງວັນ', en: 'No prize' };
const UMBRELLA: LocalizedText = { th: 'ร่ม', la: 'ຄັນຮົ່ມ', en: 'Umbrella' };

const each = (text: (language: keyof LocalizedText) => string): LocalizedText => ({
  th: text('th'),
  la: text('la'),
  en: text('en'),
});

/** Label of a slice, name of its prize and the text shown when it is won. */
function textsOf(
  { prize }: Slice,
  currency: Currency,
): { label: LocalizedText; name: LocalizedText; html: LocalizedText } {
  if (!prize) return { label: BLANK, name: BLANK, html: { th: '', la: '', en: '' } };
  const prizeText: LocalizedText = {
    th: '<p>คูปองอยู่ด้านล่างวงล้อ รับได้ภายใน 14 วัน</p>',
    la: '<p>ຄູປອງຢູ່ລຸ່ມວົງລໍ້. ຮັບໄດ້ພາຍໃນ 14 ມື້</p>',
    en: '<p>Your coupon is below the wheel. Claim it within 14 days.</p>',
  };
  const { kind } = prize;
  if (kind === 'ITEM') return { label: UMBRELLA, name: UMBRELLA, html: prizeText };
  if (kind === 'COIN') {
    const name: LocalizedText = { th: '1 เหรียญ', la: '1 ຫຼຽນ', en: '1 coin' };
    return { label: name, name, html: prizeText };
  }
  const sum = (prize.value * RATE[currency]).toLocaleString('en-US');
  const bonus: LocalizedText = { th: 'โบนัส', la: 'ໂບນັດ', en: 'Bonus' };
  const cash: LocalizedText = { th: 'เงินสด', la: 'ເງິນສົດ', en: 'Cash' };
  const text = kind === 'BONUS' ? bonus : cash;
  return {
    label: each((language) => (kind === 'BONUS' ? `${bonus[language]} ${sum}` : `${SYMBOL[currency]}${sum}`)),
    name: each((language) => `${text[language]} ${sum} ${UNIT[currency][language]}`),
    html: prizeText,
  };
}

async function addPrize(pool: Pool, slice: Slice, currency: Currency, now: Date): Promise<bigint | null> {
  if (!slice.prize) return null;
  const { kind, value } = slice.prize;
  const minor = kind === 'COIN' ? value : value * RATE[currency] * 10 ** CURRENCY_DECIMALS[currency];
  const run = kind === 'BONUS' ? RUN : { success: 0, fail: 0, days: RUN.days };
  const { rows } = await pool.query(
    `insert into prize (currency, kind, name, value, success_percent, fail_percent, run_days, coupon_days, fingerprint, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      currency,
      kind,
      JSON.stringify(textsOf(slice, currency).name),
      minor,
      run.success,
      run.fail,
      run.days,
      COUPON_DAYS,
      `demo ${currency} ${slice.code}`,
      now,
    ],
  );
  return rows[0]!.id;
}

async function addWheel(pool: Pool, currency: Currency, now: Date): Promise<void> {
  const name: LocalizedText = { th: 'วงล้อนำโชค', la: 'ວົງລໍ້ນຳໂຊກ', en: 'Lucky wheel' };
  const { rows } = await pool.query(
    `insert into wheel (currency, state, version, latest, changed_by, changed_at)
     values ($1, 'OPEN', 1, 1, 'demo', $2) returning id`,
    [currency, now],
  );
  const id = rows[0]!.id;
  await pool.query(
    `insert into wheel_version (wheel_id, version, name, cost_per_spin, made_by, made_at, published_at)
     values ($1, 1, $2, 1, 'demo', $3, $3)`,
    [id, JSON.stringify(name), now],
  );
  for (const [position, slice] of SLICES.entries()) {
    const { label, html } = textsOf(slice, currency);
    await pool.query(
      `insert into wheel_slice (wheel_id, version, position, code, label, bg_color, text_color, html, weight, prize_id, stock)
       values ($1, 1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        id,
        position,
        slice.code,
        JSON.stringify(label),
        ...slice.colors,
        JSON.stringify(html),
        slice.weight,
        await addPrize(pool, slice, currency, now),
        slice.stock ?? null,
      ],
    );
  }
}

const COINS = 5n;

/** Publishes a wheel for each currency, switches it on and gives every member coins to spin it. */
export async function seedWheel({ pool, clock, ledger, systemAccount }: DemoWheelDeps): Promise<void> {
  const now = clock.now();
  await addWheel(pool, 'BAHT', now);
  await addWheel(pool, 'LAK', now);
  await inTransaction(pool, async (tx) => {
    await changeSetting(tx, 'wheel.active', true, now);
  });
  const issue = await systemAccount('coin_issue', 'COIN');
  const { rows } = await pool.query('select id, coin_account from member');
  for (const { id, coin_account } of rows)
    await ledger.post({
      reference: `coins:demo:${id}`,
      kind: 'coin_grant',
      memberId: id,
      legs: [{ from: issue, to: coin_account, amountMinor: COINS }],
    });
}
