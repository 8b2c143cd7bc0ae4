import type { OperatorApi } from '@krapao/contract/operator';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { InviteTree } from './invite-tree.tsx';
import type { Member } from './types.ts';

const TREE = 'GET /api/operator/members/{id}/invite-tree';
const app = await consoleApp();
const { t } = i18n;

const HERE = { id: '100002', name: 'Malee' } as Member;
const one = (id: string, name: string, inviter: string | null, invited = 0) => ({
  member: { id, name },
  status: 'ACTIVE' as const,
  inviter,
  invited,
});
const REPLY: OperatorApi[typeof TREE]['reply'] = {
  members: [
    one('100001', 'Somchai', null, 1),
    one('100002', 'Malee', '100001', 1),
    one('100003', 'Noy', '100002', 7),
  ],
  shared: [{ kind: 'account', first: '100002', second: '100003' }],
};

test('every member of the tree is a link, and who shares something stands in a table', async () => {
  app.reply(TREE, REPLY);
  app.show(<InviteTree of={HERE} />, '/members/100002');
  const table = await screen.findByRole('table', { name: t('inviteTree.shared') });
  expect(within(table).getByText(t('inviteTree.account'))).toBeTruthy();
  expect(
    within(table)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/members/100002', '/members/100003']);
  const links = [...document.querySelectorAll('svg a')].map((link) => link.getAttribute('href'));
  expect(links.toSorted()).toEqual(['/members/100001', '/members/100002', '/members/100003']);
  expect(screen.getByText(`100003 · ${t('inviteTree.invited', { count: '7' })}`)).toBeTruthy();
  const graph = document.querySelector('svg > title')?.parentElement;
  expect(graph?.querySelectorAll('path')).toHaveLength(3);
});

test('a member without invitations has a sentence instead of a graph', async () => {
  app.reply(TREE, { members: [one('100002', 'Malee', null)], shared: [] });
  app.show(<InviteTree of={HERE} />, '/members/100002');
  expect(await screen.findByText(t('inviteTree.none'))).toBeTruthy();
});
