import { PRIZE_KINDS } from '@krapao/contract/prizes';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Tabs } from '@mantine/core';
import { Gift } from 'lucide';
import { useCallback } from 'react';
import { ChoicesBar } from '../../components/choices-filter.tsx';
import { Coupons } from '../../components/coupons.tsx';
import { Icon } from '../../components/icons.tsx';
import { FilterField, Page } from '../../components/page.tsx';
import { useAddDialog, useAddress } from '../../platform/address.ts';
import { filterOf } from '../../platform/list-call.ts';
import { LIST_CALLS } from '../../platform/list-calls.ts';
import { may, useMe } from '../../platform/me.ts';
import { Grant } from './grant.tsx';
import { Prizes } from './prizes.tsx';

const STATES = ['OPEN', 'TO_DELIVER', 'CLAIMED', 'DELIVERED', 'EXPIRED', 'REVOKED'] as const;

function CouponList() {
  const { t } = useText();
  const address = useAddress();
  const query = filterOf(LIST_CALLS.coupons, address.get);
  const setMember = useCallback((member: string) => address.set({ member: member.trim() }), [address.set]);
  const choices = [
    {
      name: 'kind',
      label: t('prize.kind'),
      options: PRIZE_KINDS.map((value) => ({ value, label: t(`prizeKind.${value}`) })),
    },
    {
      name: 'state',
      label: t('col.state'),
      options: STATES.map((value) => ({ value, label: t(`couponState.${value}`) })),
    },
  ];
  const isNarrow = query.prize !== undefined || query.batch !== undefined;
  return (
    <Coupons
      query={query}
      place={[address.get('cursor') || null, (cursor) => address.set({ cursor })]}
      filters={
        <ChoicesBar of={choices}>
          <FilterField value={address.get('member')} onChange={setMember} />
          {isNarrow && (
            <Button variant="subtle" onClick={() => address.set({ prize: null, batch: null })}>
              {t('coupon.all')}
            </Button>
          )}
        </ChoicesBar>
      }
    />
  );
}

/** Coupons won and given, and the prizes behind them. */
export function CouponsPage() {
  const { t } = useText();
  const address = useAddress();
  const canManage = may(useMe(), 'promotion.manage');
  const granting = useAddDialog();
  return (
    <Page
      title={t('nav.coupons')}
      actions={
        canManage && (
          <Button leftSection={<Icon of={Gift} />} onClick={granting.open}>
            {t('coupon.grant')}
          </Button>
        )
      }
    >
      <Tabs
        value={address.get('tab') || 'coupons'}
        onChange={(tab) => address.set({ tab: tab === 'coupons' ? null : tab })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="coupons">{t('nav.coupons')}</Tabs.Tab>
          <Tabs.Tab value="prizes">{t('coupon.prizes')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="coupons">
          <CouponList />
        </Tabs.Panel>
        <Tabs.Panel value="prizes">
          <Prizes onCoupons={(prize) => address.set({ tab: null, prize })} />
        </Tabs.Panel>
      </Tabs>
      {granting.isOpen && canManage && <Grant onClose={granting.close} />}
    </Page>
  );
}
