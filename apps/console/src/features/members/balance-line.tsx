import '@mantine/charts/styles.css';
import type { Currency } from '@krapao/contract/shared';
import { CURRENCY_SYMBOL, shortAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Sparkline } from '@mantine/charts';
import { Box } from '@mantine/core';

interface LineProps {
  balances: readonly { day: string; amount: number }[];
  currency: Currency;
}

/** The wallet day by day; its first, highest and last balance are its accessible name. */
export default function BalanceLine({ balances, currency }: LineProps) {
  const { t } = useText();
  const amounts = balances.map(({ amount }) => amount);
  const money = (amount: number) => CURRENCY_SYMBOL[currency] + shortAmount(amount);
  const label = t('member.balanceLine', {
    first: money(amounts[0] ?? 0),
    highest: money(Math.max(0, ...amounts)),
    last: money(amounts.at(-1) ?? 0),
  });
  return (
    <Box role="img" aria-label={label} title={label}>
      <Sparkline
        h={44}
        data={amounts}
        color="var(--brand)"
        curveType="stepAfter"
        fillOpacity={0.15}
        strokeWidth={2}
      />
    </Box>
  );
}
