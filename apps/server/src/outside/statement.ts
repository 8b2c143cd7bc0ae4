import type { PartnerResponse } from './partner.ts';

/** The reference of a movement for which the partner has none. */
export const NO_REFERENCE = '-';

/** One movement on an account of ours, as the partner's own books have it. */
export interface StatementLine {
  /** The partner's own reference of the movement. */
  reference: string;
  /** Ours, where the partner keeps it beside theirs: of a QR or of a payout. */
  ours: string | null;
  /** IN: money came to us. */
  direction: 'IN' | 'OUT';
  /** In the account's minor units, above 0. */
  amountMinor: bigint;
  /** By the partner's clock. */
  at: Date;
  /** Where a statement names only the day or minute: the latest it can have been; `at` is then the earliest. */
  until?: Date;
  /** The other side's account, masked or whole; empty where it is not reported. */
  account: string;
}

/** Half-open: from this moment on, up to but without that one. */
export interface Span {
  from: Date;
  to: Date;
}

/** `rejected` with this code: the partner has no such call, so nothing can be compared with it. */
export const NOT_OFFERED = 'NOT_OFFERED';

/** Everything in the span, oldest first. A line out of shape makes all unknown: half a statement proves nothing. */
export type Statement = PartnerResponse<StatementLine[]>;

const PAGES_MAX = 1000;

/** Reads a statement page by page to its end. */
export async function readPages(
  page: (
    cursor: string | null,
  ) => Promise<PartnerResponse<{ lines: (StatementLine | null)[]; next: string | null }>>,
): Promise<Statement> {
  const lines: StatementLine[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < PAGES_MAX; count++) {
    const response = await page(cursor);
    if (response.outcome !== 'ok') return response;
    for (const line of response.value.lines) {
      if (!line) return { outcome: 'unknown', note: 'a line out of shape' };
      lines.push(line);
    }
    if (response.value.next === null) return { outcome: 'ok', value: lines };
    if (response.value.next === cursor) return { outcome: 'unknown', note: 'the pages do not end' };
    cursor = response.value.next;
  }
  return { outcome: 'unknown', note: 'the pages do not end' };
}

/** The line, or null when it is no sound one. */
export function soundLine(
  line: Omit<StatementLine, 'amountMinor'> & { amountMinor: bigint | null },
): StatementLine | null {
  const { amountMinor } = line;
  const isSound =
    amountMinor !== null && amountMinor > 0n && !Number.isNaN(line.at.getTime()) && line.reference !== '';
  return isSound ? { ...line, amountMinor } : null;
}
