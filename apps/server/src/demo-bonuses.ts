import type { LocalizedText } from '@krapao/contract/shared';
import { columnsOf, saveBonus } from './features/bonuses/read.ts';
import type { Pool } from './platform/database/db.ts';

type Terms = Parameters<typeof columnsOf>[0];

const texts = (th: string, la: string, en: string): LocalizedText => ({ th, la, en });
const paragraphs = ({ th, la, en }: LocalizedText): LocalizedText =>
  texts(`<p>${th}</p>`, `<p>${la}</p>`, `<p>${en}</p>`);

/** A banner: a line, the offer in large letters and a line below, in three languages. */
function banner(
  art: string,
  lines: readonly [LocalizedText, LocalizedText, LocalizedText],
): Terms['banners'][number] {
  const html = (language: keyof LocalizedText) => {
    const [over, offer, under] = lines.map((line) => line[language]);
    return `<p>${over}</p><h3>${offer}</h3><p>${under}</p>`;
  };
  return { image: `/art/bonus-${art}.svg`, html: texts(html('th'), html('la'), html('en')) };
}

const USUAL = {
  kind: 'bonus',
  currency: 'BAHT',
  successPercent: 200,
  failPercent: 10,
  turnoverTimes: 0,
  games: null,
  withdrawMost: null,
  days: 30,
  countBy: 'limit',
  maxReceived: 1,
  quota: null,
  isOpen: true,
  startsAt: null,
  endsAt: null,
} as const;

const ONCE_A_DAY = { countBy: 'day', maxReceived: 1 } as const;

const SAFE = texts('เล่นอย่างมีสติ', 'ຫຼິ້ນຢ່າງມີສະຕິ', 'Play within your means');

