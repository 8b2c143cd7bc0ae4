import { Text } from '@mantine/core';

const NAME = /(?<![\p{L}\p{N}_.])(@[a-z][a-z0-9.-]{1,38})/gu;

/** A note whose mentions stand out. */
export function MentionText({ text }: { text: string }) {
  // Every second part is a name, since the expression has one group.
  return text.split(NAME).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
      <Text key={at} span inherit fw={600} c="var(--brand)">
        {part}
      </Text>
    ),
  );
}
