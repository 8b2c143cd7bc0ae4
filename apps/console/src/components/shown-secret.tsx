import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';

/** A secret that is shown once, to be copied: what it is, and what to do with it. */
export function ShownSecret({
  title,
  note,
  secret,
  onClose,
}: {
  title: string;
  note: string;
  secret: string;
  onClose: () => void;
}) {
  const { t } = useText();
  return (
    <Alert withCloseButton onClose={onClose} closeButtonLabel={t('btn.close')} title={title}>
      <Stack gap="xs">
        <Text size="sm">{note}</Text>
        <Group gap="xs" wrap="nowrap" align="stretch">
          <Code block style={{ flex: 1, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {secret}
          </Code>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} style={{ flexShrink: 0 }}>
                {t(copied ? 'btn.copied' : 'btn.copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Alert>
  );
}
