/** How a demo member behaves: what they usually deposit, by which channel, what they play and how often they come. */
export interface Persona {
  name: string;
  phone: string;
  bankCode: string;
  accountNo: string;
  accountName: string;
  /** Address and browser their calls come from. */
  address: string;
  browser: string;
  /** Visits of a week. */
  visits: number;
  /** Usual deposit in baht. */
  deposit: number;
  channel: 'qr' | 'transfer' | 'slip' | 'gift';
  /** Codes of games. */
  games: readonly string[];
  /** When they registered: a fraction of the whole history. */
  since: number;
  /** Position of who invited them. */
  invitedBy?: number;
}

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Mobile Safari/604.1';
const DESKTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

type Row = readonly [
  name: string,
  bankCode: string,
  accountName: string,
  visits: number,
  deposit: number,
  channel: Persona['channel'],
  games: readonly string[],
  since: number,
  invitedBy?: number,
];

const ROWS: readonly Row[] = [
  ['มาลี ศรีสุข', 'KBANK', 'MALEE SRISUK', 3, 300, 'qr', ['betflix', 'pg'], 0],
  ['กมล ทองดี', 'SCB', 'KAMOL THONGDEE', 2, 500, 'transfer', ['slotracha', 'imi'], 0],
  ['อนันต์ วงศ์ชัย', 'BBL', 'ANAN WONGCHAI', 2, 1000, 'qr', ['imi', 'usun'], 2],
  ['พรทิพย์ แก้วมณี', 'KTB', 'PORNTHIP KAEWMANEE', 4, 200, 'qr', ['pg', 'pgslot'], 4, 0],
  ['วีระ สุขเกษม', 'KBANK', 'WEERA SUKKASEM', 1, 2000, 'transfer', ['areaslot'], 7],
  ['ศิริพร จันทร์เพ็ญ', 'GSB', 'SIRIPORN CHANPHEN', 2, 150, 'gift', ['circus', 'betflix'], 10, 0],
  ['ณัฐพล อินทร์แก้ว', 'SCB', 'NATTHAPHON INKAEW', 2, 400, 'slip', ['joker2', 'askmebet'], 14],
  ['สุดา บุญมา', 'KBANK', 'SUDA BOONMA', 2, 250, 'qr', ['huayhd'], 19, 3],
  ['ธนา รุ่งเรือง', 'BAY', 'THANA RUNGRUANG', 1, 5000, 'transfer', ['imi', 'areaslot'], 24],
  ['คำแพง พมมะจัน', 'KBANK', 'KHAMPHAENG PHOMMACHAN', 2, 300, 'qr', ['slotracha'], 30, 1],
  ['จิราพร แสงทอง', 'KTB', 'JIRAPORN SAENGTHONG', 3, 350, 'qr', ['betflix', 'pgslot'], 37],
  ['ปรีชา มีทรัพย์', 'BBL', 'PREECHA MEESAP', 2, 800, 'transfer', ['usun', 'askmebet'], 45, 7],
];

/** Members of a demo installation in baht. Names, numbers and addresses are invented. */
export const POPULATION: readonly Persona[] = ROWS.map(
  ([name, bankCode, accountName, visits, deposit, channel, games, since, invitedBy], at) => ({
    name,
    bankCode,
    accountName,
    visits,
    deposit,
    channel,
    games,
    since: since / 60,
    ...(invitedBy === undefined ? {} : { invitedBy }),
    phone: `08155502${String(at + 10)}`,
    accountNo:
      bankCode === 'GSB'
        ? `0204567${String(at * 7919 + 10000).slice(-5)}`
        : `60${String(12345678 + at * 1010101)}`,
    address: `49.228.${10 + at}.${20 + at * 3}`,
    browser: [PHONE, IPHONE, DESKTOP][at % 3]!,
  }),
);
