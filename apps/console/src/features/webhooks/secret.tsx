import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';

/** A secret that is shown once, to be copied. */
export function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useText();
  return (
    <Alert
      withCloseButton
      onClose={onClose}
      closeButtonLabel={t('btn.close')}
      title={t('webhook.secretOnce')}
    >
      <Stack gap="xs">
        <Text size="sm">{t('webhook.secretNote')}</Text>
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
