import type { Currency } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon, Anchor, Button, Group, Kbd, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide';
import { type MouseEvent, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { useSelectionColumn } from '../../components/bulk.tsx';
import { State, Waiting } from '../../components/cells.tsx';
import type { ChoicesDef } from '../../components/choices-filter.tsx';
import type { Column } from '../../components/column.ts';
import styles from '../../components/decision.module.css';
import { Icon, LongText } from '../../components/icons.tsx';
import { AmountFilter, ChoiceFilter, ListPage } from '../../components/list-page.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { SubjectLink } from '../../components/subject-link.tsx';
import { useUndo } from '../../components/undo.ts';
import { WithdrawalFacts } from '../../components/withdrawal-facts.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { LIST_CALLS } from '../../platform/list-calls.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link } from '../../platform/paths.ts';
import { useList } from '../../platform/use-list.ts';
import { valueText } from '../../platform/value-text.ts';
import { type Bulk, BulkBar, useBulk } from './bulk.tsx';
import { RequestThread } from './thread.tsx';

type Row = Reply<'GET /api/operator/approvals'>['approvals'][number];
type Action = 'approve' | 'refuse';

const STATES = ['PENDING', 'APPROVED', 'REFUSED', 'WITHDRAWN', 'LAPSED'] as const;
const readAgain = () => queries.invalidateQueries();

/** What is shown last, in this order; the database stores none. */
const ORDER = ['fromName', 'name', 'fromLimits', 'limits', 'from', 'to', 'address'];
/** What will change, as the maker saw it: money as money, the rest as names and values. */
function Summary({ of: row }: { of: Row }) {
  const { t } = useText();
  const { amount, currency, ...rest } = row.summary;
  return (
    <Stack gap={0}>
      {typeof amount === 'number' && (
        <Money amount={amount} currency={(currency as Currency) ?? 'BAHT'} size={18} />
      )}
      <Text size="sm" style={{ wordBreak: 'break-word' }}>
        <LongText
          text={Object.entries(rest)
            .toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
            .map(([name, value]) => `${labelOf(t, 'sum', name)} ${valueText(t, name, value)}`)
            .join(' · ')}
        />
      </Text>
    </Stack>
  );
}

/** The full numbers of both accounts, for comparison; the audit trail records who looked. */
function Accounts({ of: row }: { of: Row }) {
  const { t } = useText();
  const notice = useNotice();
  const [shown, setShown] = useState<Reply<'POST /api/operator/approvals/{id}/accounts'> | null>(null);
  if (!may(useMe(), 'member.reveal')) return null;
  const show = () =>
    api('POST /api/operator/approvals/{id}/accounts', { params: { id: row.id } }).then(
      setShown,
      notice.complain,
    );
  if (shown)
    return (
      <Text size="sm" fw={600}>
        {`${labelOf(t, 'sum', 'from')} ${shown.from} · ${labelOf(t, 'sum', 'to')} ${shown.to}`}
      </Text>
    );
  return (
    <Button variant="default" size="compact-sm" onClick={show} style={{ alignSelf: 'flex-start' }}>
      {t('approval.reveal')}
    </Button>
  );
}

const withdrawalOf = (row: Row): string | undefined => /^withdrawal:(.+)$/.exec(row.subject)?.[1];

/** The withdrawal that a request is about, as its maker saw it and as it is now. */
function Withdrawal({ id }: { id: string }) {
  const detail = useQuery({
    queryKey: ['withdrawal', id],
    queryFn: () => api('GET /api/operator/withdrawals/{id}', { params: { id } }),
  });
  return (
    <>
      <ReadError of={detail} />
      <Anchor component={Link} href={`/withdrawals?status=ALL&open=${id}`} size="sm">
        {id}
      </Anchor>
      {detail.data && <WithdrawalFacts of={detail.data} />}
    </>
  );
}

interface PanelProps {
  row: Row;
  openDialog: OpenDialog;
  takeBack: (row: Row) => void;
  onClose: () => void;
}

