import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon, Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { Pin, PinOff } from 'lucide';
import { useState } from 'react';
import { Icon } from '../../components/icons.tsx';
import { MentionText } from '../../components/mention-text.tsx';
import { useNotice } from '../../components/notice.tsx';
import { NameOffers } from '../../components/offer-list.tsx';
import { api, queries } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { useNameOffers } from '../../platform/name-offers.ts';
import { useSingleCall } from '../../platform/single-call.ts';
import type { Member } from './types.ts';

/** What operators leave for each other about a member. */
export function Notes({ of: member }: { of: Member }) {
  const { t } = useText();
  const me = useMe();
  const notice = useNotice();
  const [text, setText] = useState('');
  const adding = useSingleCall();
  const names = useNameOffers(text, setText, true);
  const add = async () => {
    try {
      await api('POST /api/operator/members/{id}/notes', {
        params: { id: member.id },
        body: { text: text.trim() },
      });
      setText((now) => (now === text ? '' : now));
    } catch (error) {
      notice.complain(error);
    }
    void queries.invalidateQueries({ queryKey: ['member', member.id] });
  };
  const pin = async (note: string, isPinned: boolean) => {
    const params = { id: member.id, note };
    await api('POST /api/operator/members/{id}/notes/{note}/pin', { params, body: { isPinned } }).catch(
      notice.complain,
    );
    void queries.invalidateQueries({ queryKey: ['member', member.id] });
  };
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t('member.notes')}
      </Title>
      {member.notes.map((note) => (
        <Paper key={note.id} p="sm" style={{ background: 'var(--gold-soft)' }}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            <MentionText text={note.text} />
          </Text>
          <Group justify="space-between" wrap="nowrap">
            <Text size="xs" c="dimmed">
              {`${note.by} · ${dateTimeText(note.at)}`}
            </Text>
            {may(me, 'member.note') ? (
              <ActionIcon
                variant="subtle"
                size="sm"
                aria-label={t(note.isPinned ? 'member.unpin' : 'member.pin')}
                title={t(note.isPinned ? 'member.unpin' : 'member.pin')}
                aria-pressed={note.isPinned}
                onClick={() => void pin(note.id, !note.isPinned)}
              >
                <Icon of={note.isPinned ? PinOff : Pin} size={14} />
              </ActionIcon>
            ) : (
              note.isPinned && <Icon of={Pin} size={14} />
            )}
          </Group>
        </Paper>
      ))}
      {may(me, 'member.note') && (
        <>
          <NameOffers of={names} />
          <Textarea
            aria-label={t('member.newNote')}
            placeholder={t('member.newNote')}
            description={t('mentions.hint')}
            inputWrapperOrder={['input', 'description']}
            autosize
            minRows={2}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !names.offered[0] || event.nativeEvent.isComposing) return;
              event.preventDefault();
              names.choose(names.offered[0]);
            }}
          />
          <Button
            variant="default"
            disabled={text.trim() === ''}
            loading={adding.isBusy}
            onClick={() => adding.run(add)}
          >
            {t('member.addNote')}
          </Button>
        </>
      )}
    </Stack>
  );
}
