import type { Language, LocalizedText } from '@krapao/contract/shared';

/** What a code proves a phone for. A code of one purpose is never valid for the other. */
export type CodePurpose = 'register' | 'password';

const CODE_TEXTS: Record<CodePurpose, LocalizedText> = {
  register: {
    th: '{code} คือรหัส OTP ของคุณ (อ้างอิง {reference}) ใช้ได้ {minutes} นาที ห้ามบอกรหัสนี้กับผู้อื่น',
    la: '{code} ແມ່ນລະຫັດ OTP ຂອງທ່ານ (ອ້າງອີງ {reference}). ໃຊ້ໄດ້ {minutes} ນາທີ. ຢ່າບອກລະຫັດນີ້ໃຫ້ຜູ້ອື່ນ',
    en: '{code} is your OTP (ref {reference}). Valid for {minutes} min. Never share this code.',
  },
  password: {
    th: '{code} คือรหัส OTP สำหรับตั้งรหัสผ่านใหม่ (อ้างอิง {reference}) ใช้ได้ {minutes} นาที ห้ามบอกรหัสนี้กับผู้อื่น',
    la: '{code} ແມ່ນລະຫັດ OTP ສຳລັບຕັ້ງລະຫັດຜ່ານໃໝ່ (ອ້າງອີງ {reference}). ໃຊ້ໄດ້ {minutes} ນາທີ. ຢ່າບອກລະຫັດນີ້ໃຫ້ຜູ້ອື່ນ',
    en: '{code} is your OTP to set a new password (ref {reference}). Valid for {minutes} min. Never share this code.',
  },
};

/** Sent to the owner of a phone whose password was reset. */
export const PASSWORD_CHANGED_SMS: LocalizedText = {
  th: 'รหัสผ่านของคุณถูกเปลี่ยนแล้ว และทุกอุปกรณ์ออกจากระบบแล้ว หากคุณไม่ได้เป็นผู้เปลี่ยน กรุณาติดต่อเจ้าหน้าที่ทันที',
  la: 'ລະຫັດຜ່ານຂອງທ່ານຖືກປ່ຽນແລ້ວ ແລະ ທຸກອຸປະກອນອອກຈາກລະບົບແລ້ວ. ຖ້າທ່ານບໍ່ໄດ້ເປັນຜູ້ປ່ຽນ ກະລຸນາຕິດຕໍ່ພະນັກງານທັນທີ',
  en: 'Your password was changed and all devices were logged out. If this was not you, contact support right away.',
};

/** The SMS that carries a one-time code, in the caller's language. */
export function codeSms(
  purpose: CodePurpose,
  language: Language,
  facts: { code: string; reference: string; minutes: number },
): string {
  return CODE_TEXTS[purpose][language].replace(
    /\{(code|reference|minutes)\}/g,
    (_, name: keyof typeof facts) => String(facts[name]),
  );
}
