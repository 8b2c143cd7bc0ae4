import type { Currency } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { CURRENCY_SYMBOL, signOf } from '@krapao/ui/text/amount-text.ts';
import { dayText } from '@krapao/ui/text/day-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Text } from '@mantine/core';
import type { Column } from '../../components/column.ts';
import type { Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link } from '../../platform/paths.ts';
import { CASH_PLACES } from './cash-places.ts';

type Of<Row> = Row & { id: string };
export type Cash = Of<Reply<'GET /api/operator/figures/cash'>['rows'][number]>;
export type Channel = Of<Reply<'GET /api/operator/figures/channels'>['rows'][number]>;
export type Hour = Of<Reply<'GET /api/operator/figures/hours'>['rows'][number]>;
export type Liability = Of<Reply<'GET /api/operator/figures/liabilities'>['rows'][number]>;
export type Waiting = Of<Reply<'GET /api/operator/figures/waiting'>['rows'][number]>;
export type Game = Of<Reply<'GET /api/operator/figures/games'>['rows'][number]>;
export type Source = Of<Reply<'GET /api/operator/figures/sources'>['rows'][number]>;
export type Cohort = Of<Reply<'GET /api/operator/figures/retention'>['rows'][number]>;
export type Conversations = Of<Reply<'GET /api/operator/figures/chats'>['rows'][number]>;
export type Cost = Of<Reply<'GET /api/operator/figures/costs'>['rows'][number]>;
export type Agent = Of<Reply<'GET /api/operator/figures/agents'>['rows'][number]>;

/** A column of money in the row's currency. */
const money = <Row extends { currency: Currency }>(
  id: keyof Row & string,
  head: string,
  isSigned = false,
): Column<Row> => ({
  id,
  head,
  isRight: true,
  cell: (row) => {
    const amount = row[id] as number;
    return <Money amount={amount} currency={row.currency} {...(isSigned && { sign: signOf(amount) })} />;
  },
});

/** A column of plain figures. */
const count = <Row,>(id: keyof Row & string, head: string): Column<Row> => ({
  id,
  head,
  isRight: true,
  cell: (row) => <Text size="sm">{String(row[id])}</Text>,
});

const texts = <Row,>(id: string, head: string, of: (row: Row) => string): Column<Row> => ({
  id,
  head,
  cell: (row) => <Text size="sm">{of(row)}</Text>,
});

export function useCashColumns(): Column<Cash>[] {
  const { t } = useText();
  const me = useMe();
  /** A figure that leads to what it sums, for those who may open that list. */
  const leading = (id: keyof typeof CASH_PLACES, head: string): Column<Cash> => {
    const { permission, path } = CASH_PLACES[id];
    const plain = money<Cash>(id, head);
    if (!may(me, permission)) return plain;
    const cell = (row: Cash) =>
      row[id] === 0 ? (
        plain.cell(row)
      ) : (
        <Anchor component={Link} href={path(row.day)} c="inherit" underline="always">
          {plain.cell(row)}
        </Anchor>
      );
    return { ...plain, cell };
  };
  return [
    texts('day', t('figures.day'), (row) => dayText(row.day)),
    leading('deposits', t('figures.deposits')),
    money('unmatched', t('figures.unmatched')),
    leading('withdrawals', t('figures.withdrawals')),
    money('sentBack', t('figures.sentBack')),
    money('cameBack', t('figures.cameBack')),
    money('net', t('figures.net'), true),
  ];
}

export function useChannelColumns(): Column<Channel>[] {
  const { t } = useText();
  return [
    texts('day', t('figures.day'), (row) => dayText(row.day)),
    texts('channel', t('col.channel'), (row) => labelOf(t, 'type', row.channel)),
    count('count', t('figures.count')),
    money('amount', t('col.amount')),
  ];
}

export function useGameColumns(): Column<Game>[] {
  const { t } = useText();
  return [
    texts('name', t('col.game'), (row) => row.name),
    money('movedIn', t('figures.movedIn')),
    money('movedOut', t('figures.movedOut')),
    money('result', t('figures.result'), true),
  ];
}

