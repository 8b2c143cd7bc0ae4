import { Money } from '@krapao/ui/components/money.tsx';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Button, Group, Loader, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Age, Figure } from '../../components/cells.tsx';
import { useNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { doubtText } from '../../platform/doubt-text.ts';
import { errorText, wordOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link, type Path } from '../../platform/paths.ts';

const PAGES = [
  ['chats', '/chats?box=all'],
  ['withdrawals', '/withdrawals?status=REVIEW'],
  ['unmatched', '/unmatched'],
  ['reports', '/reports'],
  ['slips', '/slips?status=REVIEW'],
  ['transfers', '/transfers?state=UNKNOWN'],
  ['approvals', '/approvals?state=PENDING'],
] as const;

/** What an alert is about, as people say it: an id, or the day and the books of a comparison. */
function nameOf(t: Translate, subject: string): string {
  const [kind, day = '', source, name, ...more] = subject.split(':');
  if (kind !== 'reconciliation') return subject.replace(/^\w+:/, '');
  const said = source === 'gift' ? t('recon.gift') : source === 'bank' ? [name, ...more].join(' ') : name;
  return `${day.split('-').reverse().join('/')} · ${said}`;
}

/** Where an alert leads to. */
function placeOf(subject: string): Path {
  const [kind, id = '', ...rest] = subject.split(':');
  if (kind === 'withdrawal') return `/withdrawals?status=ALL&q=${id}&open=${id}`;
  if (kind === 'slip') return `/slips?open=${id}`;
  if (kind === 'transfer') return `/transfers?q=${id}`;
  if (kind === 'reconciliation')
    return `/reconciliation?day=${id}&source=${encodeURIComponent(rest.join(':'))}`;
  return kind === 'member' ? `/members/${id}` : '/';
}

type Alert = Reply<'GET /api/operator/today'>['alerts'][number];

/** What is told beside the kind of an alert; the kind says most of it. */
const detailOf = (t: Translate, { kind, detail }: Alert): string =>
  kind === 'reconciliation'
    ? t('recon.alert', { count: Number(detail) })
    : kind === 'slip-review' && detail
      ? detail
          .split(', ')
          .map((doubt) => doubtText(t, doubt))
          .join(' · ')
      : '';

/** What somebody must look at; whoever has seen to it says how. */
function Alerts({ of: alerts }: { of: readonly Alert[] }) {
  const { t } = useText();
  const notice = useNotice();
  const canClose = may(useMe(), 'alert.close');
  const [closing, setClosing] = useState<string | null>(null);
  const close = async (reason: string) => {
    try {
      await api('POST /api/operator/alerts/{id}/close', { params: { id: closing ?? '' }, body: { reason } });
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ['today'] });
    }
  };
  return (
    <>
      <Paper withBorder p="md">
        <Title order={2} size="h4" mb="xs">
          {t('today.alerts')}
        </Title>
        {alerts.length === 0 && <Text c="dimmed">{t('today.noAlerts')}</Text>}
        <Table>
          <Table.Tbody>
            {alerts.map((alert) => (
              <Table.Tr key={alert.id}>
                <Table.Td>
                  <Age since={alert.openedAt} />
                </Table.Td>
                <Table.Td>{wordOf(t, 'alert', alert.kind)}</Table.Td>
                <Table.Td>
                  <Anchor component={Link} href={placeOf(alert.subject)} size="sm">
                    {nameOf(t, alert.subject)}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <Text size="sm">{detailOf(t, alert)}</Text>
                </Table.Td>
                <Table.Td>
                  {canClose && (
                    <Button size="compact-sm" variant="default" onClick={() => setClosing(alert.id)}>
                      {t('today.closeAlert')}
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {closing && (
        <ActionDialog
          title={t('today.closeAlert')}
          yes={t('today.closeAlert')}
          fields={[{ name: 'reason', label: t('field.reason'), rows: 2, least: 3 }]}
          onYes={(values) => close(values.reason ?? '')}
          onClose={() => setClosing(null)}
        />
      )}
    </>
  );
}

/** The day at a glance. */
export function TodayPage() {
  const { t } = useText();
  const today = useQuery({ queryKey: ['today'], queryFn: () => api('GET /api/operator/today') });
  return (
    <Page title={t('nav.today')}>
      {today.error && <Text role="alert">{errorText(t, today.error)}</Text>}
      {today.isPending && <Loader />}
      {today.data && (
        <Stack gap="lg">
          <SimpleGrid cols={{ base: 2, md: 4, lg: 7 }}>
            {PAGES.map(([pageName, path]) => {
              const { count, oldest } = today.data.waiting[pageName];
              return (
                <Anchor key={pageName} component={Link} href={path} underline="never">
                  <Figure name={wordOf(t, 'nav', pageName)} isLate={count > 0}>
                    <Group justify="space-between" align="baseline">
                      {String(count)}
                      {oldest && <Age since={oldest} />}
                    </Group>
                  </Figure>
                </Anchor>
              );
            })}
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {today.data.cash.map((cash) => (
              <Group key={cash.currency} grow>
                <Figure name={t('today.in', { count: cash.inCount })}>
                  <Money amount={cash.in} currency={cash.currency} />
                </Figure>
                <Figure name={t('today.out', { count: cash.outCount })}>
                  <Money amount={cash.out} currency={cash.currency} />
                </Figure>
              </Group>
            ))}
          </SimpleGrid>
          <Alerts of={today.data.alerts} />
        </Stack>
      )}
    </Page>
  );
}
