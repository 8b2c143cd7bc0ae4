import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { ReadError, type Reading } from './read-error.tsx';

interface PreparedText {
  /** What operators choose it by. */
  name: string;
  text: string;
  onChange: () => void;
  onRemove: () => void;
}

function PreparedRow({ name, text, onChange, onRemove, canEdit }: PreparedText & { canEdit: boolean }) {
  const { t } = useText();
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={2}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {text}
          </Text>
        </Stack>
        {canEdit && (
          <Group gap={4} wrap="nowrap">
            <Button size="compact-sm" variant="default" onClick={onChange}>
              {t('content.change')}
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={onRemove}>
              {t('chats.remove')}
            </Button>
          </Group>
        )}
      </Group>
    </Paper>
  );
}

/**
 * A dialog with texts that operators prepare, and the form that adds or changes one.
 * @param form absent for operators who may not edit
 */
export function PreparedTexts({
  title,
  note,
  empty,
  list,
  texts,
  form,
  onClose,
}: {
  title: string;
  note?: string;
  empty: string;
  /** How far the reading of the texts is. */
  list: Reading & { isPending: boolean };
  texts: readonly PreparedText[] | undefined;
  form: ReactNode;
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} size="lg" title={title}>
      <Stack>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        {list.isPending && <Loader size="sm" />}
        <ReadError of={list} />
        {texts?.length === 0 && <Text c="dimmed">{empty}</Text>}
        {texts?.map((one) => (
          <PreparedRow key={one.name} {...one} canEdit={Boolean(form)} />
        ))}
        {/* Not before the list: it would push the form away from under the pointer. */}
        {texts && form}
      </Stack>
    </Dialog>
  );
}
