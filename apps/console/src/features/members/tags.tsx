import { type ChangedTags, TAG_MAX, TAGS_MAX, tagChange } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Autocomplete, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DialogField } from '../../components/action-dialog.tsx';
import { FOCUSED } from '../../components/focused.ts';
import { useNotice } from '../../components/notice.tsx';
import type { RowAction } from '../../components/row-actions.tsx';
import { api, queries } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import type { Member } from './types.ts';

/** The queries that show tags. */
export const TAGGED = ['member', 'members', 'member-tags'] as const;

/** The tags in use, the most used first. */
export function useTagsInUse(): string[] {
  const tags = useQuery({ queryKey: ['member-tags'], queryFn: () => api('GET /api/operator/member-tags') });
  return tags.data?.tags.map(({ tag }) => tag) ?? [];
}

const readAgain = () => Promise.all(TAGGED.map((key) => queries.invalidateQueries({ queryKey: [key] })));

const changeTags = (id: string, { added, removed }: ChangedTags) =>
  api('POST /api/operator/members/{id}/tags', {
    params: { id },
    body: { added: added.map((tag) => tag.trim().slice(0, TAG_MAX)).filter(Boolean), removed },
  });

type Tagged = { id: string; status: string; tags: readonly string[] };

/** The actions on many members: a tag is added or removed. */
export function useTagRowActions(): RowAction<Tagged>[] {
  const { t } = useText();
  const known = useTagsInUse();
  const field: DialogField = {
    name: 'tag',
    label: t('member.tag'),
    least: 1,
    draw: (value, onChange) => (
      <Autocomplete
        label={t('member.tag')}
        value={value}
        data={known}
        maxLength={TAG_MAX}
        onChange={onChange}
        {...FOCUSED}
      />
    ),
  };
  const change = async ({ id, status }: Tagged, changed: ChangedTags) => {
    await changeTags(id, changed);
    return status;
  };
  return [
    {
      label: t('member.addTag'),
      fields: [field],
      refusalOf: ({ tags }) => (tags.length >= TAGS_MAX ? { code: 'TAGS_MAX' } : null),
      perform: (row, { tag = '' }) => change(row, { added: [tag], removed: [] }),
    },
    {
      label: t('member.removeTag'),
      fields: [field],
      perform: (row, { tag = '' }) => change(row, { added: [], removed: [tag.trim()] }),
    },
  ];
}

/** The tags of a member; operators who may write notes change them. Shows nothing to others when there are none. */
export function MemberTags({ of: { id, tags } }: { of: Member }) {
  const { t } = useText();
  const notice = useNotice();
  const canTag = may(useMe(), 'member.note');
  const known = useTagsInUse();
  const change = async (next: string[]) => {
    await changeTags(id, tagChange(tags, next)).catch(notice.complain);
    void readAgain();
  };
  if (!canTag && tags.length === 0) return null;
  return (
    <TagsInput
      aria-label={t('member.tags')}
      placeholder={tags.length === 0 ? t('member.addTag') : ''}
      value={tags}
      data={known}
      maxTags={TAGS_MAX}
      readOnly={!canTag}
      clearable={false}
      onChange={(next) => void change(next)}
    />
  );
}