/** Bonuses in baht: one of each kind of award, of counting and of terms. */
const BONUSES: Terms[] = [
  {
    ...USUAL,
    code: 'WELCOME50',
    title: texts('โบนัสต้อนรับ', 'ໂບນັດຕ້ອນຮັບ', 'Welcome bonus'),
    description: paragraphs(
      texts(
        'ฝากครั้งแรกตั้งแต่ 100 บาท รับเพิ่มครึ่งหนึ่งของยอดฝาก สูงสุด 1,000 บาท ใช้ได้ทุกเกม',
        'ຝາກຄັ້ງທຳອິດຕັ້ງແຕ່ 100 ບາດ ຮັບເພີ່ມເຄິ່ງໜຶ່ງຂອງຍອດຝາກ ສູງສຸດ 1,000 ບາດ ໃຊ້ໄດ້ທຸກເກມ',
        'Deposit 100 baht or more for the first time and get half of it on top, up to 1,000 baht. Good for every game.',
      ),
    ),
    banners: [
      banner('welcome', [
        texts('ฝากครั้งแรก', 'ຝາກຄັ້ງທຳອິດ', 'First deposit'),
        texts('รับเพิ่ม 50%', 'ຮັບເພີ່ມ 50%', 'Get 50% more'),
        texts('สูงสุด 1,000 บาท', 'ສູງສຸດ 1,000 ບາດ', 'Up to 1,000 baht'),
      ]),
      banner('coins', [
        texts('ใช้ได้ทุกเกม', 'ໃຊ້ໄດ້ທຸກເກມ', 'For every game'),
        texts('ไม่จำกัดยอดถอน', 'ບໍ່ຈຳກັດຍອດຖອນ', 'Withdraw it all'),
        SAFE,
      ]),
    ],
    award: { percent: 50, most: 1000 },
    deposit: { least: 100, most: null },
  },
  {
    ...USUAL,
    ...ONCE_A_DAY,
    code: 'DAILY10',
    title: texts('ฝากแรกของวัน', 'ຝາກທຳອິດຂອງມື້', 'First deposit of the day'),
    description: paragraphs(
      texts(
        'รับได้วันละครั้ง เริ่มนับใหม่ทุกเที่ยงคืน',
        'ຮັບໄດ້ມື້ລະຄັ້ງ ເລີ່ມນັບໃໝ່ທຸກທ່ຽງຄືນ',
        'Once a day; the count starts again at midnight.',
      ),
    ),
    banners: [
      banner('daily', [
        texts('ฝากครั้งแรกของวัน', 'ຝາກຄັ້ງທຳອິດຂອງມື້', 'First deposit of the day'),
        texts('รับเพิ่ม 10%', 'ຮັບເພີ່ມ 10%', 'Get 10% more'),
        texts('สูงสุด 300 บาท', 'ສູງສຸດ 300 ບາດ', 'Up to 300 baht'),
      ]),
    ],
    award: { percent: 10, most: 300 },
    deposit: { least: 100, most: null },
  },
  {
    ...USUAL,
    code: 'WEEKLY20',
    title: texts('สุดสัปดาห์', 'ທ້າຍອາທິດ', 'Weekend'),
    description: paragraphs(
      texts(
        'รับได้สัปดาห์ละครั้ง นับจากวันจันทร์ ถอนได้เมื่อยอดถึง 1.5 เท่า',
        'ຮັບໄດ້ອາທິດລະຄັ້ງ ນັບຈາກວັນຈັນ ຖອນໄດ້ເມື່ອຍອດຮອດ 1.5 ເທົ່າ',
        'Once a week from Monday. Withdraw when your balance is one and a half times the start.',
      ),
    ),
    banners: [
      banner('weekend', [
        texts('สัปดาห์ละครั้ง', 'ອາທິດລະຄັ້ງ', 'Once a week'),
        texts('รับเพิ่ม 20%', 'ຮັບເພີ່ມ 20%', 'Get 20% more'),
        texts('สูงสุด 500 บาท', 'ສູງສຸດ 500 ບາດ', 'Up to 500 baht'),
      ]),
    ],
    award: { percent: 20, most: 500 },
    deposit: { least: 300, most: null },
    successPercent: 150,
    countBy: 'week',
  },
  {
    ...USUAL,
    code: 'MATCHDAY',
    title: texts('วันแข่งใหญ่', 'ວັນແຂ່ງໃຫຍ່', 'Match day'),
    description: paragraphs(
      texts(
        'สำหรับกีฬาเท่านั้น ทำยอดเทิร์นครบ 5 เท่าแล้วถอนได้',
        'ສຳລັບກິລາເທົ່ານັ້ນ ເຮັດຍອດຫຼິ້ນຄົບ 5 ເທົ່າແລ້ວຖອນໄດ້',
        'For sport only. Bet five times the starting amount, then withdraw.',
      ),
    ),
    banners: [
      banner('sport', [
        texts('เฉพาะกีฬา', 'ສະເພາະກິລາ', 'Sport only'),
        texts('รับเพิ่ม 15%', 'ຮັບເພີ່ມ 15%', 'Get 15% more'),
        texts('สูงสุด 400 บาท', 'ສູງສຸດ 400 ບາດ', 'Up to 400 baht'),
      ]),
    ],
    award: { percent: 15, most: 400 },
    deposit: { least: 200, most: 5000 },
    successPercent: 0,
    turnoverTimes: 5,
    games: { imi: 100, usun: 100, askmebet: 50 },
    countBy: 'week',
    maxReceived: 3,
  },
  {
    ...USUAL,
    code: 'HARVEST50',
    title: texts('เก็บเกี่ยวประจำสัปดาห์', 'ເກັບກ່ຽວປະຈຳອາທິດ', 'Weekly harvest'),
    description: paragraphs(
      texts(
        'ฝากตั้งแต่ 200 บาท รับ 50 บาท ทำยอดเทิร์นครบ 3 เท่าและยอดถึง 1.2 เท่าแล้วถอนได้',
        'ຝາກຕັ້ງແຕ່ 200 ບາດ ຮັບ 50 ບາດ ເຮັດຍອດຫຼິ້ນຄົບ 3 ເທົ່າ ແລະ ຍອດຮອດ 1.2 ເທົ່າແລ້ວຖອນໄດ້',
        'Deposit 200 baht or more and get 50. Bet three times the starting amount and reach 1.2 times it, then withdraw.',
      ),
    ),
    banners: [
      banner('harvest', [
        texts('ฝาก 200 บาทขึ้นไป', 'ຝາກ 200 ບາດຂຶ້ນໄປ', 'Deposit 200 or more'),
        texts('รับ 50 บาท', 'ຮັບ 50 ບາດ', 'Get 50 baht'),
        texts('สัปดาห์ละ 2 ครั้ง', 'ອາທິດລະ 2 ຄັ້ງ', 'Twice a week'),
      ]),
    ],
    award: { fixed: 50 },
    deposit: { least: 200, most: null },
    successPercent: 120,
    turnoverTimes: 3,
    countBy: 'week',
    maxReceived: 2,
  },
  {
    ...USUAL,
    ...ONCE_A_DAY,
    code: 'NIGHT20',
    title: texts('เรือคืนเดือนหงาย', 'ເຮືອຄືນເດືອນແຈ້ງ', 'Moonlight boat'),
    description: paragraphs(
      texts(
        'รับ 20 บาท ไม่ต้องฝาก ถอนได้เมื่อยอดถึง 100 บาท สูงสุด 200 บาท',
        'ຮັບ 20 ບາດ ບໍ່ຕ້ອງຝາກ ຖອນໄດ້ເມື່ອຍອດຮອດ 100 ບາດ ສູງສຸດ 200 ບາດ',
        'Get 20 baht without a deposit. Withdraw when you reach 100 baht, 200 at most.',
      ),
    ),
    banners: [
      banner('night', [
        texts('ไม่ต้องฝาก', 'ບໍ່ຕ້ອງຝາກ', 'No deposit needed'),
        texts('รับ 20 บาท', 'ຮັບ 20 ບາດ', 'Get 20 baht'),
        texts('วันละครั้ง', 'ມື້ລະຄັ້ງ', 'Once a day'),
      ]),
    ],
    award: { fixed: 20 },
    deposit: null,
    successPercent: 500,
    failPercent: 0,
    withdrawMost: 200,
    days: 7,
  },
  {
    ...USUAL,
    ...ONCE_A_DAY,
    code: 'KITE10',
    title: texts('ว่าวลมดี', 'ວ່າວລົມດີ', 'Fair wind'),
    description: paragraphs(
      texts(
        'ฝากครบ 500 บาท รับ 10 บาท ไม่มีเงื่อนไข ถอนได้ทันที',
        'ຝາກຄົບ 500 ບາດ ຮັບ 10 ບາດ ບໍ່ມີເງື່ອນໄຂ ຖອນໄດ້ທັນທີ',
        'Deposit 500 baht and get 10 baht with no conditions. Withdraw it right away.',
      ),
    ),
    banners: [
      banner('kite', [
        texts('ไม่มีเงื่อนไข', 'ບໍ່ມີເງື່ອນໄຂ', 'No conditions'),
        texts('รับ 10 บาท', 'ຮັບ 10 ບາດ', 'Get 10 baht'),
        texts('ถอนได้ทันที', 'ຖອນໄດ້ທັນທີ', 'Withdraw any time'),
      ]),
    ],
    award: { fixed: 10 },
    deposit: { least: 500, most: null },
    successPercent: 0,
    failPercent: 0,
  },
  {
    ...USUAL,
    code: 'LOTTO30',
    title: texts('เลขเด็ดวันหวยออก', 'ເລກເດັດວັນຫວຍອອກ', 'Draw day'),
    description: paragraphs(
      texts(
        'สำหรับหวยเท่านั้น รับ 30 บาทเมื่อฝากตั้งแต่ 150 บาท',
        'ສຳລັບຫວຍເທົ່ານັ້ນ ຮັບ 30 ບາດເມື່ອຝາກຕັ້ງແຕ່ 150 ບາດ',
        'For the lottery only: 30 baht on a deposit of 150 or more.',
      ),
    ),
    banners: [
      banner('lotto', [
        texts('เฉพาะหวย', 'ສະເພາະຫວຍ', 'Lottery only'),
        texts('รับ 30 บาท', 'ຮັບ 30 ບາດ', 'Get 30 baht'),
        texts('ฝาก 150 บาทขึ้นไป', 'ຝາກ 150 ບາດຂຶ້ນໄປ', 'Deposit 150 or more'),
      ]),
    ],
    award: { fixed: 30 },
    deposit: { least: 150, most: null },
    successPercent: 0,
    turnoverTimes: 2,
    games: { huayhd: 100 },
    countBy: 'week',
    maxReceived: 2,
  },
];

