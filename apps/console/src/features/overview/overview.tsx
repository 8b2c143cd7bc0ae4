import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Box, Group, Loader, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useAlertActions } from '../../components/alert-actions.tsx';
import { useAlertColumns } from '../../components/alert-columns.tsx';
import { Age, Figure } from '../../components/cells.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { Link } from '../../platform/paths.ts';
import { still } from '../../platform/use-list.ts';
import { CashToday } from './cash.tsx';
import { Mentions } from './mentions.tsx';
import styles from './overview.module.css';
import { Partners } from './partners.tsx';
import { SetupList } from './setup-list.tsx';
import { Work } from './work.tsx';

/** How many alerts stand on the first page. */
const ALERTS = 10;

const PAGES = [
  ['chats', '/chats?box=all'],
  ['withdrawals', '/withdrawals?status=REVIEW'],
  ['unmatched', '/unmatched'],
  ['reports', '/reports'],
  ['slips', '/slips?status=REVIEW'],
  ['kyc', '/members?kyc=SUBMITTED'],
  ['transfers', '/transfers?state=UNKNOWN'],
  ['approvals', '/approvals?state=PENDING'],
] as const;

/** The alerts that have waited longest; the rest is a page away. */
function Alerts() {
  const { t } = useText();
  const actions = useAlertActions();
  // Only the list of all of them can be sorted.
  const columns = useAlertColumns(actions).map(({ sort: _, ...column }) => column);
  const alerts = useQuery({
    queryKey: ['alerts', 'today'],
    queryFn: () => api('GET /api/operator/alerts', { query: { limit: ALERTS } }),
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('today.alerts')}
        </Title>
        <Anchor component={Link} href="/alerts" size="sm">
          {t('today.allAlerts')}
        </Anchor>
      </Group>
      <DataTable
        name={t('today.alerts')}
        columns={columns}
        rows={still(alerts.data?.alerts)}
        total={alerts.data?.total}
        list={alerts}
        empty={t('today.noAlerts')}
      />
      {actions.dialog}
    </Stack>
  );
}

/** The day at a glance. */
export function TodayPage() {
  const { t } = useText();
  const today = useQuery({ queryKey: ['today'], queryFn: () => api('GET /api/operator/today') });
  return (
    <Page title={t('nav.today')}>
      <ReadError of={today} />
      <SetupList />
      {today.isPending && <Loader />}
      {today.data && (
        <Stack gap="lg">
          <Work />
          <Mentions />
          <Box className={styles.tiles}>
            {PAGES.map(([pageName, path]) => {
              const queue = today.data.waiting[pageName];
              if (!queue) return null;
              const { count, oldest } = queue;
              return (
                <Anchor key={pageName} component={Link} href={path} underline="never">
                  <Figure name={labelOf(t, 'nav', pageName)} isLate={count > 0}>
                    <Group justify="space-between" align="baseline">
                      {String(count)}
                      {oldest && <Age since={oldest} />}
                    </Group>
                  </Figure>
                </Anchor>
              );
            })}
          </Box>
          {today.data.cash.map((cash) => (
            <CashToday key={cash.currency} of={cash} />
          ))}
          <Partners />
          <Alerts />
        </Stack>
      )}
    </Page>
  );
}