/** The request that is open beside the list, with what it is about and its decision. */
function RequestPanel({ row, openDialog, takeBack, onClose }: PanelProps) {
  const { t } = useText();
  const withdrawal = withdrawalOf(row);
  const canRead = may(useMe(), 'withdrawal.read');
  return (
    <SidePanel name={labelOf(t, 'action', row.action)}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600}>{labelOf(t, 'action', row.action)}</Text>
        <ActionIcon variant="subtle" aria-label={t('btn.close')} onClick={onClose}>
          <Icon of={X} />
        </ActionIcon>
      </Group>
      {!(withdrawal && canRead && row.action === 'withdrawal.approve') && <Summary of={row} />}
      <Text size="sm" c="dimmed">
        {[t('approval.by', { maker: row.maker }), row.reason].filter(Boolean).join(' · ')}
      </Text>
      <RequestThread of={row} />
      {withdrawal && canRead && <Withdrawal id={withdrawal} />}
      {row.mayCheck && (
        <Group grow className={styles.actions}>
          <Button rightSection={<Kbd>{'a'}</Kbd>} onClick={() => openDialog(row, 'approve')}>
            {t('approval.approve')}
          </Button>
          <Button
            className="danger"
            rightSection={<Kbd>{'r'}</Kbd>}
            onClick={() => openDialog(row, 'refuse')}
          >
            {t('approval.refuse')}
          </Button>
        </Group>
      )}
      {row.mayWithdraw && (
        <Group grow className={styles.actions}>
          <Button variant="default" onClick={() => takeBack(row)}>
            {t('approval.withdraw')}
          </Button>
        </Group>
      )}
    </SidePanel>
  );
}

