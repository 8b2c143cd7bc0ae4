import type { Language } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, type Body, type Reply } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { type SliceDraft, sharesOf } from './draft.ts';
import { Part } from './publish.tsx';
import { shareText } from './slice-table.tsx';
import styles from './wheels.module.css';

type DialogState = Body<'POST /api/operator/wheel-simulation'>['slices'];

/** 100,000 spins of what is written, beside what its weights promise. */
export function Simulation({
  slices,
  left,
  language,
}: {
  slices: readonly SliceDraft[];
  /** The stock left of each slice's prize, by its code, where known; else its whole stock. */
  left: ReadonlyMap<string, number | null>;
  language: Language;
}) {
  const { t } = useText();
  const dialog: DialogState = slices.map(({ code, weight, stock }) => ({
    weight: weight ?? 0,
    left: stock === null ? null : Math.min(stock, left.get(code) ?? stock),
  }));
  const run = useMutation({
    mutationFn: () => api('POST /api/operator/wheel-simulation', { body: { slices: dialog } }),
  });
  const shares = sharesOf(dialog.map(({ weight, left: stock }) => ({ weight, stock })));
  const result = run.data?.counts.length === slices.length ? run.data : null;
  return (
    <Part title={t('wheel.simulation')}>
      <Text size="sm">{t('wheel.simulationNote')}</Text>
      {result && <ResultTable slices={slices} shares={shares} result={result} language={language} />}
      {run.error && (
        <Text role="alert" size="sm" c="var(--bad)">
          {errorText(t, run.error)}
        </Text>
      )}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        {t('wheel.simulate')}
      </Button>
    </Part>
  );
}

/** The simulated frequency, beside the configured one. */
function ResultTable({
  slices,
  shares,
  result,
  language,
}: {
  slices: readonly SliceDraft[];
  shares: readonly number[];
  result: Reply<'POST /api/operator/wheel-simulation'>;
  language: Language;
}) {
  const { t } = useText();
  return (
    <div className={styles.scroll} aria-live="polite">
      <Table verticalSpacing={4} aria-label={t('wheel.simulation')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('wheel.slice')}</Table.Th>
            <Table.Th className={styles.right}>{t('wheel.share')}</Table.Th>
            <Table.Th className={styles.right}>{t('wheel.came')}</Table.Th>
            <Table.Th className={styles.right}>{t('wheel.times')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {slices.map((slice, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a slice has no name but its place while it is written
            <Table.Tr key={index}>
              <Table.Td>{slice.label[language] || slice.code}</Table.Td>
              <Table.Td className={styles.right}>{shareText(shares[index]!)}</Table.Td>
              <Table.Td className={styles.right}>
                {shareText(result.spins === 0 ? 0 : result.counts[index]! / result.spins)}
              </Table.Td>
              <Table.Td className={styles.right}>{result.counts[index]!.toLocaleString('en-US')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt={6}>
        {t('wheel.spinsDone', { count: result.spins.toLocaleString('en-US') })}
      </Text>
    </div>
  );
}
