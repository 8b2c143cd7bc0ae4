import type { MemberApi } from '@krapao/contract/member';

/** An account of ours that takes deposits. */
export const BANK = {
  bankCode: 'KBANK',
  bankAccountName: 'KRAPAO CO LTD',
  bankAccountNo: '9876543210',
  bank: { nameTH: 'กสิกรไทย', nameEN: 'Kasikornbank' },
  bankType: 'BANK',
  currency: 'BAHT',
  minimum: 20,
} as const;
/** A QR, a transfer and gift links on offer. */
export const LOOKUP: MemberApi['GET /api/lookup/deposit']['reply'] = {
  banks: [
    { ...BANK, mode: 'QR' },
    { ...BANK, mode: 'AUTO' },
  ],
  wallets: [{ mode: 'LINK', walletAccountName: 'KRAPAO', walletAccountNo: null }],
  giftMinimum: 10,
  isManual: true,
  qrMinutes: 10,
};
/** Slips are taken. */
export const SLIP_LOOKUP = { open: true, isManual: false, windowMinutes: 60, closedHours: [], maxSizeMB: 10 };
