import { useText } from '@krapao/ui/text/text.tsx';
import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNotice } from '../../components/notice.tsx';
import { api, queries } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import type { Member } from './types.ts';

const TAG_MAX = 40;
const TAGS_MAX = 10;

/** The tags in use, the most used first. */
export function useTagsInUse(): string[] {
  const tags = useQuery({ queryKey: ['member-tags'], queryFn: () => api('GET /api/operator/member-tags') });
  return tags.data?.tags.map(({ tag }) => tag) ?? [];
}

/** The tags of a member; operators who may write notes change them. Shows nothing to others when there are none. */
export function MemberTags({ of: { id, tags } }: { of: Member }) {
  const { t } = useText();
  const notice = useNotice();
  const canTag = may(useMe(), 'member.note');
  const known = useTagsInUse();
  const change = async (next: string[]) => {
    const params = { id };
    const body = { tags: next.map((tag) => tag.trim().slice(0, TAG_MAX)).filter(Boolean) };
    await api('POST /api/operator/members/{id}/tags', { params, body }).catch(notice.complain);
    for (const key of ['member', 'members', 'member-tags'])
      void queries.invalidateQueries({ queryKey: [key] });
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
