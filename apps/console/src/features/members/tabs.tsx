import { Money } from '@krapao/ui/components/money.tsx';
import { amountText, CURRENCY_SYMBOL, signOf } from '@krapao/ui/text/amount-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { State, When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useNotice } from '../../components/notice.tsx';
import { actorText } from '../../platform/actor-text.ts';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import type { Path } from '../../platform/paths.ts';
import { placeOf } from '../../platform/subject-place.ts';
import { still, useCursorList } from '../../platform/use-list.ts';
import { CursorList } from './list.tsx';
import type { Member } from './types.ts';

type Of = { of: Member };

/** An account of a member, by the name that members see. */
const placeName = (t: Translate, { games }: Member, place: string): string =>
  games.find(({ code }) => code === place)?.name ?? labelOf(t, 'type', place);

/** What the rows of the statement are of, by their type. */
const SUBJECTS: Readonly<Record<string, string>> = {
  deposit: 'deposit',
  withdraw: 'withdrawal',
  transfer: 'transfer',
};

/** Where a row of the statement is looked into; null for what has no page, or none this operator may open. */
function useStatementPlace(): (row: { id: string; type: string }) => Path | null {
  const me = useMe();
  return ({ id, type }) => {
    const place = SUBJECTS[type] ? placeOf(`${SUBJECTS[type]}:${id}`) : null;
    return place && may(me, place.permission) ? place.path : null;
  };
}

export function StatementTab({ of: member }: Of) {
  const { t } = useText();
  const { id, currency } = member;
  type Row = Reply<'GET /api/operator/members/{id}/statement'>['rows'][number];
  const columns: Column<Row>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.createdAt} /> },
    { id: 'type', head: t('col.what'), cell: (row) => <Text size="sm">{labelOf(t, 'type', row.type)}</Text> },
    {
      id: 'way',
      head: t('col.way'),
      cell: (row) => (
        <Text size="sm">{`${placeName(t, member, row.from)} – ${placeName(t, member, row.to)}`}</Text>
      ),
    },
    {
      id: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={currency} />,
    },
    { id: 'state', head: t('col.state'), cell: (row) => <State of={row.status} /> },
    { id: 'id', head: t('col.reference'), cell: (row) => <Text size="xs">{row.id}</Text> },
  ];
  return (
    <CursorList
      name={t('member.statement')}
      columns={columns}
      queryKey={['member', id, 'statement']}
      placeOf={useStatementPlace()}
      read={(query) => api('GET /api/operator/members/{id}/statement', { params: { id }, query })}
      rowsOf={(reply) => reply.rows}
    />
  );
}

/** A long name of a posting, broken rather than pushing the list aside. */
function Reference({ of }: { of: { reference: string } }) {
  return (
    <Text size="xs" miw={100} style={{ overflowWrap: 'anywhere' }}>
      {of.reference}
    </Text>
  );
}

/** An account of the ledger, and of which game it is. */
function accountName(t: Translate, member: Member, account: string): string {
  const [kind = '', ...game] = account.split(' ');
  return [labelOf(t, 'ledger', kind), ...game.map((code) => placeName(t, member, code))].join(' ');
}

export function PostingsTab({ of: member }: Of) {
  const { t } = useText();
  const { id } = member;
  type Row = Reply<'GET /api/operator/members/{id}/postings'>['postings'][number] & { id: string };
  const columns: Column<Row>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.at} /> },
    {
      id: 'kind',
      head: t('col.what'),
      cell: (row) => (
        <Text size="sm" miw={120}>
          {labelOf(t, 'post', row.kind)}
        </Text>
      ),
    },
    {
      id: 'account',
      head: t('col.ledgerAccount'),
      cell: (row) => <Text size="sm">{accountName(t, member, row.account)}</Text>,
    },
    {
      id: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} sign={signOf(row.amount)} />,
    },
    {
      id: 'after',
      head: t('col.balanceAfter'),
      isRight: true,
      cell: (row) => <Money amount={row.balanceAfter} />,
    },
    { id: 'reference', head: t('col.reference'), cell: (row) => <Reference of={row} /> },
  ];
  return (
    <CursorList
      name={t('member.postings')}
      columns={columns}
      queryKey={['member', id, 'postings']}
      read={(query) => api('GET /api/operator/members/{id}/postings', { params: { id }, query })}
      rowsOf={({ postings }) =>
        postings.map((row) => ({ ...row, id: `${row.entry} ${row.account} ${row.amount}` }))
      }
    />
  );
}

