import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog, type DialogField } from '../../components/action-dialog.tsx';
import { Tag } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { MoveButtons, movedBy } from '../../components/move-buttons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { still } from '../../platform/use-list.ts';
import { Providers } from './providers.tsx';

type Game = Reply<'GET /api/operator/games'>['games'][number];
type Row = Game & { id: string; shown: Game['state'] };

const STATES = ['OPEN', 'MAINTENANCE', 'OFF'] as const;
const TONE = { OPEN: 'ok', MAINTENANCE: 'warn', OFF: 'ink-2' } as const;
const readAgain = () => queries.invalidateQueries({ queryKey: ['games'] });
const numberOf = (text: string): number => Number(text.replaceAll(',', '').trim());
const numberOrNone = (text: string): number | null => (text.trim() === '' ? null : numberOf(text));
const textOf = (figure: number | null): string => (figure === null ? '' : String(figure));

/** Changes one game; what it says of a changed rate is what happens to the money in it. */
function ChangeGame({ row, hasKip, onClose }: { row: Game; hasKip: boolean; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const fields: DialogField[] = [
    { name: 'name', label: t('games.name'), least: 1, value: row.name },
    {
      name: 'state',
      label: t('col.state'),
      value: row.state,
      options: STATES.map((value) => ({ value, label: t(`games.choose-${value}`) })),
    },
    { name: 'rate', label: t('games.rate'), least: 1, value: String(row.rate), inputMode: 'decimal' },
    ...(hasKip
      ? [
          {
            name: 'rateLak',
            label: t('games.rateLakField'),
            value: textOf(row.rateLak),
            inputMode: 'decimal' as const,
          },
        ]
      : []),
    {
      name: 'least',
      label: t('games.leastField'),
      value: textOf(row.least),
      inputMode: 'decimal',
    },
    { name: 'reason', label: t('field.reason'), rows: 2, least: 3 },
  ];
  const onYes = async ({
    name = '',
    state = '',
    rate = '',
    rateLak = textOf(row.rateLak),
    least = '',
    reason = '',
  }: Record<string, string>) => {
    const body = {
      name: name.trim(),
      state: state as Game['state'],
      rate: numberOf(rate),
      rateLak: numberOrNone(rateLak),
      least: numberOrNone(least),
      version: row.version,
      reason,
    };
    try {
      await api('PUT /api/operator/games/{code}', { params: { code: row.code }, body });
      notice.say(t('channel.saved'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await readAgain();
    }
  };
  return (
    <ActionDialog
      title={`${t('content.change')} · ${row.name}`}
      yes={t('channel.save')}
      fields={fields}
      onYes={onYes}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('games.note')}
      </Text>
    </ActionDialog>
  );
}

/** Moves a game among those of its kind. */
function useMove(rows: readonly Game[]) {
  const notice = useNotice();
  return async (row: Game, by: number) => {
    const codes = rows.map(({ code }) => code);
    const body = { codes: movedBy(codes, row.code, by) };
    await api('POST /api/operator/game-order', { body }).catch(notice.complain);
    await readAgain();
  };
}

function Actions({ row, rows, onChange }: { row: Game; rows: readonly Game[]; onChange: () => void }) {
  const { t } = useText();
  const move = useMove(rows);
  const kind = rows.filter(({ category }) => category === row.category);
  const { name } = row;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <MoveButtons
        name={name}
        isFirst={kind[0]?.code === row.code}
        isLast={kind.at(-1)?.code === row.code}
        onMove={(by) => move(row, by)}
      />
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${t('content.change')} ${name}`}
        onClick={onChange}
      >
        {t('content.change')}
      </Button>
    </Group>
  );
}

function useColumns(rows: readonly Game[], hasKip: boolean, onChange: (row: Game) => void): Column<Row>[] {
  const { t } = useText();
  const canManage = may(useMe(), 'setting.manage');
  return [
    {
      id: 'name',
      head: t('games.name'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {row.name}
          </Text>
          <Text size="xs" c="dimmed">
            {`${row.code} · ${labelOf(t, 'provider', row.provider)}`}
          </Text>
        </Stack>
      ),
    },
    { id: 'kind', head: t('games.kind'), cell: (row) => <Text size="sm">{t(`games.${row.category}`)}</Text> },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => <Tag tone={TONE[row.shown]}>{t(`games.is-${row.shown}`)}</Tag>,
    },
    { id: 'rate', head: t('games.rate'), isRight: true, cell: (row) => row.rate.toLocaleString('en') },
    ...(hasKip
      ? [
          {
            id: 'rateLak',
            head: t('games.rateLak'),
            isRight: true,
            cell: (row: Row) => (row.rateLak ?? row.rate).toLocaleString('en'),
          },
        ]
      : []),
    {
      id: 'least',
      head: t('games.least'),
      isRight: true,
      cell: (row) => row.least?.toLocaleString('en') ?? '–',
    },
    {
      id: 'accounts',
      head: t('games.accounts'),
      isRight: true,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{row.accounts.toLocaleString('en')}</Text>
          {row.otherRate > 0 && (
            <Text size="xs" c="dimmed">
              {t('games.otherRate', { count: row.otherRate })}
            </Text>
          )}
        </Stack>
      ),
    },
    ...(canManage
      ? [
          {
            id: 'actions',
            head: '',
            cell: (row: Row) => <Actions row={row} rows={rows} onChange={() => onChange(row)} />,
          },
        ]
      : []),
  ];
}

/** The games on offer: which are open, at what rate, in what order. */
export function GamesPage() {
  const { t } = useText();
  const [changed, setChanged] = useState<Game | null>(null);
  const list = useQuery({ queryKey: ['games'], queryFn: () => api('GET /api/operator/games') });
  const games = list.data?.games ?? [];
  const providers = list.data?.providers ?? [];
  const stopped = providers.filter(({ state }) => state === 'MAINTENANCE').map(({ code }) => code);
  const shownOf = (row: Game) =>
    row.state === 'OPEN' && stopped.includes(row.provider) ? 'MAINTENANCE' : row.state;
  const hasKip = list.data?.currencies.includes('LAK') ?? false;
  const columns = useColumns(games, hasKip, setChanged);
  return (
    <Page title={t('nav.games')}>
      <Text size="sm" c="dimmed">
        {t('games.about')}
      </Text>
      <DataTable
        name={t('nav.games')}
        columns={columns}
        rows={still(games.map((row) => ({ ...row, id: row.code, shown: shownOf(row) })))}
        total={games.length}
        list={list}
      />
      {providers.length > 0 && <Providers of={providers} />}
      {changed && <ChangeGame row={changed} hasKip={hasKip} onClose={() => setChanged(null)} />}
    </Page>
  );
}
