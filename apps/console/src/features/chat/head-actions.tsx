import { MINUTE_MS } from '@krapao/contract/durations';
import { TAGS_MAX, tagChange } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Menu, TagsInput } from '@mantine/core';
import { CheckCheck, Clock, Merge, Pause, Play, Tag as TagIcon, UserRoundPlus, Users } from 'lucide';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { FOCUSED } from '../../components/focused.ts';
import { Icon } from '../../components/icons.tsx';
import { api } from '../../platform/api.ts';
import { useMe } from '../../platform/me.ts';
import { MacroMenu } from './macros.tsx';
import { MergeDialog } from './merge.tsx';
import type { Head } from './types.ts';

const PAUSES = [30, 120, 1_440] as const;

interface ActionsProps {
  of: Head;
  perform: (work: () => Promise<unknown>) => Promise<void>;
}

function Tags({ of: { chat }, perform, onClose }: ActionsProps & { onClose: () => void }) {
  const { t } = useText();
  const [tags, setTags] = useState(chat.tags);
  // What the dialog opened with: a colleague may change the tags meanwhile.
  const [before] = useState(chat.tags);
  const params = { id: chat.id };
  const save = () => api('POST /api/operator/chats/{id}/tags', { params, body: tagChange(before, tags) });
  return (
    <ActionDialog
      title={t('chats.tags')}
      yes={t('chats.saveTags')}
      onYes={() => perform(save)}
      onClose={onClose}
    >
      <TagsInput
        label={t('chats.tags')}
        description={t('chats.tagsNote')}
        maxTags={TAGS_MAX}
        value={tags}
        onChange={setTags}
        {...FOCUSED}
      />
    </ActionDialog>
  );
}

type Post = (work: () => Promise<unknown>) => void;

/** Gives the conversation to another agent or a team, or back to all. */
function TransferMenu({ of: { chat, agents, teams }, post }: { of: Head; post: Post }) {
  const { t } = useText();
  const params = { id: chat.id };
  const give = (operator: string | null) =>
    post(() => api('POST /api/operator/chats/{id}/transfer', { params, body: { operator } }));
  const giveToTeam = (team: string | null) =>
    post(() => api('POST /api/operator/chats/{id}/team', { params, body: { team } }));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon of={UserRoundPlus} />}>
          {t('chats.transfer')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {teams.length > 0 && <Menu.Label>{t('chatTeams.title')}</Menu.Label>}
        {teams
          .filter(({ id }) => chat.assignee || id !== chat.team?.id)
          .map(({ id, name }) => (
            <Menu.Item key={id} leftSection={<Icon of={Users} />} onClick={() => giveToTeam(id)}>
              {name}
            </Menu.Item>
          ))}
        {chat.team && (
          <Menu.Item onClick={() => giveToTeam(null)}>
            {t('chats.fromTeam', { name: chat.team.name })}
          </Menu.Item>
        )}
        {teams.length > 0 && <Menu.Label>{t('chats.agents')}</Menu.Label>}
        {agents
          .filter(({ id }) => id !== chat.assignee?.id)
          .map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => give(id)}>
              {name}
            </Menu.Item>
          ))}
        {chat.assignee && <Menu.Item onClick={() => give(null)}>{t('chats.toAll')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Puts the conversation aside for a while, or brings it back. */
function Snooze({ of: { chat }, post }: { of: Head; post: Post }) {
  const { t } = useText();
  const params = { id: chat.id };
  const until = (moment: string | null) =>
    post(() => api('POST /api/operator/chats/{id}/snooze', { params, body: { until: moment } }));
  if (chat.state === 'ENDED') return null;
  if (chat.state === 'SNOOZED')
    return (
      <Button variant="default" onClick={() => until(null)}>
        {t('chats.wake')}
      </Button>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon of={Clock} />}>
          {t('chats.snooze')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {PAUSES.map((minutes) => (
          <Menu.Item
            key={minutes}
            onClick={() => until(new Date(Date.now() + minutes * MINUTE_MS).toISOString())}
          >
            {t(`chatPause.${minutes}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Puts the conversation on hold for a third party, or ends the hold. */
function Hold({ of: { chat }, post }: { of: Head; post: Post }) {
  const { t } = useText();
  if (chat.state === 'ENDED') return null;
  const isHeld = chat.state === 'ON_HOLD';
  const params = { id: chat.id };
  return (
    <Button
      variant="default"
      leftSection={<Icon of={isHeld ? Play : Pause} />}
      onClick={() =>
        post(() => api('POST /api/operator/chats/{id}/hold', { params, body: { isHeld: !isHeld } }))
      }
    >
      {t(isHeld ? 'chats.unhold' : 'chats.hold')}
    </Button>
  );
}

/** Takes, hands on, puts aside, tags, ends, takes up again, and merges what a guest wrote into another conversation. */
export function HeadActions({ of: head, perform }: ActionsProps) {
  const { t } = useText();
  const me = useMe();
  const [isTagging, setTagging] = useState(false);
  const [isMerging, setMerging] = useState(false);
  const { chat } = head;
  const post: Post = (work) => void perform(work).catch(() => undefined);
  const go = (what: 'claim' | 'end' | 'reopen') => () =>
    post(() => api(`POST /api/operator/chats/{id}/${what}`, { params: { id: chat.id }, body: {} }));
  const isEnded = chat.state === 'ENDED';
  const isMine = chat.assignee?.name === me.name;
  return (
    <Group gap="xs">
      {!chat.assignee && !isEnded && <Button onClick={go('claim')}>{t('chats.take')}</Button>}
      <Button variant="default" leftSection={<Icon of={TagIcon} />} onClick={() => setTagging(true)}>
        {t('chats.tags')}
      </Button>
      {!isEnded && <MacroMenu of={chat} perform={perform} />}
      <TransferMenu of={head} post={post} />
      {chat.state !== 'ON_HOLD' && <Snooze of={head} post={post} />}
      <Hold of={head} post={post} />
      {!chat.member && (isMine || !chat.assignee) && (
        <Button variant="default" leftSection={<Icon of={Merge} />} onClick={() => setMerging(true)}>
          {t('chats.merge')}
        </Button>
      )}
      {isEnded ? (
        <Button variant="default" onClick={go('reopen')}>
          {t('chats.reopen')}
        </Button>
      ) : (
        <Button
          variant={isMine ? 'light' : 'default'}
          leftSection={<Icon of={CheckCheck} />}
          onClick={go('end')}
        >
          {t('chats.end')}
        </Button>
      )}
      {isTagging && <Tags of={head} perform={perform} onClose={() => setTagging(false)} />}
      {isMerging && <MergeDialog of={chat} perform={perform} onClose={() => setMerging(false)} />}
    </Group>
  );
}
