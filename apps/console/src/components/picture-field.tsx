import { useText } from '@krapao/ui/text/text.tsx';
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { ImageUp } from 'lucide';
import { useState } from 'react';
import { sendFile } from '../platform/send-file.ts';
import { bannerPicture } from '../platform/shrink-picture.ts';
import { Icon } from './icons.tsx';
import { useNotice } from './notice.tsx';

/** Chooses a banner's picture: it is made small, uploaded, and told by its id and where it lies. */
export function PictureField({
  picture,
  onChange,
}: {
  /** What is chosen now, if anything. */
  picture: string | null;
  onChange: (picture: { id: string; path: string } | null) => void;
}) {
  const { t } = useText();
  const notice = useNotice();
  const [isBusy, setBusy] = useState(false);
  const send = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    try {
      // What the browser cannot read the server judges.
      const kept = await sendFile(await bannerPicture(file).catch(() => file));
      onChange(kept);
    } catch (error) {
      notice.complain(error);
    }
    setBusy(false);
  };
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {t('banner.picture')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('banner.pictureNote')}
      </Text>
      <Group gap="xs">
        <FileButton accept="image/jpeg,image/png,image/webp" onChange={send}>
          {(props) => (
            <Button
              {...props}
              size="compact-sm"
              variant="default"
              loading={isBusy}
              leftSection={<Icon of={ImageUp} />}
            >
              {t('banner.choosePicture')}
            </Button>
          )}
        </FileButton>
        {picture && (
          <Button size="compact-sm" variant="subtle" onClick={() => onChange(null)}>
            {t('banner.removePicture')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