/** Reads one game's balance at the provider and reports the change. */
function SyncGame({ of: member, game }: Of & { game: string }) {
  const { t } = useText();
  const notice = useNotice();
  const [isBusy, setBusy] = useState(false);
  if (!may(useMe(), 'transfer.settle')) return null;
  const sync = async () => {
    setBusy(true);
    try {
      const params = { id: member.id, game };
      const { result } = await api('POST /api/operator/members/{id}/games/{game}/sync', { params });
      const sign = result < 0 ? '−' : '+';
      const change = `${sign}${CURRENCY_SYMBOL[member.currency]}${amountText(Math.abs(result))}`;
      notice.say(result === 0 ? t('member.syncedSame') : t('member.synced', { change }));
    } catch (error) {
      notice.complain(error);
    }
    setBusy(false);
    void queries.invalidateQueries({ queryKey: ['member', member.id] });
  };
  return (
    <Button size="compact-sm" variant="default" loading={isBusy} onClick={sync}>
      {t('member.sync')}
    </Button>
  );
}

export function GamesTab({ of: member }: Of) {
  const { t } = useText();
  type Row = Member['games'][number] & { id: string };
  const columns: Column<Row>[] = [
    { id: 'name', head: t('col.game'), cell: (row) => <Text size="sm">{row.name}</Text> },
    { id: 'username', head: t('col.username'), cell: (row) => <Text size="sm">{row.username}</Text> },
    { id: 'credits', head: t('col.credits'), isRight: true, cell: (row) => <Money amount={row.credits} /> },
    {
      id: 'worth',
      head: t('col.worth'),
      isRight: true,
      cell: (row) => <Money amount={row.worth} currency={member.currency} />,
    },
    { id: 'asked', head: t('col.readAt'), cell: (row) => <When at={row.askedAt} /> },
    { id: 'actions', head: '', cell: (row) => <SyncGame of={member} game={row.code} /> },
  ];
  return (
    <DataTable
      name={t('member.games')}
      columns={columns}
      rows={still(member.games.map((game) => ({ ...game, id: game.code })))}
      total={member.games.length}
    />
  );
}

export function SessionsTab({ of: member }: Of) {
  const { t } = useText();
  type Row = Member['sessions'][number] & { id: string };
  const columns: Column<Row>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.createdAt} /> },
    { id: 'address', head: t('col.address'), cell: (row) => <Text size="sm">{row.address ?? '–'}</Text> },
    {
      id: 'device',
      head: t('col.device'),
      cell: (row) => (
        <Text size="xs" lineClamp={2}>
          {row.device ?? '–'}
        </Text>
      ),
    },
    { id: 'ended', head: t('col.endedAt'), cell: (row) => <When at={row.endedAt} /> },
  ];
  return (
    <DataTable
      name={t('member.sessions')}
      columns={columns}
      rows={still(member.sessions.map((row) => ({ ...row, id: `${row.createdAt} ${row.address}` })))}
      total={member.sessions.length}
    />
  );
}

export function AuditTab({ of: { id } }: Of) {
  const { t } = useText();
  type Row = Reply<'GET /api/operator/audit'>['rows'][number];
  const columns: Column<Row>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.at} /> },
    { id: 'actor', head: t('col.actor'), cell: (row) => <Text size="sm">{actorText(t, row.actor)}</Text> },
    {
      id: 'action',
      head: t('col.what'),
      cell: (row) => <Text size="sm">{labelOf(t, 'action', row.action)}</Text>,
    },
    { id: 'reason', head: t('field.reason'), cell: (row) => <Text size="sm">{row.reason ?? '–'}</Text> },
  ];
  const list = useCursorList({
    queryKey: ['audit', { subject: id }],
    read: (slice) => api('GET /api/operator/audit', { query: { ...slice, subject: `member:${id}` } }),
    rowsOf: (reply) => reply.rows,
  });
  return <DataTable name={t('nav.audit')} columns={columns} {...list} />;
}
