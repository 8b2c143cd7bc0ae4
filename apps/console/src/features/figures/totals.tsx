import type { Currency } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { signOf } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Stack, Text } from '@mantine/core';
import { changeOf, lastOf, sumOf } from './series.ts';

/** A figure of a report's rows; a signed one may be below zero. */
export interface Figure {
  id: string;
  name: string;
  isSigned?: boolean;
  /** A number of something rather than money. */
  isCount?: boolean;
  /** A level, of which the newest day counts, rather than something that adds up. */
  isLevel?: boolean;
}

/** One figure's sum over the period, beside that of the period before. */
function Total({
  figure: { name, isSigned, isCount },
  now,
  before,
  currency,
}: {
  figure: Figure;
  now: number;
  before: number | undefined;
  currency: Currency;
}) {
  const { t } = useText();
  const money = (amount: number) =>
    isCount ? (
      amount.toLocaleString('en-US')
    ) : (
      <Money amount={amount} currency={currency} {...(isSigned && { sign: signOf(amount) })} />
    );
  const change = before === undefined ? null : changeOf(now, before);
  return (
    <Stack gap={0}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600}>{money(now)}</Text>
      <Text size="xs" c="dimmed">
        {before === undefined ? ' ' : t('figures.before')} {before !== undefined && money(before)}
        {change !== null && ` (${change > 0 ? '+' : ''}${change.toLocaleString('en-US')}%)`.replace('-', '−')}
      </Text>
    </Stack>
  );
}

const totalOf = ({ isLevel }: Figure) => (isLevel ? lastOf : sumOf);

/** Sums of a report's figures over its period and the one before, which may still be loading. */
export function Totals({
  figures,
  rows,
  before,
  currency,
}: {
  figures: readonly Figure[];
  rows: readonly object[];
  before: readonly object[] | undefined;
  currency: Currency;
}) {
  return (
    <Group gap="xl">
      {figures.map((figure) => (
        <Total
          key={figure.id}
          figure={figure}
          now={totalOf(figure)(rows, figure.id, currency)}
          before={before && totalOf(figure)(before, figure.id, currency)}
          currency={currency}
        />
      ))}
    </Group>
  );
}