/** Minutes, or a figure, where there is one. */
const figure = <Row,>(id: keyof Row & string, head: string): Column<Row> => ({
  id,
  head,
  isRight: true,
  cell: (row) => <Text size="sm">{row[id] === null ? '–' : String(row[id])}</Text>,
});

export function useChatColumns(): Column<Conversations>[] {
  const { t } = useText();
  return [
    texts('agent', t('col.actor'), (row) => row.agent ?? t('chats.unassigned')),
    count('sessions', t('chats.sessions')),
    count('answered', t('chats.answered')),
    count('late', t('chats.lateCount')),
    figure('firstAnswer', t('chats.firstAnswer')),
    figure('duration', t('chats.duration')),
    count('rated', t('chats.rated')),
    figure('rating', t('chats.ratingMean')),
  ];
}

/** An hour of the day, from its first minute to its last. */
export const hourText = (hour: number): string => {
  const two = String(hour).padStart(2, '0');
  return `${two}:00–${two}:59`;
};

export function useHourColumns(): Column<Hour>[] {
  const { t } = useText();
  return [
    texts('hour', t('figures.hour'), (row) => hourText(row.hour)),
    texts('channel', t('col.channel'), (row) => labelOf(t, 'type', row.channel)),
    count('count', t('figures.count')),
    money('amount', t('col.amount')),
  ];
}

export function useLiabilityColumns(): Column<Liability>[] {
  const { t } = useText();
  return [
    texts('day', t('figures.day'), (row) => dayText(row.day)),
    money('members', t('figures.members')),
    money('unmatched', t('figures.unmatched')),
  ];
}

export function useWaitingColumns(): Column<Waiting>[] {
  const { t } = useText();
  return [
    texts('day', t('figures.day'), (row) => dayText(row.day)),
    texts('currency', t('figures.currency'), (row) => CURRENCY_SYMBOL[row.currency]),
    count('paid', t('figures.paid')),
    count('automatic', t('figures.automatic')),
    figure('median', t('figures.median')),
    figure('manualMedian', t('figures.manualMedian')),
    figure('ninety', t('figures.ninety')),
    figure('longest', t('figures.longest')),
  ];
}

export function useCostColumns(): Column<Cost>[] {
  const { t, language } = useText();
  return [
    texts('kind', t('bonus.kind'), (row) => t(`runKind.${row.kind}`)),
    texts(
      'name',
      t('bonus.title'),
      (row) => [row.names?.[language], row.code].filter(Boolean).join(' · ') || '–',
    ),
    count('received', t('bonus.received')),
    money('granted', t('bonus.granted')),
    money('taken', t('bonus.taken')),
    money('cost', t('bonus.cost'), true),
  ];
}

export function useSourceColumns(): Column<Source>[] {
  const { t, language } = useText();
  return [
    texts('source', t('member.source'), (row) => row.names[language]),
    count('registered', t('figures.registered')),
    count('depositors', t('figures.depositors')),
    money('deposits', t('figures.deposits')),
  ];
}

const WEEKS = [0, 1, 2, 3, 4];

export function useCohortColumns(): Column<Cohort>[] {
  const { t } = useText();
  return [
    texts('week', t('figures.week'), (row) => dayText(row.week)),
    count('registered', t('figures.registered')),
    ...WEEKS.map(
      (week): Column<Cohort> => ({
        id: `week${week}`,
        head: t('figures.weekNo', { count: week + 1 }),
        isRight: true,
        cell: ({ paid, registered }) => {
          const came = paid[week] ?? null;
          return (
            <Text size="sm">
              {came === null ? '–' : `${came} (${Math.round((came / registered) * 100)}%)`}
            </Text>
          );
        },
      }),
    ),
  ];
}

export function useAgentColumns(): Column<Agent>[] {
  const { t } = useText();
  return [
    texts('operator', t('col.actor'), (row) => row.operator ?? t('audit.cli')),
    count('withdrawals', t('nav.withdrawals')),
    {
      ...texts<Agent>('waited', t('figures.waited'), ({ waited }) =>
        waited === null ? '–' : t('settings.in-minutes', { count: Math.round(waited) }),
      ),
      isRight: true,
    },
    count('slips', t('nav.slips')),
    count('payIns', t('nav.reports')),
    count('checks', t('figures.checks')),
    money('entries', t('figures.entries'), true),
  ];
}
