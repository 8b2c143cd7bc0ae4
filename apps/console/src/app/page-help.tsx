import type { Language } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Drawer, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ReadError } from '../components/read-error.tsx';
import { HELP_PAGES, type HelpPage, type HelpTexts } from '../help/types.ts';
import { labelOf } from '../platform/error-text.ts';

/** Loaded on demand, one file per language. */
const LOAD: Record<Language, () => Promise<{ HELP: HelpTexts }>> = {
  th: () => import('../help/th.ts'),
  la: () => import('../help/la.ts'),
  en: () => import('../help/en.ts'),
};

export const isHelpPage = (id: string | undefined): id is HelpPage =>
  (HELP_PAGES as readonly (string | undefined)[]).includes(id);

/** What a page is for and what its words mean, in a sheet beside it. */
export function PageHelpSheet({ page, onClose }: { page: HelpPage; onClose: () => void }) {
  const { t, language } = useText();
  const texts = useQuery({
    queryKey: ['help', language],
    queryFn: () => LOAD[language](),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const help = texts.data?.HELP[page];
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="md"
      title={<Text fw={700}>{labelOf(t, 'nav', page)}</Text>}
      closeButtonProps={{ 'aria-label': t('btn.close') }}
    >
      {texts.isPending && <Loader />}
      <ReadError of={texts} />
      {help && (
        <Stack gap="lg" pt="sm">
          <Text>{help.purpose}</Text>
          <Stack gap="xs">
            <Title order={2} size="h5">
              {t('help.terms')}
            </Title>
            <Stack component="dl" gap="sm" m={0}>
              {help.terms.map(([term, meaning]) => (
                <div key={term}>
                  <Text component="dt" fw={600} size="sm">
                    {term}
                  </Text>
                  <Text component="dd" m={0} size="sm" c="dimmed">
                    {meaning}
                  </Text>
                </div>
              ))}
            </Stack>
          </Stack>
        </Stack>
      )}
    </Drawer>
  );
}
