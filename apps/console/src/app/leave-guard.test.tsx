import { localized } from '@krapao/contract/shared';
import { press } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { ContentPage } from '../features/content/content.tsx';
import { labelOf } from '../platform/error-text.ts';
import { i18n } from '../platform/i18n.ts';
import { Link } from '../platform/paths.ts';
import { consoleApp, noticed } from '../testing/console-app.tsx';
import { AT } from '../testing/withdrawal.ts';
import { LeaveGuard, useExit } from './leave-guard.tsx';

const app = await consoleApp();
const { t } = i18n;
const texts = (notice: string) => localized(() => ({ notice }));
const text = (key: 'news' | 'notice') => ({
  key,
  revision: 1,
  publishedAt: AT,
  publishedBy: 'operator:malee',
  words: texts('Open'),
  draft: null,
});

const field = () =>
  within(screen.getByRole('region', { name: 'English' })).getByRole<HTMLTextAreaElement>('textbox');
const write = () => fireEvent.change(field(), { target: { value: 'Closed on Monday' } });
const leave = () => fireEvent.click(screen.getByRole('link', { name: t('nav.members') }));
const dialog = () => screen.findByRole('dialog');
const choose = async (name: string) =>
  fireEvent.click(within(await dialog()).getByRole('button', { name: new RegExp(`^${name}`) }));

/** Whether the browser would ask before the tab is closed. */
const asksBeforeClosing = (): boolean => {
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  return event.defaultPrevented;
};

beforeEach(async () => {
  app.reply('GET /api/operator/content', { content: [text('news'), text('notice')], pictures: [] });
  app.show(
    <LeaveGuard>
      <Link href="/members">{t('nav.members')}</Link>
      <ContentPage />
    </LeaveGuard>,
    '/content',
  );
  await screen.findByRole('region', { name: 'English' });
});

test('a page without changes is left at once', () => {
  expect(asksBeforeClosing()).toBe(false);
  leave();
  expect(location.pathname).toBe('/members');
});

test('unsaved changes are lost only after the operator confirms it', async () => {
  write();
  expect(asksBeforeClosing()).toBe(true);
  leave();
  await choose(t('btn.cancel'));
  expect(location.pathname).toBe('/content');
  expect(field().value).toBe('Closed on Monday');
  leave();
  await choose(t('edit.leaveYes'));
  await waitFor(() => expect(location.pathname).toBe('/members'));
});

test('another part of the page is asked about too, and nothing is unsaved after it', async () => {
  write();
  fireEvent.click(screen.getByRole('tab', { name: labelOf(t, 'content', 'notice') }));
  await choose(t('edit.leaveYes'));
  await waitFor(() => expect(field().value).toBe('Open'));
  expect(location.search).toBe('?part=notice');
  expect(asksBeforeClosing()).toBe(false);
});

function SignOut({ run }: { run: () => void }) {
  const exit = useExit();
  return (
    <button type="button" onClick={() => exit(run)}>
      {t('btn.signOut')}
    </button>
  );
}

test('another way out runs after the operator gave the changes up, and the browser asks no more', async () => {
  const ran: boolean[] = [];
  app.show(
    <LeaveGuard>
      <SignOut run={() => ran.push(asksBeforeClosing())} />
    </LeaveGuard>,
    '/content',
  );
  write();
  press(t('btn.signOut'));
  await dialog();
  expect(ran).toEqual([]);
  await choose(t('edit.leaveYes'));
  await waitFor(() => expect(ran).toEqual([false]));
});

test('saved changes are left at once', async () => {
  write();
  app.reply('PUT /api/operator/content/{key}/draft', { id: '6', words: texts('Closed on Monday') });
  press(t('content.save'));
  await noticed(t('content.saved'));
  leave();
  expect(location.pathname).toBe('/members');
});
