import { useText } from '@krapao/ui/text/text.tsx';
import { Paper, Table, Text } from '@mantine/core';
import { prizeText } from '../../platform/prize.ts';
import { sharesOf, type WheelReply } from './draft.ts';
import { shareText } from './slice-table.tsx';
import styles from './wheels.module.css';

/** How often each slice was drawn, beside its chance, and what is left of its prize. */
export function Given({ of: { wheel, versions, slices } }: { of: WheelReply }) {
  const { t, language } = useText();
  const plan = versions.find(({ version }) => version === (wheel.version ?? wheel.latest))?.plan;
  const rows = plan?.slices ?? [];
  const stocks = rows.map((slice, index) => ({ weight: slice.weight, stock: slices[index]?.left ?? null }));
  const shares = sharesOf(stocks);
  const total = slices.reduce((sum, { spins }) => sum + spins, 0);
  return (
    <Paper withBorder p="md" className={styles.scroll}>
      <Table verticalSpacing={6} aria-label={t('wheel.given')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('wheel.slice')}</Table.Th>
            <Table.Th>{t('wheel.prize')}</Table.Th>
            <Table.Th className={styles.right}>{t('wheel.share')}</Table.Th>
            <Table.Th className={styles.right}>{t('wheel.came')}</Table.Th>
            <Table.Th className={styles.right}>{t('wheel.spins')}</Table.Th>
            <Table.Th className={styles.right}>{t('wheel.left')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((slice, index) => (
            <Table.Tr key={slice.code}>
              <Table.Td>
                <Text size="sm" fw={600}>
                  {slice.label[language]}
                </Text>
                <Text size="xs" c="dimmed">
                  {slice.code}
                </Text>
              </Table.Td>
              <Table.Td>
                {slice.prize ? prizeText(t, slice.prize, wheel.currency) : t('wheel.blank')}
              </Table.Td>
              <Table.Td className={styles.right}>{shareText(shares[index]!)}</Table.Td>
              <Table.Td className={styles.right}>
                {total === 0 ? '–' : shareText((slices[index]?.spins ?? 0) / total)}
              </Table.Td>
              <Table.Td className={styles.right}>{slices[index]?.spins.toLocaleString('en-US')}</Table.Td>
              <Table.Td className={styles.right}>
                {slices[index]?.left?.toLocaleString('en-US') ?? '–'}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="xs">
        {t('wheel.givenNote')}
      </Text>
    </Paper>
  );
}
