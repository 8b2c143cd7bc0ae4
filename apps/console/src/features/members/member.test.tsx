import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, MEMBER, refusal } from '../../testing/console-app.tsx';
import { MEMBER_DETAIL, NO_CHECK } from '../../testing/member.ts';
import { MemberPage } from './member.tsx';

const READ = 'GET /api/operator/members/{id}';
const FAILED = 'INTERNAL_SERVER_ERROR';
const NOTHING = { count: 0, amount: 0 };
const KYC = 'GET /api/operator/members/{id}/kyc';
const LIFETIME = 'GET /api/operator/members/{id}/lifetime';
const SHARED = 'GET /api/operator/members/{id}/shared';
const app = await consoleApp();
const { t } = i18n;

const show = () => app.show(<MemberPage id={MEMBER.id} />, `/members/${MEMBER.id}`);

beforeEach(() => {
  app.reply(READ, MEMBER_DETAIL);
  app.reply(KYC, NO_CHECK);
  app.reply(SHARED, { shared: [] });
  app.reply(LIFETIME, {
    deposits: { ...NOTHING, first: null, last: null },
    withdrawals: { ...NOTHING, last: null },
    bonuses: NOTHING,
    net: 0,
    balances: [],
  });
  app.reply('GET /api/operator/members/{id}/timeline', { previous: null, next: null, last: null, rows: [] });
  app.reply('GET /api/operator/member-tags', { tags: [] });
});

test('a failed background reading leaves the page and what is typed on it, and can be repeated', async () => {
  show();
  await screen.findByLabelText(t('member.newNote'));
  type(t('member.newNote'), 'called the bank');
  const note = () => screen.getByLabelText<HTMLTextAreaElement>(t('member.newNote')).value;
  app.refuse(READ, FAILED, {}, 503);
  await queries.invalidateQueries({ queryKey: ['member', MEMBER.id], exact: true });
  const alert = await screen.findByText(refusal(FAILED));
  expect(note()).toBe('called the bank');
  app.reply(READ, MEMBER_DETAIL);
  press(t('btn.retry'));
  await waitFor(() => expect(alert.isConnected).toBe(false));
  expect(note()).toBe('called the bank');
});

test('a member who cannot be read is an error and a button that reads again', async () => {
  app.refuse(READ, FAILED, {}, 503);
  show();
  await screen.findByText(refusal(FAILED));
  app.reply(READ, MEMBER_DETAIL);
  press(t('btn.retry'));
  await screen.findByRole('heading', { name: MEMBER.name });
});

test('each card that cannot be read is an error and a button that reads again', async () => {
  for (const card of [KYC, LIFETIME, SHARED] as const) app.refuse(card, FAILED, {}, 503);
  show();
  for (const title of ['kyc.title', 'member.lifetime', 'shared.title'] as const) {
    const card = await screen.findByRole('region', { name: t(title) });
    expect(within(card).getByRole('alert').textContent).toBe(refusal(FAILED));
  }
  app.reply(KYC, NO_CHECK);
  const card = () => screen.getByRole('region', { name: t('kyc.title') });
  fireEvent.click(within(card()).getByRole('button', { name: t('btn.retry') }));
  await waitFor(() => expect(within(card()).queryByRole('alert')).toBe(null));
  expect(within(card()).getByText(t('kyc.none'))).toBeTruthy();
});
