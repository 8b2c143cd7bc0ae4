import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { useState } from 'react';
import { Tag } from '../../components/cells.tsx';
import { Icon } from '../../components/icons.tsx';
import { MoveButtons, movedBy } from '../../components/move-buttons.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSend } from '../../platform/use-send.ts';
import { BannerEditor } from './banner-editor.tsx';
import { type Banner, type Place, pictureAt } from './banner-types.ts';
import styles from './banners.module.css';

const PLACES = ['home', 'invite', 'refund'] as const;
const TONES = { SHOWN: 'ok', WAITS: 'warn', OVER: 'ink-2', OFF: 'ink-2' } as const;

function timesText(t: Translate, { startsAt, endsAt }: Banner): string {
  if (!startsAt && !endsAt) return t('banner.always');
  return [startsAt, endsAt].map((moment) => (moment ? dateTimeText(moment) : '…')).join(' – ');
}

interface RowProps {
  banner: Banner;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: number) => void;
  onChange: () => void;
}

function Row({ banner, isFirst, isLast, onMove, onChange }: RowProps) {
  const { t } = useText();
  const canManage = may(useMe(), 'content.manage');
  const { title, picture } = banner.words.th;
  return (
    <Group justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
        {picture ? (
          <img className={styles.thumb} src={pictureAt(picture)} alt="" loading="lazy" />
        ) : (
          <span className={styles.thumb} />
        )}
        <Stack gap={2} style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text size="sm" fw={600} lang="th">
              {title}
            </Text>
            <Tag tone={TONES[banner.state]}>{t(`bannerState.${banner.state}`)}</Tag>
          </Group>
          <Text size="xs" c="dimmed">
            {[timesText(t, banner), banner.link].filter(Boolean).join(' · ')}
          </Text>
        </Stack>
      </Group>
      {canManage && (
        <Group gap={4} wrap="nowrap">
          <MoveButtons name={title} isFirst={isFirst} isLast={isLast} onMove={onMove} />
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${t('content.change')} ${title}`}
            onClick={onChange}
          >
            {t('content.change')}
          </Button>
        </Group>
      )}
    </Group>
  );
}

function List({ place, banners }: { place: Place; banners: Banner[] }) {
  const { t } = useText();
  const send = useSend(['content', 'banners']);
  const canManage = may(useMe(), 'content.manage');
  const [dialog, setDialog] = useState<{ banner: Banner | null } | null>(null);
  const ids = banners.map(({ id }) => id);
  const move = (id: string, by: number) => {
    const body = { place, ids: movedBy(ids, id, by) };
    void send(() => api('POST /api/operator/banner-order', { body })).catch(() => undefined);
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={t(`bannerPlace.${place}`)}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t(`bannerPlace.${place}`)}
        </Title>
        {canManage && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon of={Plus} size={16} />}
            onClick={() => setDialog({ banner: null })}
          >
            {t('banner.add')}
          </Button>
        )}
      </Group>
      <Stack gap="sm">
        {banners.length === 0 && <Text c="dimmed">{t('banner.none')}</Text>}
        {banners.map((banner, index) => (
          <Row
            key={banner.id}
            banner={banner}
            isFirst={index === 0}
            isLast={index === banners.length - 1}
            onMove={(by) => move(banner.id, by)}
            onChange={() => setDialog({ banner })}
          />
        ))}
      </Stack>
      {dialog && <BannerEditor place={place} banner={dialog.banner} onClose={() => setDialog(null)} />}
    </Paper>
  );
}

/** Banners by the place where members see them. */
export function BannerLists() {
  const { t } = useText();
  const list = useQuery({
    queryKey: ['content', 'banners'],
    queryFn: () => api('GET /api/operator/banners'),
  });
  if (!list.data) return <ReadError of={list} />;
  const { banners } = list.data;
  return (
    <Stack>
      <ReadError of={list} />
      <Text c="dimmed">{t('banner.about')}</Text>
      {PLACES.map((place) => (
        <List key={place} place={place} banners={banners.filter((banner) => banner.place === place)} />
      ))}
    </Stack>
  );
}