function Decide({ row, action, onClose }: { row: Row; action: Action; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const { offer } = useUndo();
  const params = { id: row.id };
  const send = async (values: Record<string, string>) => {
    try {
      if (action === 'approve') {
        const { undoSeconds } = await api('POST /api/operator/approvals/{id}/approve', { params, body: {} });
        const withdrawal = withdrawalOf(row);
        if (undoSeconds && withdrawal)
          offer(t('withdrawals.decided-APPROVE'), { ids: [withdrawal], seconds: undoSeconds });
        else notice.say(t('approval.approved'));
      } else {
        await api('POST /api/operator/approvals/{id}/refuse', { params, body: { note: values.note ?? '' } });
        notice.say(t('approval.refused'));
      }
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void readAgain();
    }
  };
  return (
    <ActionDialog
      title={labelOf(t, 'action', row.action)}
      yes={action === 'approve' ? t('approval.approve') : t('approval.refuse')}
      isDangerous={action === 'refuse'}
      fields={action === 'refuse' ? [{ name: 'note', label: t('field.note'), rows: 2, least: 3 }] : []}
      onYes={send}
      onClose={onClose}
    >
      <Summary of={row} />
      {row.action === 'account.change' && <Accounts of={row} />}
      <Text size="sm" c="dimmed">
        {t('approval.by', { maker: row.maker })}
        {row.reason ? ` · ${row.reason}` : ''}
      </Text>
    </ActionDialog>
  );
}

/** Why a request lapsed before its time was over, or null. */
function lapsedText(t: Translate, { lapsedBecause }: Row): string | null {
  if (lapsedBecause === 'MAKER') return t('approval.lapsedMaker');
  return lapsedBecause === 'PASSWORD' ? t('approval.lapsedPassword') : null;
}

/** What the panel of an open request shows already needs no column beside it. */
const IN_PANEL = ['maker', 'actions'];

/** A press of a button in a row that does not open the row as well. */
const pressed = (action: () => void) => (event: MouseEvent) => {
  event.stopPropagation();
  action();
};

type OpenDialog = (row: Row, action: Action) => void;

function useColumns(bulk: Bulk, openDialog: OpenDialog, takeBack: (row: Row) => void): Column<Row>[] {
  const { t } = useText();
  const boxes = useSelectionColumn(bulk);
  return [
    boxes,
    {
      id: 'age',
      sort: 'madeAt',
      head: t('col.age'),
      cell: (row) => <Waiting since={row.madeAt} isWaiting={row.state === 'PENDING'} />,
    },
    {
      id: 'what',
      head: t('col.what'),
      cell: (row) => (
        <Stack gap={0} miw={120}>
          <Text size="sm" fw={600}>
            {labelOf(t, 'action', row.action)}
          </Text>
          <SubjectLink of={row.subject} />
        </Stack>
      ),
    },
    { id: 'summary', head: t('col.change'), cell: (row) => <Summary of={row} /> },
    {
      id: 'maker',
      head: t('col.maker'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{row.maker}</Text>
          <Text size="xs" c="dimmed">
            {row.reason ?? ''}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => (
        <Stack gap={0}>
          <State of={row.state} />
          <Text size="xs" c="dimmed">
            {lapsedText(t, row) ?? [row.checker, row.note].filter(Boolean).join(' · ')}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'actions',
      head: '',
      cell: (row) => (
        <Group gap={6} wrap="nowrap">
          {row.mayCheck && (
            <>
              <Button size="compact-sm" onClick={pressed(() => openDialog(row, 'approve'))}>
                {t('approval.approve')}
              </Button>
              <Button size="compact-sm" className="danger" onClick={pressed(() => openDialog(row, 'refuse'))}>
                {t('approval.refuse')}
              </Button>
            </>
          )}
          {row.mayWithdraw && (
            <Button size="compact-sm" variant="default" onClick={pressed(() => takeBack(row))}>
              {t('approval.withdraw')}
            </Button>
          )}
        </Group>
      ),
    },
  ];
}

/** The filter by the action of the requests. */
function useKindChoices(): ChoicesDef {
  const { t } = useText();
  const kinds = useQuery({
    queryKey: ['approval-kinds'],
    queryFn: () => api('GET /api/operator/approval-kinds'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    name: 'action',
    label: t('col.what'),
    options: (kinds.data?.kinds ?? []).map((value) => ({ value, label: labelOf(t, 'action', value) })),
  };
}

/** Requests that wait for a second person; its maker never decides it. */
export function ApprovalsPage() {
  const { t } = useText();
  const notice = useNotice();
  const [dialog, setDialog] = useState<{ row: Row; action: Action } | null>(null);
  const kindChoices = useKindChoices();
  const list = useList({
    ...LIST_CALLS.approvals,
    rowsOf: (reply) => reply.approvals,
    pageName: 'approvals',
  });
  const bulk = useBulk(list);
  const openDialog = (row: Row, action: Action) => row.mayCheck && setDialog({ row, action });
  const takeBack = async (row: Row) => {
    await api('POST /api/operator/approvals/{id}/withdraw', { params: { id: row.id } }).catch(
      notice.complain,
    );
    void readAgain();
  };
  return (
    <ListPage
      list={list}
      pageName="approvals"
      order="-madeAt"
      title={t('nav.approvals')}
      empty={t('empty.approvals')}
      columns={useColumns(bulk, openDialog, takeBack)}
      inPanel={IN_PANEL}
      panel={(id, onClose) => {
        const open = list.rows.find(({ row }) => row.id === id)?.row;
        return (
          open && (
            <RequestPanel key={id} row={open} openDialog={openDialog} takeBack={takeBack} onClose={onClose} />
          )
        );
      }}
      keys={(row) => ({
        x: () => row && bulk.toggle(row),
        X: bulk.toggleAll,
        a: () => (bulk.selected.size > 0 ? bulk.openDialog('approve') : row && openDialog(row, 'approve')),
        r: () => (bulk.selected.size > 0 ? bulk.openDialog('refuse') : row && openDialog(row, 'refuse')),
      })}
      filters={
        <>
          <ChoiceFilter
            name="whose"
            label={t('col.maker')}
            options={[
              { value: 'others', label: t('approval.others') },
              { value: 'mine', label: t('approval.mine') },
            ]}
          />
          <AmountFilter name="amountMin" label={t('withdrawals.amountMin')} />
          <AmountFilter name="amountMax" label={t('withdrawals.amountMax')} />
        </>
      }
      selectionBar={bulk.selected.size > 0 && <BulkBar bulk={bulk} />}
      choices={[
        {
          name: 'state',
          label: t('col.state'),
          initial: 'PENDING',
          options: STATES.map((value) => ({ value, label: t(`state.${value}` as never) })),
        },
        kindChoices,
      ]}
    >
      {dialog && <Decide {...dialog} onClose={() => setDialog(null)} />}
      {bulk.dialog}
    </ListPage>
  );
}
