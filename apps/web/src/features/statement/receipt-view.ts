import type { MemberApi } from '@krapao/contract/member';
import type { PictureLine } from '@krapao/ui/components/picture.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { usePlaceName } from '../../platform/member/names.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { type Row, useRowTitle } from './use-row-texts.ts';

export type ReceiptRow = MemberApi['POST /api/statement']['reply']['statements'][number];

const STATUS_IDS = {
  SUCCESS: 'status.success',
  FAILED: 'status.failed',
  REVIEW: 'status.review',
  PENDING: 'status.pending',
  PROCESSING: 'status.inProgress',
} as const;

/** How a success is put where it has a sentence of its own. */
const DONE_IDS = {
  deposit: 'deposit.done',
  withdraw: 'withdraw.done',
  transfer: 'transfer.success',
} as const;

const CHANNEL_IDS = {
  QR: 'deposit.qr',
  AUTO: 'deposit.bank',
  SLIP: 'deposit.slip',
  GIFT: 'deposit.giftTab',
  MANUAL: 'statement.byStaff',
} as const;

const isByStaff = ({ from, to }: Row): boolean => from === 'manual' || to === 'manual';

/** What was done and how it ended. */
function titleOf(t: Translate, row: ReceiptRow, name: string): string {
  const { statementType: type, status } = row;
  if (status === 'SUCCESS' && type in DONE_IDS && !isByStaff(row))
    return t(DONE_IDS[type as keyof typeof DONE_IDS]);
  return `${name} · ${t(STATUS_IDS[status])}`;
}

/** The words of a receipt: its title, and the source and target of the money. */
export function useReceiptTexts(): (row: ReceiptRow) => { title: string; lines: PictureLine[] } {
  const { t } = useText();
  const placeName = usePlaceName();
  const nameOf = useRowTitle();
  const { profile } = useKnownWallet();
  const partyOf = (row: ReceiptRow, code: string): Omit<PictureLine, 'name'> => {
    if (code === 'wallet')
      return { value: placeName(code), detail: t('receipt.member', { id: profile._id }) };
    if (
      row.bonus ||
      row.promotion ||
      row.luckydraw ||
      row.invite ||
      row.refund ||
      (row.origin && code === 'manual')
    )
      return { value: nameOf(row) };
    const account = row.receipt?.account;
    if (!account) return { value: placeName(code) };
    const { bankCode, name, number } = account;
    return { value: placeName(bankCode), detail: [name, number].filter(Boolean).join(' · ') || undefined };
  };
  return (row) => {
    const channel = row.receipt?.channel;
    const way = channel && channel !== 'MANUAL' && channel !== 'GIFT' && placeName(row.from);
    return {
      title: titleOf(t, row, nameOf(row)),
      lines: [
        { name: t('receipt.from'), ...partyOf(row, row.from) },
        { name: t('receipt.to'), ...partyOf(row, row.to) },
        ...(channel
          ? [{ name: t('receipt.channel'), value: t(CHANNEL_IDS[channel]), detail: way || undefined }]
          : []),
      ],
    };
  };
}
