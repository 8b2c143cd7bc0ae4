import { useText } from '@krapao/ui/text/text.tsx';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { sumText } from '../../platform/sum-text.ts';
import type { Notification } from './queries.ts';

const BONUS_IDS = {
  SUCCESS: 'notify.bonusMet',
  FAILED: 'notify.bonusEnded',
  FORFEITED: 'notify.bonusForfeited',
  EXPIRED: 'notify.bonusExpired',
} as const;

/** The text of a notification: its title and details. */
export function useNotificationTexts(): (of: Notification) => { title: string; detail: string } {
  const { t, hold } = useText();
  const { currency } = useKnownWallet().wallet;
  return ({ kind, status, origin, amount, name }) => {
    const sum = sumText(t, amount ?? 0, currency);
    const isPaid = status === 'SUCCESS';
    switch (kind) {
      case 'deposit':
        if (origin === 'return')
          return { title: t('statement.returned'), detail: t('notify.unpaidSum', { amount: sum }) };
        if (origin === 'slip') return { title: t('slip.refused'), detail: t('notify.kycWhy') };
        if (!isPaid)
          return {
            title: t('notify.depositRefused'),
            detail: t('notify.depositRefusedSum', { amount: sum }),
          };
        return { title: t('notify.deposit'), detail: t('notify.depositSum', { amount: sum }) };
      case 'withdraw':
        return {
          title: t(isPaid ? 'notify.paid' : 'notify.unpaid'),
          detail: t(isPaid ? 'notify.paidSum' : 'notify.unpaidSum', { amount: sum }),
        };
      case 'bonus':
        return { title: t(BONUS_IDS[status ?? 'FAILED']), detail: hold(name ?? '') };
      case 'chat':
        return { title: t('notify.chat'), detail: t('notify.chatLead') };
      case 'login':
        return { title: t('device.alert'), detail: name ?? t('device.unknown') };
      case 'kyc':
        if (status === null) return { title: t('notify.kyc'), detail: t('notify.kycLead') };
        if (isPaid) return { title: t('kyc.verified'), detail: t('notify.kycVerified') };
        return { title: t('kyc.refused'), detail: t('notify.kycWhy') };
      case 'account':
        if (status === null) return { title: t('notify.account'), detail: t('notify.accountLead') };
        if (isPaid) return { title: t('notify.accountChanged'), detail: t('notify.accountChangedLead') };
        return { title: t('notify.accountRefused'), detail: t('notify.accountRefusedLead') };
    }
  };
}
