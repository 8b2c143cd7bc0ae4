import { useText } from '@krapao/ui/text/text.tsx';
import { Tabs } from '@mantine/core';
import { Invites } from '../../components/invites.tsx';
import { Page } from '../../components/page.tsx';
import { Refunds } from '../../components/refunds.tsx';
import { useAddress } from '../../platform/address.ts';

/** What invites and refunds have brought members. Their terms are among the settings. */
export function InvitesRefundsPage() {
  const { t } = useText();
  const address = useAddress();
  const open = address.get('part') || 'invites';
  return (
    <Page title={t('nav.rewards')}>
      <Tabs value={open} onChange={(part) => address.set({ part })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="invites">{t('invites.title')}</Tabs.Tab>
          <Tabs.Tab value="refunds">{t('refunds.title')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="invites">
          <Invites />
        </Tabs.Panel>
        <Tabs.Panel value="refunds">
          <Refunds />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