const PROMOTION = { ...USUAL, kind: 'promotion' } as const;

/** Promotions, found only by their codes. */
const PROMOTIONS: Terms[] = [
  {
    ...PROMOTION,
    code: 'KRAPAO88',
    title: texts('ของขวัญ 88 บาท', 'ຂອງຂວັນ 88 ບາດ', 'A gift of 88 baht'),
    description: paragraphs(
      texts(
        'รับ 88 บาท ไม่ต้องฝาก ถอนได้เมื่อยอดถึง 264 บาท สูงสุด 500 บาท จำกัด 1,000 คน',
        'ຮັບ 88 ບາດ ບໍ່ຕ້ອງຝາກ ຖອນໄດ້ເມື່ອຍອດຮອດ 264 ບາດ ສູງສຸດ 500 ບາດ ຈຳກັດ 1,000 ຄົນ',
        'Get 88 baht without a deposit. Withdraw when you reach 264 baht, 500 at most. For the first 1,000 members.',
      ),
    ),
    banners: [],
    award: { fixed: 88 },
    deposit: null,
    successPercent: 300,
    withdrawMost: 500,
    quota: 1000,
  },
  {
    ...PROMOTION,
    code: 'FRIEND100',
    title: texts('เพื่อนชวน 100%', 'ໝູ່ຊວນ 100%', 'Double for friends'),
    description: paragraphs(
      texts(
        'ฝาก 100 ถึง 500 บาท รับเพิ่มเท่าตัว ทำยอดเทิร์นครบ 3 เท่าแล้วถอนได้',
        'ຝາກ 100 ຫາ 500 ບາດ ຮັບເພີ່ມເທົ່າຕົວ ເຮັດຍອດຫຼິ້ນຄົບ 3 ເທົ່າແລ້ວຖອນໄດ້',
        'Deposit 100 to 500 baht and get as much again. Bet three times the starting amount, then withdraw.',
      ),
    ),
    banners: [
      banner('friend', [
        texts('สำหรับเพื่อนใหม่', 'ສຳລັບໝູ່ໃໝ່', 'For new friends'),
        texts('รับเพิ่ม 100%', 'ຮັບເພີ່ມ 100%', 'Get 100% more'),
        texts('สูงสุด 500 บาท', 'ສູງສຸດ 500 ບາດ', 'Up to 500 baht'),
      ]),
    ],
    award: { percent: 100, most: 500 },
    deposit: { least: 100, most: 500 },
    successPercent: 0,
    turnoverTimes: 3,
    quota: 200,
  },
  {
    ...PROMOTION,
    code: 'MEKONG20',
    title: texts('น้ำใจริมโขง', 'ນ້ຳໃຈແຄມຂອງ', 'From the Mekong'),
    description: paragraphs(
      texts(
        'รับ 20 บาทเข้ากระเป๋า ไม่มีเงื่อนไข',
        'ຮັບ 20 ບາດເຂົ້າກະເປົາ ບໍ່ມີເງື່ອນໄຂ',
        'Get 20 baht in your wallet, with no conditions.',
      ),
    ),
    banners: [],
    award: { fixed: 20 },
    deposit: null,
    successPercent: 0,
    failPercent: 0,
    quota: 5000,
  },
];

/** Kip per baht in the demo data. */
export const KIP = 700;
const inKip = (amount: number | null) => amount && amount * KIP;

/** Converts bonuses to kip for members in Laos, without texts that name amounts. */
function toKip(terms: Terms): Terms {
  const { award, deposit } = terms;
  const name = terms.title;
  return {
    ...terms,
    code: `${terms.code}LAK`,
    currency: 'LAK',
    description: texts('', '', ''),
    banners: terms.banners.slice(0, 1).map(({ image }) => ({
      image,
      html: texts(`<h3>${name.th}</h3>`, `<h3>${name.la}</h3>`, `<h3>${name.en}</h3>`),
    })),
    award:
      'fixed' in award ? { fixed: award.fixed * KIP } : { percent: award.percent, most: inKip(award.most) },
    deposit: deposit && { least: deposit.least * KIP, most: inKip(deposit.most) },
    withdrawMost: inKip(terms.withdrawMost),
  };
}

/** Publishes the demo bonuses and promotions. */
export async function seedBonuses(pool: Pool, now: Date): Promise<void> {
  const all = [...BONUSES, ...PROMOTIONS, ...BONUSES.map(toKip)];
  for (const terms of all) await saveBonus(pool, columnsOf(terms), { by: 'demo', now });
}
