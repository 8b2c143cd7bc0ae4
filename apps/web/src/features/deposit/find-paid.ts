import type { MemberApi } from '@krapao/contract/member';

type Row = MemberApi['POST /api/statement']['reply']['statements'][number];

/** A row may carry the bank's time, which can be slightly before ours. */
const SLACK_MS = 60_000;
/** The deposit that paid a QR which is gone, or null when it was cancelled or has expired. */
export function findPaid(
  rows: readonly Row[],
  qr: { amount: number; expiresAt: number },
  bankCode: string,
  totalSeconds: number,
): Row | null {
  const earliest = qr.expiresAt - totalSeconds * 1000 - SLACK_MS;
  return (
    rows.find(
      (row) =>
        row.statementType === 'deposit' &&
        row.status === 'SUCCESS' &&
        row.from === bankCode &&
        row.amount === qr.amount &&
        Date.parse(row.createdAt) > earliest,
    ) ?? null
  );
}
