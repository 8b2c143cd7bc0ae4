/** How banks print who sent money: masked accounts, names with titles and cut short. */
import { findBank, MOBILE_WALLET } from '../environment/banks.ts';
import { type Account, COMPANY_OWNER } from '../environment/state.ts';

const THAI_TITLES = ['นาย', 'นาง', 'น.ส.'] as const;
const LATIN_TITLES = ['MR.', 'MRS.', 'MISS'] as const;
const HIDDEN = 'x';

/**
 * "1234567890" as xxx-x-x6789-x; twelve digits keep their length in front. `fewer` leaves two digits, too few to tell
 * anybody by.
 */
export function maskedAccount(accountNo: string, fewer = false): string {
  const seen = fewer ? [-3, -1] : [-5, -1];
  const at = (index: number) => index - accountNo.length;
  const shown = [...accountNo]
    .map((digit, index) => (at(index) >= seen[0]! && at(index) < seen[1]! ? digit : HIDDEN))
    .join('');
  const tail = shown.slice(-10);
  const grouped = `${tail.slice(0, 3)}-${tail.slice(3, 4)}-${tail.slice(4, 9)}-${tail.slice(9)}`;
  return shown.length > 10 ? `${shown.slice(0, -10)}${grouped}` : grouped;
}

/** A wallet's number as statements print it: 081-xxx-0142; `fewer` leaves the last two digits. */
const maskedPhone = (phone: string, fewer: boolean): string =>
  fewer ? `xxx-xxx-xx${phone.slice(-2)}` : `${phone.slice(0, 3)}-xxx-${phone.slice(-4)}`;

/** The sender's number as a statement prints it, by the account's key `BANK:number`. */
export function printedAccount(key: string, fewer: boolean): string {
  const [bankCode = '', accountNo = ''] = key.split(':');
  return bankCode === MOBILE_WALLET.code ? maskedPhone(accountNo, fewer) : maskedAccount(accountNo, fewer);
}

/** "ธนาคาร กรุงเทพ" as "นาย ธนาคาร ก": a title, the first name, one letter of the family name. */
export function printedName(account: Account): string {
  const [first = '', ...rest] = account.name.trim().split(/\s+/);
  const thai = /\p{Script=Thai}/u.test(account.name);
  const lao = /\p{Script=Lao}/u.test(account.name);
  const titles = thai ? THAI_TITLES : LATIN_TITLES;
  const title =
    lao || account.ownerId === COMPANY_OWNER ? '' : titles[Number(account.accountNo.at(-1)) % titles.length];
  const family = rest.join(' ');
  const cut = account.ownerId === COMPANY_OWNER ? family : [...family].slice(0, 1).join('');
  return [title, first, cut].filter(Boolean).join(' ');
}

/** The BOT code banks name each other by; the short code in Laos, which has none. */
export const bankOnWire = (bankCode: string): string => findBank(bankCode)?.bot ?? bankCode;
