import { PRIZE_KINDS, PRIZES } from '@krapao/contract/prizes';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import { amountText, CURRENCY_SYMBOL, shortAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Stack, Text } from '@mantine/core';
import { Becomes, LongText } from '../../components/icons.tsx';
import type { Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { valueText } from '../../platform/value-text.ts';

type Row = Reply<'GET /api/operator/audit'>['rows'][number];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface ChangeRow {
  name: string;
  /** Absent where nothing was before, or it did not change. */
  from?: unknown;
  to: unknown;
}

/** Money in whole minor units; its currency is a separate field. */
const MINOR = new Set(['amount', 'wallet', 'worth', 'taken', 'standing']);
/** Prizes that are worth money; others are counted. */
const MONEY_PRIZES = new Set<unknown>(PRIZE_KINDS.filter((kind) => PRIZES[kind].unit === 'money'));
const isMinor = ({ after }: Row, { name, to }: ChangeRow): boolean =>
  (MINOR.has(name) || (name === 'value' && isRecord(after) && MONEY_PRIZES.has(after.kind))) &&
  /^-?\d+$/.test(String(to));

/** A request keeps what its checker is shown, and that is money as it is written. */
const isRequest = ({ after }: Row): boolean => isRecord(after) && 'asks' in after;

/** The currency that the row names, else that of its member. */
function currencyOf({ before, after, currency }: Row): Currency | null {
  for (const part of [after, before])
    if (isRecord(part) && (part.currency === 'BAHT' || part.currency === 'LAK')) return part.currency;
  return currency;
}

/** What was before and what is after, name by name. */
function changesOf({ before, after }: Row): ChangeRow[] {
  if (!isRecord(before ?? after) || !isRecord(after ?? before)) {
    const parts = [before, after].filter((part) => part !== null && part !== undefined);
    const [first, last] = [parts[0], parts.at(-1)];
    return parts.length === 0 ? [] : [{ name: '', to: last, ...(parts.length > 1 ? { from: first } : {}) }];
  }
  const [was, is] = [before, after].map((part) => (isRecord(part) ? part : {})) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((name) =>
    name in was && name in is && JSON.stringify(was[name]) !== JSON.stringify(is[name])
      ? { name, from: was[name], to: is[name] }
      : { name, to: name in is ? is[name] : was[name] },
  );
}

/** The row's money as text; null without one. */
function moneyOf(row: Row, line: ChangeRow, value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const currency = currencyOf(row);
  if (isRequest(row))
    return line.name === 'amount' && currency ? CURRENCY_SYMBOL[currency] + amountText(Number(value)) : null;
  if (!isMinor(row, line)) return null;
  return currency
    ? CURRENCY_SYMBOL[currency] + amountText(fromMinor(BigInt(value), currency))
    : shortAmount(Number(value));
}

function useRowText(row: Row) {
  const { t } = useText();
  const isUnnamed = !isRequest(row) && currencyOf(row) === null;
  return (line: ChangeRow) => ({
    name: labelOf(t, 'sum', isUnnamed && line.name === 'amount' && isMinor(row, line) ? 'minor' : line.name),
    value: (value: unknown): string => moneyOf(row, line, value) ?? valueText(t, line.name, value),
  });
}

/** The change as a reader compares it. */
export function Change({ of: row }: { of: Row }) {
  const textOf = useRowText(row);
  const rows = changesOf(row);
  const shown = rows.some((line) => moneyOf(row, line, line.to))
    ? rows.filter(({ name }) => name !== 'currency')
    : rows;
  return (
    <Stack gap={2} miw={160}>
      {shown.map((line) => {
        const { name, value } = textOf(line);
        return (
          <Text key={line.name} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {line.name && (
              <Text span size="sm" c="dimmed">
                {name}{' '}
              </Text>
            )}
            {'from' in line && (
              <>
                <LongText text={value(line.from)} /> <Becomes />{' '}
              </>
            )}
            <LongText text={value(line.to)} />
          </Text>
        );
      })}
    </Stack>
  );
}
