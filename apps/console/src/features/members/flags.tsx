import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group } from '@mantine/core';
import { Flag } from 'lucide';
import { Tag } from '../../components/cells.tsx';
import type { Member } from './types.ts';

/** What of a member deserves a look, each with its figure and day; nothing at all for who gives no cause. */
export function Flags({ of: { flags, currency } }: { of: Member }) {
  const { t } = useText();
  if (flags.length === 0) return null;
  const textOf = ({ kind, count, amount, at }: Member['flags'][number]): string => {
    const time = at === null ? '' : dateTimeText(at);
    switch (kind) {
      case 'EXCLUDED':
        return at === null ? t('flag.excludedForGood') : t('flag.excluded', { time });
      case 'NEW_ACCOUNT':
        return t('flag.newAccount', { time });
      case 'SLIPS_REFUSED':
        return t('flag.slipsRefused', { count: count ?? 0, time });
      case 'UNPLAYED':
        return t('flag.unplayed', { amount: CURRENCY_SYMBOL[currency] + amountText(amount ?? 0), time });
      case 'PAID_TWICE':
        return t('flag.paidTwice', { time });
      case 'SHARED_BROWSER':
        return t('flag.sharedBrowser', { count: count ?? 0, time });
    }
  };
  return (
    <Group component="ul" gap="xs" m={0} p={0} aria-label={t('flag.title')} style={{ listStyle: 'none' }}>
      {flags.map((flag) => (
        <li key={flag.kind}>
          <Tag tone="warn" icon={Flag}>
            {textOf(flag)}
          </Tag>
        </li>
      ))}
    </Group>
  );
}
