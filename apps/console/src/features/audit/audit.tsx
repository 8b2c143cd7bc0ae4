import { useText } from '@krapao/ui/text/text.tsx';
import { Stack, Text } from '@mantine/core';
import { When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DaysFilter } from '../../components/day-field.tsx';
import { ListPage, TextFilter } from '../../components/list-page.tsx';
import { SubjectLink } from '../../components/subject-link.tsx';
import { actorText } from '../../platform/actor-text.ts';
import type { Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { LIST_CALLS } from '../../platform/list-calls.ts';
import { useList } from '../../platform/use-list.ts';
import { Change } from './change.tsx';

type Row = Reply<'GET /api/operator/audit'>['rows'][number];

const KINDS = [
  'withdrawal',
  'unmatched',
  'transfer',
  'member',
  'manual',
  'slip',
  'report',
  'view',
  'approval',
  'operator',
  'role',
  'reconciliation',
  'export',
  'setting',
  'webhook',
];

function useColumns(): Column<Row>[] {
  const { t } = useText();
  return [
    { id: 'at', sort: 'at', head: t('col.at'), cell: (row) => <When at={row.at} /> },
    {
      id: 'actor',
      head: t('col.actor'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{actorText(t, row.actor)}</Text>
          <Text size="xs" c="dimmed">
            {[row.role && labelOf(t, 'role', row.role), row.address].filter(Boolean).join(' · ')}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'action',
      head: t('col.what'),
      cell: (row) => <Text size="sm">{labelOf(t, 'action', row.action)}</Text>,
    },
    { id: 'subject', head: t('col.subject'), cell: (row) => <SubjectLink of={row.subject} /> },
    { id: 'change', head: t('col.change'), cell: (row) => <Change of={row} /> },
    {
      id: 'reason',
      head: t('field.reason'),
      cell: (row) => <Text size="sm">{row.reason ? labelOf(t, 'bankReason', row.reason) : '–'}</Text>,
    },
  ];
}

/** Who did what, when, why and from where. */
export function AuditPage() {
  const { t } = useText();
  const list = useList({
    ...LIST_CALLS.audit,
    rowsOf: (reply) => reply.rows,
    pageName: 'audit',
  });
  return (
    <ListPage
      list={list}
      pageName="audit"
      order="-at"
      title={t('nav.audit')}
      columns={useColumns()}
      filters={
        <>
          <TextFilter />
          <DaysFilter />
        </>
      }
      choices={[
        {
          name: 'action',
          label: t('col.what'),
          options: KINDS.map((value) => ({ value, label: labelOf(t, 'type', value) })),
        },
      ]}
    />
  );
}
