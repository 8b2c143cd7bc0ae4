import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Loader, Paper, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { State, When } from '../../components/cells.tsx';
import type { Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';

export type Run = Reply<'GET /api/operator/reconciliation'>['runs'][number];
type T = ReturnType<typeof useText>['t'];

/** What a source is called here. */
export function sourceName(t: T, run: Pick<Run, 'kind' | 'name'>): string {
  if (run.kind === 'gift') return t('recon.gift');
  if (run.kind === 'game') return t('recon.game', { name: run.name });
  return run.kind === 'gateway' ? t('recon.gateway', { name: run.name }) : run.name;
}

/** The state of a source. */
const stateOf = (run: Run): string => {
  if (run.state === 'UNKNOWN') return 'SILENT';
  if (run.state !== 'COMPARED') return run.state;
  return run.open > 0 ? 'DIFFERENT' : 'AGREED';
};

function Side({ run, side }: { run: Run; side: 'theirs' | 'ours' }) {
  const { t } = useText();
  if (run.comparedAt === null) return <Text c="dimmed">{'–'}</Text>;
  const { count, in: came, out: went } = run[side];
  const isGame = run.kind === 'game';
  return (
    <Stack gap={0} align="flex-end" style={{ whiteSpace: 'nowrap' }}>
      {isGame ? (
        <Money amount={came} currency={run.currency} />
      ) : (
        <>
          <Text size="sm" component="div">
            {t('recon.in')} <Money amount={came} currency={run.currency} />
          </Text>
          {went !== 0 && (
            <Text size="sm" component="div">
              {t('recon.out')} <Money amount={went} currency={run.currency} />
            </Text>
          )}
        </>
      )}
      <Text size="xs" c="dimmed">
        {isGame ? t('recon.accounts', { count }) : t('recon.lines', { count })}
      </Text>
    </Stack>
  );
}

function Standing({ run }: { run: Run }) {
  const { t } = useText();
  const why = run.state === 'NOT_OFFERED' && run.note ? labelOf(t, 'uncompared', run.note) : null;
  return (
    <Stack gap={2} align="flex-start">
      {run.isRunning ? (
        <Group gap={6} wrap="nowrap">
          <Loader size={14} />
          <Text size="sm">{t('recon.running')}</Text>
        </Group>
      ) : (
        <State of={stateOf(run)} />
      )}
      {why && (
        <Text size="xs" c="dimmed" maw={240}>
          {why}
        </Text>
      )}
      {run.leftOut > 0 && (
        <Text size="xs" c="dimmed" maw={240}>
          {t('recon.leftOut', { count: run.leftOut })}
        </Text>
      )}
    </Stack>
  );
}

function Count({ run }: { run: Run }) {
  const { t } = useText();
  return (
    <Stack gap={0} align="flex-end">
      <Text fw={600} c={run.open > 0 ? 'var(--warn)' : undefined}>
        {run.comparedAt === null && run.open === 0 ? '–' : run.open}
      </Text>
      {run.explained > 0 && (
        <Text size="xs" c="dimmed">
          {t('recon.explainedCount', { count: run.explained })}
        </Text>
      )}
    </Stack>
  );
}

/** Each of the partners' books beside ours; choosing one shows its differences only. */
export function Sources({
  runs,
  chosen,
  onChoose,
}: {
  runs: readonly Run[];
  chosen: string;
  onChoose: (source: string) => void;
}) {
  const { t } = useText();
  return (
    <Paper withBorder style={{ overflowX: 'auto' }}>
      <Table verticalSpacing="xs" aria-label={t('recon.source')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('recon.source')}</Table.Th>
            <Table.Th>{t('col.state')}</Table.Th>
            <Table.Th ta="right">{t('recon.theirs')}</Table.Th>
            <Table.Th ta="right">{t('recon.ours')}</Table.Th>
            <Table.Th ta="right">{t('recon.open')}</Table.Th>
            <Table.Th>{t('recon.at')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => {
            const isChosen = run.source === chosen;
            return (
              <Table.Tr key={run.source} bg={isChosen ? 'var(--brand-soft)' : undefined}>
                <Table.Td>
                  <UnstyledButton
                    aria-pressed={isChosen}
                    onClick={() => onChoose(isChosen ? '' : run.source)}
                    style={{ fontWeight: 600, whiteSpace: 'nowrap' }}
                  >
                    {sourceName(t, run)}
                  </UnstyledButton>
                  {run.file && (
                    <Text size="xs" c="dimmed" maw={220} truncate title={run.file}>
                      {t('recon.fromFile', { name: run.file })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Standing run={run} />
                </Table.Td>
                <Table.Td ta="right">
                  <Side run={run} side="theirs" />
                </Table.Td>
                <Table.Td ta="right">
                  <Side run={run} side="ours" />
                </Table.Td>
                <Table.Td ta="right">
                  <Count run={run} />
                </Table.Td>
                <Table.Td>
                  <When at={run.comparedAt} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
