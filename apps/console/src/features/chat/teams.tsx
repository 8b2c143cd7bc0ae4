import { CHAT_TEAM_MEMBERS_MAX, CHAT_TEAMS_MAX } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide';
import { type FormEvent, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag } from '../../components/cells.tsx';
import { PreparedTexts } from '../../components/prepared-texts.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { useSingleCall } from '../../platform/single-call.ts';
import { useSend } from '../../platform/use-send.ts';
import type { Chat } from './types.ts';

type Team = Reply<'GET /api/operator/chat-teams'>['teams'][number];
/** A team as it is to be; without an id a new one. */
interface Draft {
  id: string | null;
  name: string;
  members: string[];
}

const NOTHING: Draft = { id: null, name: '', members: [] };

/** The team that a conversation belongs to. */
export function TeamTag({ of: { team } }: { of: Chat }) {
  if (!team) return null;
  return (
    <Tag tone="brand" icon={Users}>
      {team.name}
    </Tag>
  );
}

interface FormProps {
  of: Draft;
  agents: Team['members'];
  onChange: (draft: Draft) => void;
  isBusy: boolean;
  onSave: () => void;
}

function Form({ of: draft, agents, onChange, isBusy, onSave }: FormProps) {
  const { t } = useText();
  const isGood = draft.name.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isGood) onSave();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('chatTeams.name')}
          required
          maxLength={60}
          value={draft.name}
          onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
        />
        <MultiSelect
          label={t('chatTeams.members')}
          description={t('chatTeams.membersNote')}
          data={agents.map(({ id, name }) => ({ value: id, label: name }))}
          maxValues={CHAT_TEAM_MEMBERS_MAX}
          value={draft.members}
          onChange={(members) => onChange({ ...draft, members })}
          searchable
          clearable
        />
        <Group justify="flex-end">
          {draft.id !== null && (
            <Button variant="default" onClick={() => onChange(NOTHING)}>
              {t('btn.cancel')}
            </Button>
          )}
          <Button type="submit" loading={isBusy} disabled={!isGood}>
            {t(draft.id === null ? 'chatTeams.add' : 'chatTeams.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The teams of agents: who is in which. */
export function Teams({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const send = useSend(['teams']);
  const [draft, setDraft] = useState(NOTHING);
  const saving = useSingleCall();
  const [removed, setRemoved] = useState<Team | null>(null);
  const list = useQuery({ queryKey: ['teams'], queryFn: () => api('GET /api/operator/chat-teams') });
  const teams = list.data?.teams;
  const save = async (saved: Draft) => {
    const { id, name, members } = saved;
    const body = { name: name.trim(), members };
    await send(() =>
      id === null
        ? api('POST /api/operator/chat-teams', { body })
        : api('PUT /api/operator/chat-teams/{id}', { params: { id }, body }),
    );
    setDraft((now) => (now === saved ? NOTHING : now));
  };
  const remove = async (id: string) => {
    await send(() => api('DELETE /api/operator/chat-teams/{id}', { params: { id } }));
    if (draft.id === id) setDraft(NOTHING);
  };
  if (removed)
    return (
      <ActionDialog
        title={t('chatTeams.removeTitle', { name: removed.name })}
        yes={t('chatTeams.removeYes')}
        isDangerous
        onYes={() => remove(removed.id)}
        onClose={() => setRemoved(null)}
      >
        <Text size="sm">{t('chatTeams.removeNote')}</Text>
      </ActionDialog>
    );
  const isFull = draft.id === null && (teams?.length ?? 0) >= CHAT_TEAMS_MAX;
  return (
    <PreparedTexts
      title={t('chatTeams.title')}
      note={t('chatTeams.note')}
      empty={t('chatTeams.none')}
      list={list}
      texts={teams?.map((team) => ({
        name: team.name,
        text: team.members.map(({ name }) => name).join(', ') || t('chatTeams.noMembers'),
        onChange: () => setDraft({ id: team.id, name: team.name, members: team.members.map(({ id }) => id) }),
        onRemove: () => setRemoved(team),
      }))}
      form={
        isFull ? (
          <Text size="sm">{t('chatTeams.full', { max: CHAT_TEAMS_MAX })}</Text>
        ) : (
          <Form
            of={draft}
            agents={list.data?.agents ?? []}
            onChange={setDraft}
            isBusy={saving.isBusy}
            onSave={() => saving.run(() => save(draft))}
          />
        )
      }
      isBusy={saving.isBusy}
      onClose={onClose}
    />
  );
}
