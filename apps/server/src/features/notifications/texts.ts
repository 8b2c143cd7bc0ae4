import {
  type Currency,
  fromMinor,
  type Language,
  type LocalizedText,
  languageTag,
} from '@krapao/contract/shared';
import { hasPrefix } from '../../platform/ids.ts';
import { deviceOf } from '../sessions/read.ts';
import type { NotificationKind, NotificationRow, NotificationStatus } from './queries.ts';

const KIND_TITLES: Record<
  Exclude<NotificationKind, 'withdraw' | 'bonus' | 'kyc' | 'account'>,
  LocalizedText
> = {
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
const RETURN_TITLE: LocalizedText = {
  th: 'ธนาคารโอนเงินถอนคืน',
  la: 'ທະນາຄານໂອນເງິນຖອນຄືນ',
  en: 'Withdrawal returned by the bank',
};
const BONUS_TITLES: Record<NotificationStatus, LocalizedText> = {
  SUCCESS: { th: 'โบนัสครบเงื่อนไขแล้ว', la: 'ໂບນັດຄົບເງື່ອນໄຂແລ້ວ', en: 'Bonus conditions met' },
  FAILED: { th: 'โบนัสจบแล้ว', la: 'ໂບນັດຈົບແລ້ວ', en: 'Bonus ended' },
  FORFEITED: { th: 'สละโบนัสแล้ว', la: 'ສະຫຼະໂບນັດແລ້ວ', en: 'Bonus given up' },
  EXPIRED: { th: 'โบนัสหมดเวลาแล้ว', la: 'ໂບນັດໝົດເວລາແລ້ວ', en: 'Bonus expired' },
};
const WHY: LocalizedText = { th: 'แตะเพื่อดูเหตุผล', la: 'ແຕະເພື່ອເບິ່ງເຫດຜົນ', en: 'Tap to see why.' };
/** The texts of a kind by its status; a request has none. */
type RequestTexts = Record<'SUCCESS' | 'FAILED' | 'requested', { title: LocalizedText; body: LocalizedText }>;
const KYC_TEXTS: RequestTexts = {
  SUCCESS: {
    title: { th: 'ยืนยันตัวตนแล้ว', la: 'ຢືນຢັນຕົວຕົນແລ້ວ', en: 'Identity verified' },
    body: {
      th: 'เอกสารของคุณผ่านการตรวจสอบแล้ว',
      la: 'ເອກະສານຂອງທ່ານຜ່ານການກວດສອບແລ້ວ',
      en: 'Your documents have been accepted.',
    },
  },
  FAILED: {
    title: { th: 'กรุณาส่งเอกสารอีกครั้ง', la: 'ກະລຸນາສົ່ງເອກະສານອີກຄັ້ງ', en: 'Please send your documents again' },
    body: WHY,
  },
  requested: {
    title: { th: 'กรุณายืนยันตัวตน', la: 'ກະລຸນາຢືນຢັນຕົວຕົນ', en: 'Please verify your identity' },
    body: { th: 'แตะเพื่อส่งรูปเอกสาร', la: 'ແຕະເພື່ອສົ່ງຮູບເອກະສານ', en: 'Tap to send photos of your documents.' },
  },
};
const ACCOUNT_TEXTS: RequestTexts = {
  SUCCESS: {
    title: { th: 'เปลี่ยนบัญชีธนาคารแล้ว', la: 'ປ່ຽນບັນຊີທະນາຄານແລ້ວ', en: 'Bank account changed' },
    body: {
      th: 'เงินถอนจะเข้าบัญชีใหม่ หากคุณไม่ได้ขอเปลี่ยน กรุณาติดต่อเจ้าหน้าที่ทันที',
      la: 'ເງິນຖອນຈະເຂົ້າບັນຊີໃໝ່ ຖ້າທ່ານບໍ່ໄດ້ຂໍປ່ຽນ ກະລຸນາຕິດຕໍ່ພະນັກງານທັນທີ',
      en: 'Withdrawals go to the new account. If you didn’t request this, contact support now.',
    },
  },
  FAILED: {
    title: { th: 'ไม่อนุมัติการเปลี่ยนบัญชี', la: 'ບໍ່ອະນຸມັດການປ່ຽນບັນຊີ', en: 'Bank account not changed' },
    body: {
      th: 'เงินถอนยังเข้าบัญชีเดิม',
      la: 'ເງິນຖອນຍັງເຂົ້າບັນຊີເດີມ',
      en: 'Withdrawals still go to your present account.',
    },
  },
  requested: {
    title: { th: 'มีการขอเปลี่ยนบัญชีธนาคาร', la: 'ມີການຂໍປ່ຽນບັນຊີທະນາຄານ', en: 'Change of bank account requested' },
    body: {
      th: 'หากไม่ใช่คุณ เปลี่ยนรหัสผ่านทันที คำขอจะถูกยกเลิก',
      la: 'ຖ້າບໍ່ແມ່ນທ່ານ ປ່ຽນລະຫັດຜ່ານທັນທີ ຄຳຂໍຈະຖືກຍົກເລີກ',
      en: 'If it wasn’t you, change your password now: that cancels the request.',
    },
  },
};
const REFUSED_TITLES: Record<'deposit' | 'slip', LocalizedText> = {
  deposit: { th: 'ฝากเงินไม่สำเร็จ', la: 'ຝາກເງິນບໍ່ສຳເລັດ', en: 'Deposit not added' },
  slip: { th: 'สลิปไม่ผ่านการตรวจสอบ', la: 'ສະລິບບໍ່ຜ່ານການກວດສອບ', en: 'Slip not accepted' },
};
const MONEY_BODIES: Record<'deposit' | 'refused' | 'SUCCESS' | 'FAILED', LocalizedText> = {
  refused: {
    th: '{amount} ไม่ได้เข้ากระเป๋า หากเงินออกจากบัญชีแล้ว กรุณาติดต่อเจ้าหน้าที่',
    la: '{amount} ບໍ່ໄດ້ເຂົ້າກະເປົາ ຖ້າເງິນອອກຈາກບັນຊີແລ້ວ ກະລຸນາຕິດຕໍ່ພະນັກງານ',
    en: '{amount} wasn’t added to your wallet. If the money left your account, contact support.',
  },
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
  th: 'หากไม่ใช่คุณ แตะเพื่อให้อุปกรณ์นั้นออกจากระบบ',
  la: 'ຖ້າບໍ່ແມ່ນທ່ານ ແຕະເພື່ອໃຫ້ອຸປະກອນນັ້ນອອກຈາກລະບົບ',
  en: 'If it wasn’t you, tap to log that device out.',
};
/** The unit as it follows a figure in a sentence. */
const UNITS: Record<Currency, LocalizedText> = {
  BAHT: { th: 'บาท', la: 'ບາດ', en: 'baht' },
  LAK: { th: 'กีบ', la: 'ກີບ', en: 'kip' },
};

/** The readable name of a device by its user agent; null without one. */
export function deviceName(userAgent: string | null): string | null {
  const { browser, system } = deviceOf(userAgent);
  return [browser, system].filter(Boolean).join(' · ') || null;
}

/** Whether a deposit is a withdrawal that the bank sent back. */
const isReturn = ({ kind, subject }: NotificationRow): boolean =>
  kind === 'deposit' && hasPrefix(subject, 'RT');
/** Whether it is about a slip that was refused, which has no row in the statement. */
const isSlip = ({ kind, subject }: NotificationRow): boolean =>
  kind === 'deposit' && hasPrefix(subject, 'SL');
const isRefused = ({ kind, status }: NotificationRow): boolean => kind === 'deposit' && status === 'FAILED';

/** What a deposit is about, where it is not money by a channel. */
export function originOf(row: NotificationRow): { origin?: 'return' | 'slip' } {
  if (isReturn(row)) return { origin: 'return' };
  return isSlip(row) ? { origin: 'slip' } : {};
}

const REQUEST_TEXTS: Record<'kyc' | 'account', RequestTexts> = { kyc: KYC_TEXTS, account: ACCOUNT_TEXTS };
const requestTexts = (kind: 'kyc' | 'account', status: NotificationStatus | null) =>
  REQUEST_TEXTS[kind][status === 'SUCCESS' || status === 'FAILED' ? status : 'requested'];

function titleOf(row: NotificationRow): LocalizedText {
  const { kind, status } = row;
  if (kind === 'kyc' || kind === 'account') return requestTexts(kind, status).title;
  if (isReturn(row)) return RETURN_TITLE;
  if (isRefused(row)) return REFUSED_TITLES[isSlip(row) ? 'slip' : 'deposit'];
  if (kind === 'withdraw') return WITHDRAW_TITLES[status === 'SUCCESS' ? 'SUCCESS' : 'FAILED'];
  return kind === 'bonus' ? BONUS_TITLES[status ?? 'FAILED'] : KIND_TITLES[kind];
}

function moneyBody(row: NotificationRow & Holder, language: Language): string {
  if (row.hides_amounts || row.amount === null) return HIDDEN[language];
  const figure = fromMinor(row.amount, row.currency).toLocaleString('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const isPaidOut = row.kind === 'withdraw' && row.status === 'SUCCESS';
  const isDeposit = row.kind === 'deposit' && !isReturn(row);
  const deposited = isRefused(row) ? 'refused' : 'deposit';
  const which = isDeposit ? deposited : isPaidOut ? 'SUCCESS' : 'FAILED';
  return MONEY_BODIES[which][language].replace('{amount}', `${figure} ${UNITS[row.currency][language]}`);
}

function bodyOf(row: NotificationRow & Holder, language: Language): string {
  if (row.kind === 'chat') return CHAT_BODY[language];
  if (row.kind === 'kyc' || row.kind === 'account') return requestTexts(row.kind, row.status).body[language];
  if (row.kind === 'bonus') return row.name ?? '';
  if (isSlip(row)) return WHY[language];
  if (row.kind !== 'login') return moneyBody(row, language);
  return [deviceName(row.name), LOGIN_BODY[language]].filter(Boolean).join(' – ');
}

interface Holder {
  currency: Currency;
  hides_amounts: boolean;
}

/** Where each kind leads in the member app; `open` names the sheet over the page. */
function placeOf(row: NotificationRow): string {
  const { kind, subject } = row;
  if (kind === 'bonus') return '/user/bonus';
  if (kind === 'chat') return '/user/home?open=chat';
  if (kind === 'login') return '/user/profile?open=devices';
  if (kind === 'kyc') return '/user/profile?open=kyc';
  if (kind === 'account') return '/user/profile';
  if (isSlip(row)) return '/user/statement?open=slips';
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
