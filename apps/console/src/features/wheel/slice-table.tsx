import type { Currency } from '@krapao/contract/shared';
import { type Language, languageTag } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { Plus } from 'lucide';
import { useState } from 'react';
import { Icon } from '../../components/icons.tsx';
import { MoveButtons, movedBy } from '../../components/move-buttons.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { prizeText } from '../../platform/prize.ts';
import { isWhole, newSlice, SLICES, type SliceDraft, sharesOf } from './draft.ts';
import { SliceEditor } from './slice-editor.tsx';
import styles from './wheels.module.css';

const PERCENT = 100;
export const shareText = (share: number): string =>
  `${(share * PERCENT).toFixed(share > 0 && share < 0.001 ? 3 : 2)} %`;

interface TableProps {
  slices: readonly SliceDraft[];
  currency: Currency;
  language: Language;
  canManage: boolean;
  onChange: (slices: SliceDraft[]) => void;
}

function PrizeCell({
  of: slice,
  currency,
  language,
}: { of: SliceDraft } & Pick<TableProps, 'currency' | 'language'>) {
  const { t } = useText();
  const { prize, stock } = slice;
  if (!prize)
    return (
      <Text size="sm" c="dimmed">
        {t('wheel.blank')}
      </Text>
    );
  return (
    <Stack gap={0}>
      <Text size="sm">{prizeText(t, prize, currency)}</Text>
      <Text size="xs" c="dimmed">
        {[prize.name[language], stock !== null && t('wheel.stockCount', { count: stock })]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </Stack>
  );
}

/** What the slice is called, on its own colours. */
function SliceCell({ of: slice, language, index }: { of: SliceDraft; language: Language; index: number }) {
  const { t } = useText();
  return (
    <Group gap="xs" wrap="nowrap">
      <span className={styles.swatch} style={{ background: slice.bgColor, color: slice.textColor }}>
        {index + 1}
      </span>
      <Stack gap={0}>
        <Text size="sm" fw={600} lang={languageTag(language)}>
          {slice.label[language] || '–'}
        </Text>
        <Text size="xs" c={isWhole(slice) ? 'dimmed' : 'var(--warn)'}>
          {isWhole(slice) ? slice.code : t('wheel.incomplete')}
        </Text>
      </Stack>
    </Group>
  );
}

interface RowProps extends Pick<TableProps, 'currency' | 'language' | 'canManage'> {
  of: SliceDraft;
  index: number;
  share: number;
  isLast: boolean;
  onWeight: (weight: number | null) => void;
  onMove: (by: number) => void;
  onEdit: () => void;
}

function Row({ of: slice, index, share, isLast, currency, language, canManage, ...on }: RowProps) {
  const { t } = useText();
  const name = slice.label[language] || slice.code;
  return (
    <Table.Tr>
      <Table.Td>
        <SliceCell of={slice} language={language} index={index} />
      </Table.Td>
      <Table.Td>
        <PrizeCell of={slice} currency={currency} language={language} />
      </Table.Td>
      <Table.Td>
        <NumberField
          aria-label={t('wheel.weightOf', { slice: name })}
          w={92}
          ml="auto"
          max={1_000_000}
          readOnly={!canManage}
          styles={{ input: { textAlign: 'right' } }}
          value={slice.weight}
          onChange={on.onWeight}
        />
      </Table.Td>
      <Table.Td className={styles.right}>{shareText(share)}</Table.Td>
      <Table.Td>
        {canManage && (
          <Group gap={2} wrap="nowrap" justify="flex-end">
            <MoveButtons name={name} isFirst={index === 0} isLast={isLast} onMove={on.onMove} />
            <Button size="compact-sm" variant="default" onClick={on.onEdit}>
              {t('wheel.edit')}
            </Button>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** The slices with their chances: weights are written here, everything else in a sheet of its own. */
export function SliceTable({ slices, currency, language, canManage, onChange }: TableProps) {
  const { t } = useText();
  const [editing, setEditing] = useState<number | null>(null);
  const shares = sharesOf(slices);
  const put = (index: number, change: Partial<SliceDraft>) =>
    onChange(slices.with(index, { ...slices[index]!, ...change }) as SliceDraft[]);
  return (
    <Stack gap="sm">
      <div className={styles.scroll}>
        <Table verticalSpacing={6} aria-label={t('wheel.slices')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('wheel.slice')}</Table.Th>
              <Table.Th>{t('wheel.prize')}</Table.Th>
              <Table.Th className={styles.right}>{t('wheel.weight')}</Table.Th>
              <Table.Th className={styles.right}>{t('wheel.share')}</Table.Th>
              <Table.Th aria-label={t('wheel.order')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {slices.map((slice, index) => (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: a slice has no name but its place while it is written
                key={index}
                of={slice}
                index={index}
                share={shares[index]!}
                isLast={index === slices.length - 1}
                {...{ currency, language, canManage }}
                onWeight={(weight) => put(index, { weight })}
                onMove={(by) => onChange(movedBy(slices, slice, by))}
                onEdit={() => setEditing(index)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {canManage && slices.length < SLICES.most && (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<Icon of={Plus} size={16} />}
          onClick={() => {
            onChange([...slices, newSlice(slices.length)]);
            setEditing(slices.length);
          }}
        >
          {t('wheel.addSlice')}
        </Button>
      )}
      {editing !== null && slices[editing] && (
        <SliceEditor
          slice={slices[editing]}
          currency={currency}
          onKeep={(slice) => put(editing, slice)}
          onRemove={slices.length > SLICES.least ? () => onChange(slices.toSpliced(editing, 1)) : null}
          onClose={() => setEditing(null)}
        />
      )}
    </Stack>
  );
}
