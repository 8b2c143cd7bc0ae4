import type { OperatorApi } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, ONE_PAGE, refusal } from '../../testing/console-app.tsx';
import { MembersPage } from './members.tsx';

const LIST = 'GET /api/operator/members';
const TAGS = 'POST /api/operator/members/{id}/tags';
const app = await consoleApp();
const { t } = i18n;

type Member = OperatorApi[typeof LIST]['reply']['members'][number];

const member = (id: string, tags: string[]): Member => ({
  id,
  name: `Somchai ${id}`,
  phone: `081•••${id}`,
  status: 'ACTIVE',
  currency: 'BAHT',
  source: 'line',
  createdAt: '2026-11-23T06:00:00.000Z',
  wallet: 0,
  account: null,
  tags,
});
const TEN = Array.from({ length: 10 }, (_, index) => `tag ${index}`);

async function show(): Promise<void> {
  const members = [member('1', ['vip']), member('2', ['late', 'vip']), member('3', TEN)];
  app.reply(LIST, { ...ONE_PAGE, members, total: 3, sums: [] });
  app.reply('GET /api/operator/member-tags', { tags: [{ tag: 'vip', count: 2 }] });
  app.reply('GET /api/operator/choices', { sources: [], banks: [] });
  app.reply(TAGS, { message: 'OK' });
  app.show(<MembersPage />, '/members');
  await screen.findByText('tag 9');
  fireEvent.keyDown(document, { key: 'X' });
}

const sent = () => app.received(TAGS).map(({ path, body }) => [path.split('/')[4], body]);

test('a tag is added to many members; the others stay, one with ten is named before', async () => {
  await show();
  press(`${t('member.addTag')} (3)`);
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain(refusal('TAGS_MAX'));
  type(t('member.tag'), ' late ');
  within(dialog)
    .getByRole('button', { name: `${t('member.addTag')} (2)` })
    .click();
  expect(await screen.findByText(t('bulk.result', { done: 2, failed: 1 }))).toBeTruthy();
  expect(sent()).toEqual([
    ['1', { added: ['late'], removed: [] }],
    ['2', { added: ['late'], removed: [] }],
  ]);
});

test('a tag is removed from those that have it', async () => {
  await show();
  press(`${t('member.removeTag')} (3)`);
  const dialog = await screen.findByRole('dialog');
  type(t('member.tag'), 'vip');
  within(dialog)
    .getByRole('button', { name: `${t('member.removeTag')} (3)` })
    .click();
  expect(await screen.findByText(t('bulk.result', { done: 3, failed: 0 }))).toBeTruthy();
  expect(sent()).toEqual([
    ['1', { added: [], removed: ['vip'] }],
    ['2', { added: [], removed: ['vip'] }],
    ['3', { added: [], removed: ['vip'] }],
  ]);
});
