import { useText } from '@krapao/ui/text/text.tsx';
import { Center, Loader, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Tag } from '../../components/cells.tsx';
import { NewerVersion } from '../../components/newer-version.tsx';
import { Page } from '../../components/page.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { useAddress } from '../../platform/address.ts';
import { api } from '../../platform/api.ts';
import { useEditedVersion } from '../../platform/edited-version.ts';
import { labelOf } from '../../platform/error-text.ts';
import { BannerLists } from './banners.tsx';
import { ChoiceLists } from './choices.tsx';
import { Editor } from './editor.tsx';
import { GuideList } from './guides.tsx';
import type { Content, Pictures } from './types.ts';

/** The part that is shown where the address names none. */
const FIRST = 'news';
const CHOICES = 'choices';
const BANNERS = 'banners';
const GUIDES = 'guides';

/** One text, which follows the server until it is changed. */
function TextTab({ row, pictures }: { row: Content; pictures: Pictures }) {
  const edited = useEditedVersion(row, `${row.revision} ${row.draft?.id ?? ''}`);
  return (
    <Stack gap="md">
      <NewerVersion of={edited} />
      <Editor
        key={edited.key}
        row={edited.value}
        pictures={pictures}
        isOutdated={edited.isOutdated}
        onChanged={edited.setChanged}
      />
    </Stack>
  );
}

/** What members read, written here: drafted, looked at, published, brought back. */
export function ContentPage() {
  const { t } = useText();
  const address = useAddress();
  const list = useQuery({ queryKey: ['content'], queryFn: () => api('GET /api/operator/content') });
  const rows = list.data?.content ?? [];
  const open = address.get('part') || FIRST;
  const row = rows.find(({ key }) => key === open);
  return (
    <Page title={t('nav.content')}>
      {list.isPending && (
        <Center>
          <Loader />
        </Center>
      )}
      <ReadError of={list} />
      {list.data && (
        <Tabs
          value={open}
          onChange={(part) => address.set({ part: part === FIRST ? null : part })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            {rows.map(({ key, draft }) => (
              <Tabs.Tab
                key={key}
                value={key}
                rightSection={draft && <Tag tone="warn">{t('content.drafted')}</Tag>}
              >
                {labelOf(t, 'content', key)}
              </Tabs.Tab>
            ))}
            <Tabs.Tab value={BANNERS}>{t('banner.banners')}</Tabs.Tab>
            <Tabs.Tab value={GUIDES}>{t('guide.guides')}</Tabs.Tab>
            <Tabs.Tab value={CHOICES}>{t('content.choices')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value={open}>
            {row && <TextTab key={row.key} row={row} pictures={list.data.pictures} />}
            {open === BANNERS && <BannerLists />}
            {open === GUIDES && <GuideList />}
            {open === CHOICES && <ChoiceLists />}
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
