import { COUNTED_MAX } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Icon } from '../../components/icons.tsx';
import { MoveButtons, movedBy } from '../../components/move-buttons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageDialog } from '../../platform/address.ts';
import { api, queries } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { still } from '../../platform/use-list.ts';
import { useSend } from '../../platform/use-send.ts';
import { GameEditor } from './game-editor.tsx';
import styles from './games.module.css';
import { useProviderName } from './provider-name.ts';
import { Providers } from './providers.tsx';
import type { Game } from './types.ts';

type Row = Game & { id: string; shown: Game['state'] };

const TONE = { OPEN: 'ok', MAINTENANCE: 'warn', OFF: 'ink-2' } as const;
const readAgain = () => queries.invalidateQueries({ queryKey: ['games'] });

/** A count that the server ends at {@link COUNTED_MAX}. */
const countText = (count: number): string =>
  count > COUNTED_MAX ? `${COUNTED_MAX.toLocaleString('en')}+` : count.toLocaleString('en');

type DialogState = { action: 'edit'; row: Game | null } | { action: 'remove'; row: Game };

/** Removes a game that is off. */
function RemoveGame({ row, onClose }: { row: Game; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const onYes = async ({ reason = '' }: Record<string, string>) => {
    try {
      const body = { version: row.version, reason };
      const { outcome } = await api('POST /api/operator/games/{code}/remove', {
        params: { code: row.code },
        body,
      });
      notice.say(t(`games.removed-${outcome}`));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await readAgain();
    }
  };
  return (
    <ActionDialog
      title={`${t('games.remove')} · ${row.name}`}
      yes={t('games.remove')}
      isDangerous
      fields={[{ name: 'reason', label: t('field.reason'), rows: 2, least: 3 }]}
      onYes={onYes}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('games.removeNote')}
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

function Actions({
  row,
  rows,
  openDialog,
}: {
  row: Game;
  rows: readonly Game[];
  openDialog: (dialog: DialogState) => void;
}) {
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
        onClick={() => openDialog({ action: 'edit', row })}
      >
        {t('content.change')}
      </Button>
      {row.state === 'OFF' && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${t('games.remove')} ${name}`}
          onClick={() => openDialog({ action: 'remove', row })}
        >
          {t('games.remove')}
        </Button>
      )}
    </Group>
  );
}

interface ColumnsOf {
  rows: readonly Game[];
  hasKip: boolean;
  providerName: (code: string) => string;
  openDialog: (dialog: DialogState) => void;
}

function useColumns({ rows, hasKip, providerName, openDialog }: ColumnsOf): Column<Row>[] {
  const { t, language } = useText();
  const nameOf = (row: Game) => ({ th: row.name, la: row.nameLa, en: row.nameEn })[language] ?? row.name;
  const canManage = may(useMe(), 'setting.manage');
  return [
    {
      id: 'name',
      head: t('games.name'),
      cell: (row) => (
        <Group gap={10} wrap="nowrap">
          {row.picture ? (
            <img className={styles.thumb} src={row.picture} alt="" loading="lazy" />
          ) : (
            <span className={styles.thumb} />
          )}
          <Stack gap={0}>
            <Text size="sm" fw={600}>
              {nameOf(row)}
            </Text>
            <Text size="xs" c="dimmed">
              {`${row.code} · ${providerName(row.provider)}`}
            </Text>
          </Stack>
        </Group>
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
          <Text size="sm">{countText(row.accounts)}</Text>
          {row.otherRate > 0 && (
            <Text size="xs" c="dimmed">
              {t('games.otherRate', { count: countText(row.otherRate) })}
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
            cell: (row: Row) => <Actions row={row} rows={rows} openDialog={openDialog} />,
          },
        ]
      : []),
  ];
}

/** Games that were removed and have a history; one brought back is off until it is opened. */
function Archived({ rows }: { rows: readonly Game[] }) {
  const { t } = useText();
  const send = useSend(['games']);
  const canManage = may(useMe(), 'setting.manage');
  const restore = ({ code, name, rate, rateLak, least, version }: Game) => {
    const body = { name, rate, rateLak, least, version, state: 'OFF' as const, reason: t('games.restore') };
    void send(() => api('PUT /api/operator/games/{code}', { params: { code }, body })).catch(() => undefined);
  };
  return (
    <Paper withBorder p="md" component="details">
      <Text component="summary" size="sm" fw={600} style={{ cursor: 'pointer' }}>
        {`${t('games.archived')} (${rows.length})`}
      </Text>
      <Stack gap="xs" mt="sm">
        <Text size="sm" c="dimmed">
          {t('games.archivedNote')}
        </Text>
        {rows.map((row) => (
          <Group key={row.code} justify="space-between">
            <Text size="sm">{`${row.name} · ${row.code}`}</Text>
            {canManage && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${t('games.restore')} ${row.name}`}
                onClick={() => restore(row)}
              >
                {t('games.restore')}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

/** The games on offer: which are open, at what rate, in what order. */
export function GamesPage() {
  const { t } = useText();
  const canManage = may(useMe(), 'setting.manage');
  const { dialog, setDialog, openAdd, close } = usePageDialog<DialogState>(canManage, {
    action: 'edit',
    row: null,
  });
  const list = useQuery({ queryKey: ['games'], queryFn: () => api('GET /api/operator/games') });
  const all = list.data?.games ?? [];
  const games = all.filter(({ isArchived }) => !isArchived);
  const archived = all.filter(({ isArchived }) => isArchived);
  const providers = list.data?.providers ?? [];
  const stopped = providers.filter(({ state }) => state === 'MAINTENANCE').map(({ code }) => code);
  const shownOf = (row: Game) =>
    row.state === 'OPEN' && stopped.includes(row.provider) ? 'MAINTENANCE' : row.state;
  const newestOf = (row: Game | null) => all.find(({ code }) => code === row?.code) ?? row;
  const hasKip = list.data?.currencies.includes('LAK') ?? false;
  const providerName = useProviderName(providers);
  const columns = useColumns({ rows: games, hasKip, providerName, openDialog: setDialog });
  return (
    <Page
      title={t('nav.games')}
      actions={
        canManage && (
          <Button leftSection={<Icon of={Plus} />} disabled={!list.data} onClick={openAdd}>
            {t('games.add')}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {t('games.about')}
      </Text>
      <DataTable
        name={t('nav.games')}
        columns={columns}
        rows={still(games.map((row) => ({ ...row, id: row.code, shown: shownOf(row) })))}
        total={games.length}
        list={list}
        empty={t('games.none')}
      />
      {archived.length > 0 && <Archived rows={archived} />}
      {providers.length > 0 && <Providers of={providers} />}
      {dialog?.action === 'edit' && (
        <GameEditor game={newestOf(dialog.row)} hasKip={hasKip} providers={providers} onClose={close} />
      )}
      {dialog?.action === 'remove' && <RemoveGame row={dialog.row} onClose={close} />}
    </Page>
  );
}
