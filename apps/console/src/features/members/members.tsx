import { KYC_FILTERS, MEMBER_STATUSES } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { NameCell, useSelectionColumn } from '../../components/bulk.tsx';
import { Account, MemberLink, State, Tag, When } from '../../components/cells.tsx';
import type { ChoicesDef } from '../../components/choices-filter.tsx';
import type { Column } from '../../components/column.ts';
import { DaysFilter } from '../../components/day-field.tsx';
import { ListPage, TextFilter } from '../../components/list-page.tsx';
import { selectionKeys, useRowActions } from '../../components/row-actions.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { bankName } from '../../platform/bank-name.ts';
import { LIST_CALLS } from '../../platform/list-calls.ts';
import { may, useMe } from '../../platform/me.ts';
import { useGo } from '../../platform/paths.ts';
import { useList } from '../../platform/use-list.ts';
import { TAGGED, useTagRowActions, useTagsInUse } from './tags.tsx';

type Row = Reply<'GET /api/operator/members'>['members'][number];

function TagList({ of: tags }: { of: readonly string[] }) {
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Tag key={tag} tone="ink-2">
          {tag}
        </Tag>
      ))}
    </Group>
  );
}

/** The filters by what members named at registration; without the permission for the lists, their codes are shown. */
function useOriginChoices(): ChoicesDef[] {
  const { t, language } = useText();
  const canRead = may(useMe(), 'content.read');
  const choices = useQuery({
    enabled: canRead,
    queryKey: ['content', 'choices'],
    queryFn: () => api('GET /api/operator/choices'),
  });
  const { sources = [], banks = [] } = choices.data ?? {};
  return [
    {
      name: 'source',
      label: t('member.source'),
      options: sources.map((source) => ({ value: source.code, label: source[language] })),
    },
    {
      name: 'bank',
      label: t('withdrawals.bank'),
      options: banks.map(({ code, local, en }) => ({
        value: code,
        label: bankName({ bankName: local, bankNameEn: en }, language),
      })),
    },
  ];
}

/** Members by phone, id, name or account number. */
export function MembersPage() {
  const { t } = useText();
  const go = useGo();
  const tags = useTagsInUse();
  const list = useList({
    ...LIST_CALLS.members,
    rowsOf: (reply) => reply.members,
    pageName: 'members',
  });
  const canTag = may(useMe(), 'member.note');
  const many = useRowActions<Row>({
    list,
    canSelect: () => canTag,
    nameOf: ({ id, name }) => <NameCell title={name} below={id} />,
    actions: useTagRowActions(),
    queryKeys: TAGGED,
  });
  const boxes = useSelectionColumn(many.selection);
  const columns: Column<Row>[] = [
    ...(canTag ? [boxes] : []),
    { id: 'member', sort: 'name', head: t('col.member'), cell: (row) => <MemberLink of={row} /> },
    { id: 'phone', head: t('col.phone'), cell: (row) => <Text size="sm">{row.phone}</Text> },
    {
      id: 'account',
      head: t('col.account'),
      cell: (row) => (row.account ? <Account of={row.account} /> : '–'),
    },
    {
      id: 'wallet',
      head: t('col.wallet'),
      isRight: true,
      cell: (row) => <Money amount={row.wallet} currency={row.currency} />,
    },
    { id: 'tags', head: t('member.tags'), cell: (row) => <TagList of={row.tags} /> },
    { id: 'state', head: t('col.state'), cell: (row) => <State of={row.status} /> },
    { id: 'since', sort: 'createdAt', head: t('col.since'), cell: (row) => <When at={row.createdAt} /> },
  ];
  return (
    <ListPage
      list={list}
      pageName="members"
      order="-createdAt"
      title={t('nav.members')}
      columns={columns}
      onOpen={(row) => go(`/members/${row.id}`)}
      keys={(row) => (canTag ? selectionKeys(many.selection, row) : {})}
      filters={
        <>
          <TextFilter />
          <DaysFilter />
        </>
      }
      selectionBar={many.bar}
      choices={[
        {
          name: 'status',
          label: t('col.state'),
          options: MEMBER_STATUSES.map((value) => ({ value, label: t(`state.${value}`) })),
        },
        { name: 'tag', label: t('member.tags'), options: tags.map((value) => ({ value, label: value })) },
        ...useOriginChoices(),
        {
          name: 'kyc',
          label: t('kyc.title'),
          options: KYC_FILTERS.map((value) => ({ value, label: t(`state.${value}`) })),
        },
      ]}
    >
      {many.dialog}
    </ListPage>
  );
}
