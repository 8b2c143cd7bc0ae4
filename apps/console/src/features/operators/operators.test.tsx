import type { OperatorApi } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { TeamPage } from './operators.tsx';

const LIST = 'GET /api/operator/operators';
const INVITE = 'POST /api/operator/operators';
const app = await consoleApp();
const { t } = i18n;
type Row = OperatorApi[typeof LIST]['reply']['operators'][number];

const ROW: Row = {
  ...{ name: 'malee', role: 'support', status: 'ACTIVE', sessions: 1, limits: [] },
  createdAt: '2026-01-05T00:00:00.000Z',
  lastSeenAt: null,
};

test('links that are shown once stay until each is closed, whatever is done meanwhile', async () => {
  app.reply(LIST, { operators: [ROW] });
  app.reply('GET /api/operator/roles', { roles: [], currencies: ['BAHT'], permissions: [] });
  app.reply('POST /api/operator/operators/{name}/sessions/end', { ended: 1 });
  app.show(<TeamPage />, '/team');
  const confirm = async (label: string, name?: string): Promise<void> => {
    const dialog = await screen.findByRole('dialog');
    if (name) type(new RegExp(t('signIn.name')), name);
    type(/Reason/, 'as agreed');
    fireEvent.click(within(dialog).getByRole('button', { name: label }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  const invite = async (name: string): Promise<void> => {
    app.reply(INVITE, { token: `token-of-${name}`, approval: 'AP1', expiresAt: null });
    press(t('team.invite'));
    await confirm(t('team.invite'), name);
  };
  const links = () => [...document.querySelectorAll('pre')].map(({ textContent }) => textContent);
  await screen.findByText('malee');
  await invite('som');
  await invite('lek');
  press(t('team.more', { name: 'malee' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: t('member.endSessions') }));
  await confirm(t('member.endSessions'));
  const both = ['som', 'lek'].map((name) => expect.stringMatching(new RegExp(`token-of-${name}$`)));
  expect(links()).toEqual(both);
  const [first] = screen.getAllByRole('alert').filter(({ textContent }) => textContent?.includes('som'));
  fireEvent.click(within(first!).getByRole('button', { name: t('btn.close') }));
  expect(links()).toEqual(both.slice(1));
});
