import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { sendFile } from '../platform/send-file.ts';
import { bannerPicture } from '../platform/shrink-picture.ts';
import { UploadButton } from './upload-button.tsx';

/** Chooses a picture for members: scales it down, uploads it, and passes its id and address to `onChange`. */
export function PictureField({
  picture,
  note,
  onChange,
}: {
  /** Text on the size that fits; by default that of a banner. */
  note?: string;
  /** What is chosen now, if anything. */
  picture: string | null;
  onChange: (picture: { id: string; path: string } | null) => void;
}) {
  const { t } = useText();
  const send = async (file: File) => {
    // What the browser cannot read the server judges.
    onChange(await sendFile(await bannerPicture(file).catch(() => file)));
  };
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {t('banner.picture')}
      </Text>
      <Text size="xs" c="dimmed">
        {note ?? t('banner.pictureNote')}
      </Text>
      <Group gap="xs">
        <UploadButton
          size="compact-sm"
          label={t('banner.choosePicture')}
          accept="image/jpeg,image/png,image/webp"
          onFile={send}
        />
        {picture && (
          <Button size="compact-sm" variant="subtle" onClick={() => onChange(null)}>
            {t('banner.removePicture')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
