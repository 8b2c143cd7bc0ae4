import type { RiskPartCode } from '@krapao/contract/operator';
import type { Currency } from '@krapao/contract/shared';
import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide';
import type { ReactNode } from 'react';
import type { Reply } from '../platform/api.ts';
import { Link, type Path } from '../platform/paths.ts';
import { Tag } from './cells.tsx';

type Risk = Reply<'GET /api/operator/members/{id}'>['risk'];
type Part = Risk['parts'][number];
type Outcome = 'pass' | 'review' | 'held';

const TONE = { pass: 'ok', review: 'warn', held: 'bad' } as const;

/** A score in a list: the figure, with what the thresholds make of it as icon and title. */
export function ScoreTag({ of }: { of: { score: number; outcome: Outcome } | null }) {
  const { t } = useText();
  if (!of)
    return (
      <Text size="sm" c="dimmed">
        {'–'}
      </Text>
    );
  return (
    <Box component="span" title={t(`risk.${of.outcome}`)} style={{ whiteSpace: 'nowrap' }}>
      <Tag tone={TONE[of.outcome]} icon={of.outcome === 'pass' ? CircleCheck : CircleAlert}>
        {String(of.score)}
      </Tag>
    </Box>
  );
}

/** The money of a currency as a word of a sentence. */
export const moneyText = (amount: number, currency: Currency): string =>
  CURRENCY_SYMBOL[currency] + amountText(amount);

/** The text of one part of a score, with its figures. */
export const partText = (t: Translate, part: Part, currency: Currency): string =>
  t(
    (part.transfer ? 'risk.movedTwice' : `risk.${part.code}`) as never,
    {
      count: part.count ?? 0,
      amount: moneyText(part.amount ?? 0, currency),
      usual: moneyText(part.usual ?? 0, currency),
      withdrawal: part.withdrawal ?? '',
      transfer: part.transfer ?? '',
    } as never,
  );

/** Tabs of the member's page where the rows behind a part stand. */
const TAB_OF: Partial<Record<RiskPartCode, string>> = {
  INVITER_RING: 'tree',
  UNPLAYED: 'withdrawals',
  SLIPS_REFUSED: 'slips',
  BONUS_HOPPING: 'runs',
  SUDDEN_STAKES: 'transfers',
  MANY_NETWORKS: 'sessions',
  UNUSUAL_AMOUNT: 'withdrawals',
};

function PartLinks({ of: part, memberId }: { of: Part; memberId: string }) {
  const { t } = useText();
  const tab = TAB_OF[part.code];
  const links: { path: Path; name: string }[] = [
    ...part.members
      .filter(({ id }) => id !== memberId)
      .map(({ id, name }) => ({ path: `/members/${id}` as const, name: `${name} ${id}` })),
    ...(part.withdrawal
      ? [{ path: `/withdrawals?status=ALL&open=${part.withdrawal}` as const, name: part.withdrawal }]
      : []),
    ...(part.transfer ? [{ path: `/transfers?q=${part.transfer}` as const, name: part.transfer }] : []),
    ...(tab ? [{ path: `/members/${memberId}?tab=${tab}` as const, name: t('risk.rows') }] : []),
  ];
  return (
    <Group gap="xs">
      {links.map(({ path, name }) => (
        <Anchor key={path} component={Link} href={path} size="xs">
          {name}
        </Anchor>
      ))}
    </Group>
  );
}

/** The parts of a score as sentences, each with its points and links to what it is about. */
export function RiskParts({
  of: { parts },
  memberId,
  currency,
}: {
  of: Risk;
  memberId: string;
  currency: Currency;
}): ReactNode {
  const { t } = useText();
  if (parts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('risk.none')}
      </Text>
    );
  return (
    <Stack component="ul" gap={8} m={0} p={0} aria-label={t('risk.title')} style={{ listStyle: 'none' }}>
      {parts.map((part) => (
        <li key={part.code}>
          <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
            <Text size="sm">{partText(t, part, currency)}</Text>
            <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
              {t('risk.points', { points: part.points })}
            </Text>
          </Group>
          <PartLinks of={part} memberId={memberId} />
        </li>
      ))}
    </Stack>
  );
}
