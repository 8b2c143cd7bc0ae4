/** How pages write money, times and numbers. */
import { type Language, minorToDecimal } from '@krapao/contract/shared';
import { currencyOf } from '../bank/accounts.ts';
import { type Html, html } from './html.ts';

const LOCALES: Record<Language, string> = { th: 'th-TH', la: 'lo-LA', en: 'en-GB' };
const ZONE = { timeZone: 'Asia/Bangkok' } as const;

/** 123450n → "1,234.50" */
export function moneyText(minor: bigint): string {
  const [whole, fraction] = minorToDecimal(minor, 2).split('.');
  return `${whole!.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}

/** Money with its decimals set smaller; `sign` also marks what came in. */
export function money(minor: bigint, { symbol = '', sign = false } = {}): Html {
  const [whole, fraction] = moneyText(minor < 0n ? -minor : minor).split('.');
  const mark = minor < 0n ? '−' : sign && minor > 0n ? '+' : '';
  return html`<span class="num">${mark}${symbol}${whole}<span class="dec">.${fraction}</span></span>`;
}

/** The currency sign of an account. */
export const symbolOf = (account: { bankCode: string }): string =>
  currencyOf(account) === 'LAK' ? '₭' : '฿';

/** "14:32" in Bangkok. */
export const timeText = (ms: number): string =>
  new Intl.DateTimeFormat('en-GB', { ...ZONE, hour: '2-digit', minute: '2-digit' }).format(ms);

/** "14:32:05" in Bangkok. */
export const secondText = (ms: number): string =>
  new Intl.DateTimeFormat('en-GB', { ...ZONE, hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(
    ms,
  );

/** "21/11/2026" in Bangkok, Gregorian in every language. */
export const dateText = (ms: number): string =>
  new Intl.DateTimeFormat('en-GB', { ...ZONE, day: '2-digit', month: '2-digit', year: 'numeric' }).format(ms);

export const dateTimeText = (ms: number): string => `${dateText(ms)} ${timeText(ms)}`;

/** A whole number with separators. */
export const countText = (count: number, lang: Language): string =>
  new Intl.NumberFormat(LOCALES[lang], { numberingSystem: 'latn', useGrouping: true }).format(count);

/** "081 555 0142"; Lao mobile numbers "020 5555 0142". */
export const phoneText = (phone: string): string =>
  phone.length === 11
    ? phone.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1 $2 $3')
    : phone.replace(/^(\d{3})(\d{3})(\d+)$/, '$1 $2 $3');

/** The first character a name is known by; leading vowels of Thai and Lao are skipped. */
export const initialOf = (name: string): string => /[^\sเแโใไເແໂໃໄ]/u.exec(name)?.[0]?.toUpperCase() ?? '?';

/** lo when a text has Lao letters, so that a browser picks the right face and line breaks. */
export const langOf = (text: string): string =>
  /[\u0E80-\u0EFF]/.test(text) ? 'lo' : /[\u0E00-\u0E7F]/.test(text) ? 'th' : 'en';
