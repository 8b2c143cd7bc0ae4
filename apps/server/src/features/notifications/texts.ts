import {
  type Currency,
  fromMinor,
  type Language,
  type LocalizedText,
  languageTag,
} from '@krapao/contract/shared';
import { deviceOf } from '../sessions/read.ts';
import type { NotificationKind, NotificationRow, NotificationStatus } from './queries.ts';

const KIND_TITLES: Record<Exclude<NotificationKind, 'withdraw' | 'bonus'>, LocalizedText> = {
  deposit: { th: 'เงินเข้าแล้ว', la: 'ເງິນເຂົ້າແລ້ວ', en: 'Money has arrived' },
  chat: { th: 'เจ้าหน้าที่ตอบคุณแล้ว', la: 'ພະນັກງານຕອບທ່ານແລ້ວ', en: 'Support replied' },
  login: {
    th: 'มีการเข้าสู่ระบบจากอุปกรณ์ใหม่',
    la: 'ມີການເຂົ້າສູ່ລະບົບຈາກອຸປະກອນໃໝ່',
    en: 'Login from a new device',
  },
};
const WITHDRAW_TITLES: Record<'SUCCESS' | 'FAILED', LocalizedText> = {
  SUCCESS: { th: 'ถอนเงินสำเร็จ', la: 'ຖອນເງິນສຳເລັດ', en: 'Withdrawal paid' },
  FAILED: { th: 'ถอนเงินไม่สำเร็จ', la: 'ຖອນເງິນບໍ່ສຳເລັດ', en: 'Withdrawal failed' },
};
const BONUS_TITLES: Record<NotificationStatus, LocalizedText> = {
  SUCCESS: { th: 'ทำโบนัสครบเงื่อนไขแล้ว', la: 'ເຮັດໂບນັດຄົບເງື່ອນໄຂແລ້ວ', en: 'Bonus conditions met' },
  FAILED: { th: 'โบนัสสิ้นสุดแล้ว', la: 'ໂບນັດສິ້ນສຸດແລ້ວ', en: 'Bonus ended' },
  FORFEITED: { th: 'สละโบนัสแล้ว', la: 'ສະຫຼະໂບນັດແລ້ວ', en: 'Bonus given up' },
  EXPIRED: { th: 'โบนัสหมดเวลาแล้ว', la: 'ໂບນັດໝົດເວລາແລ້ວ', en: 'Bonus expired' },
};
const MONEY_BODIES: Record<'deposit' | 'SUCCESS' | 'FAILED', LocalizedText> = {
  deposit: {
    th: '{amount} เข้ากระเป๋าแล้ว',
    la: '{amount} ເຂົ້າກະເປົາແລ້ວ',
    en: '{amount} is in your wallet.',
  },
  SUCCESS: {
    th: 'โอน {amount} เข้าบัญชีธนาคารแล้ว',
    la: 'ໂອນ {amount} ເຂົ້າບັນຊີທະນາຄານແລ້ວ',
    en: '{amount} has been sent to your bank account.',
  },
  FAILED: {
    th: 'คืน {amount} เข้ากระเป๋าแล้ว',
    la: 'ຄືນ {amount} ເຂົ້າກະເປົາແລ້ວ',
    en: '{amount} is back in your wallet.',
  },
};
const HIDDEN: LocalizedText = {
  th: 'แตะเพื่อดูรายการ',
  la: 'ແຕະເພື່ອເບິ່ງລາຍການ',
  en: 'Tap to see the transaction.',
};
const CHAT_BODY: LocalizedText = { th: 'แตะเพื่ออ่านคำตอบ', la: 'ແຕະເພື່ອອ່ານຄຳຕອບ', en: 'Tap to read it.' };
const LOGIN_BODY: LocalizedText = {
  th: 'หากไม่ใช่คุณ แตะเพื่อนำเครื่องนั้นออกจากระบบ',
  la: 'ຖ້າບໍ່ແມ່ນທ່ານ ແຕະເພື່ອນຳເຄື່ອງນັ້ນອອກຈາກລະບົບ',
  en: 'If it wasn’t you, tap to log that device out.',
};
const SIGNS: Record<Currency, string> = { BAHT: '฿', LAK: '₭' };

/** The readable name of a device by its user agent; null without one. */
export function deviceName(userAgent: string | null): string | null {
  const { browser, system } = deviceOf(userAgent);
  return [browser, system].filter(Boolean).join(' · ') || null;
}

function titleOf({ kind, status }: NotificationRow): LocalizedText {
  if (kind === 'withdraw') return WITHDRAW_TITLES[status === 'SUCCESS' ? 'SUCCESS' : 'FAILED'];
  return kind === 'bonus' ? BONUS_TITLES[status ?? 'FAILED'] : KIND_TITLES[kind];
}

function moneyBody(row: NotificationRow & Holder, language: Language): string {
  if (row.hides_amounts || row.amount === null) return HIDDEN[language];
  const figure = fromMinor(row.amount, row.currency).toLocaleString('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const which = row.kind === 'deposit' ? 'deposit' : row.status === 'SUCCESS' ? 'SUCCESS' : 'FAILED';
  return MONEY_BODIES[which][language].replace('{amount}', `${SIGNS[row.currency]}${figure}`);
}

function bodyOf(row: NotificationRow & Holder, language: Language): string {
  if (row.kind === 'chat') return CHAT_BODY[language];
  if (row.kind === 'bonus') return row.name ?? '';
  if (row.kind !== 'login') return moneyBody(row, language);
  return [deviceName(row.name), LOGIN_BODY[language]].filter(Boolean).join(' – ');
}

interface Holder {
  currency: Currency;
  hides_amounts: boolean;
}

/** Where each kind leads in the member app; `open` names the sheet over the page. */
function placeOf({ kind, subject }: NotificationRow): string {
  if (kind === 'bonus') return '/user/bonus';
  if (kind === 'chat') return '/user/home?open=chat';
  if (kind === 'login') return '/user/profile?open=devices';
  return `/user/statement?open=receipt&arg=${encodeURIComponent(subject)}`;
}

/** What a browser shows of a notification, in its language. Contains no text of a conversation, and no amount for members who hide amounts. */
export const pushPayload = (row: NotificationRow & Holder, language: Language) => ({
  id: String(row.id),
  title: titleOf(row)[language],
  body: bodyOf(row, language),
  url: placeOf(row),
  lang: languageTag(language),
  at: row.created_at.getTime(),
});
