import type { Currency } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api, type Query, queries, type Reply } from '../platform/api.ts';
import { LIST_CALLS } from '../platform/list-calls.ts';
import { may, useMe } from '../platform/me.ts';
import { worthText } from '../platform/prize.ts';
import { type Place, useCursorList } from '../platform/use-list.ts';
import { ActionDialog } from './action-dialog.tsx';
import { MemberLink, Tag, When } from './cells.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { ListTools } from './list-tools.tsx';
import { useNotice } from './notice.tsx';

type Coupon = Reply<'GET /api/operator/coupons'>['coupons'][number];
type CouponFilter = Query<'GET /api/operator/coupons'>;

const TONES = {
  OPEN: 'brand',
  CLAIMED: 'ok',
  DELIVERED: 'ok',
  TO_DELIVER: 'warn',
  EXPIRED: 'ink-2',
  REVOKED: 'bad',
} as const;

const REASON = { name: 'reason', rows: 2, least: 3 } as const;

/** Runs one action on coupons, reports the outcome, and reads them again; rethrows. */
function useCouponAction() {
  const notice = useNotice();
  return async (work: () => Promise<string>): Promise<void> => {
    try {
      notice.say(await work());
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: ['coupons'] });
    }
  };
}

/** Takes one back, or all that were given with it. */
function Revoke({ of: coupon, onClose }: { of: Coupon; onClose: () => void }) {
  const { t, language } = useText();
  const perform = useCouponAction();
  const revoke = ({ scope, reason = '' }: Record<string, string>) =>
    perform(async () => {
      const coupons = scope === 'batch' ? { batch: coupon.batch! } : { ids: [coupon.id] };
      const { revoked, left } = await api('POST /api/operator/coupon-revocations', {
        body: { coupons, reason },
      });
      return t('coupon.revoked', { revoked: revoked.length, left: left.length });
    });
  const scope = {
    name: 'scope',
    label: t('coupon.scope'),
    value: 'one',
    options: [
      { value: 'one', label: t('coupon.scopeOne') },
      { value: 'batch', label: t('coupon.scopeBatch') },
    ],
  };
  return (
    <ActionDialog
      title={t('coupon.revoke')}
      yes={t('coupon.revoke')}
      isDangerous
      fields={[...(coupon.batch ? [scope] : []), { ...REASON, label: t('field.reason') }]}
      onYes={revoke}
      onClose={onClose}
    >
      <Text size="sm">{`${coupon.prize.name[language]} · ${coupon.member.name}`}</Text>
    </ActionDialog>
  );
}

/** Notes that an item was handed over. */
function Deliver({ of: coupon, onClose }: { of: Coupon; onClose: () => void }) {
  const { t, language } = useText();
  const perform = useCouponAction();
  const deliver = ({ reason = '' }: Record<string, string>) =>
    perform(async () => {
      await api('POST /api/operator/coupons/{id}/deliver', { params: { id: coupon.id }, body: { reason } });
      return t('couponState.DELIVERED');
    });
  return (
    <ActionDialog
      title={t('coupon.deliver')}
      yes={t('coupon.deliver')}
      fields={[{ ...REASON, label: t('coupon.deliverNote') }]}
      onYes={deliver}
      onClose={onClose}
    >
      <Text size="sm">{`${coupon.prize.name[language]} · ${coupon.member.name}`}</Text>
    </ActionDialog>
  );
}

type OpenDialog = (action: 'revoke' | 'deliver', coupon: Coupon) => void;

function Actions({ of: coupon, openDialog }: { of: Coupon; openDialog: OpenDialog }) {
  const { t } = useText();
  if (!may(useMe(), 'promotion.manage')) return null;
  if (coupon.state === 'TO_DELIVER')
    return (
      <Button size="compact-sm" onClick={() => openDialog('deliver', coupon)}>
        {t('coupon.deliver')}
      </Button>
    );
  if (coupon.state !== 'OPEN') return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => openDialog('revoke', coupon)}>
      {t('coupon.revoke')}
    </Button>
  );
}

/** The columns of a list of coupons. */
function useCouponColumns(isOfMember: boolean, openDialog: OpenDialog): Column<Coupon>[] {
  const { t, language } = useText();
  const member: Column<Coupon> = {
    id: 'member',
    head: t('col.member'),
    cell: (row) => <MemberLink of={row.member} />,
  };
  return [
    { id: 'at', sort: 'createdAt', head: t('col.at'), cell: (row) => <When at={row.createdAt} /> },
    ...(isOfMember ? [] : [member]),
    {
      id: 'prize',
      head: t('wheel.prize'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{row.prize.name[language]}</Text>
          <Text size="xs" c="dimmed">
            {t(`prizeKind.${row.prize.kind}`)}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'value',
      head: t('prize.value'),
      isRight: true,
      cell: (row) => (
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {worthText(t, { kind: row.prize.kind, value: row.value }, row.currency as Currency)}
        </Text>
      ),
    },
    {
      id: 'source',
      head: t('coupon.from'),
      cell: (row) => (
        <Text size="sm">
          {row.slice
            ? t('coupon.fromWheel', { slice: row.slice })
            : t('coupon.fromOperators', { by: row.by ?? '' })}
        </Text>
      ),
    },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => (
        <Stack gap={2} align="flex-start">
          <Tag tone={TONES[row.state]}>{t(`couponState.${row.state}`)}</Tag>
          {(row.deliveredAt ?? row.endedAt) && <When at={row.deliveredAt ?? row.endedAt} />}
        </Stack>
      ),
    },
    {
      id: 'expires',
      sort: 'expiresAt',
      head: t('coupon.expires'),
      cell: (row) => <When at={row.expiresAt} />,
    },
    { id: 'actions', head: '', cell: (row) => <Actions of={row} openDialog={openDialog} /> },
  ];
}

interface ListProps {
  query: CouponFilter;
  /** The position of the list, where the address stores it. */
  place?: Place;
  isOfMember?: boolean;
  /** Where it is a page's list: what narrows it. */
  filters?: ReactNode;
}

/** Coupons of a filter, with what can be done with each. */
export function Coupons({ query, place, isOfMember = false, filters }: ListProps) {
  const { t } = useText();
  const [dialog, setDialog] = useState<{ action: 'revoke' | 'deliver'; coupon: Coupon } | null>(null);
  const columns = useCouponColumns(isOfMember, (action, coupon) => setDialog({ action, coupon }));
  const list = useCursorList(
    {
      queryKey: [...LIST_CALLS.coupons.queryKey, query],
      read: (paging) => LIST_CALLS.coupons.read({ ...query, ...paging }),
      rowsOf: (reply) => reply.coupons,
    },
    place,
  );
  const props = dialog && { of: dialog.coupon, onClose: () => setDialog(null) };
  return (
    <>
      {filters && (
        <Group justify="space-between" mb="md">
          {filters}
          <Group gap="xs">
            <ListTools pageName="coupons" columns={columns} query={query} />
          </Group>
        </Group>
      )}
      <DataTable
        empty={t('empty.coupons')}
        pageName={filters ? 'coupons' : undefined}
        name={t('nav.coupons')}
        order="-createdAt"
        columns={columns}
        {...list}
      />
      {props && (dialog.action === 'revoke' ? <Revoke {...props} /> : <Deliver {...props} />)}
    </>
  );
}

/** A member's coupons, newest first. */
export function MemberCoupons({ id }: { id: string }) {
  return (
    <Group grow>
      <Coupons query={{ member: id }} isOfMember />
    </Group>
  );
}
