import type { OperatorApi } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, refusal } from '../../testing/console-app.tsx';
import { Roles } from './roles.tsx';

const LIST = 'GET /api/operator/roles';
const PUT = 'PUT /api/operator/roles/{code}';
const REMOVE = 'POST /api/operator/roles/{code}/remove';
const app = await consoleApp();
const { t } = i18n;
type Role = OperatorApi[typeof LIST]['reply']['roles'][number];

const FINANCE: Role = {
  ...{ code: 'finance', name: '', permissions: ['withdrawal.read', 'withdrawal.decide'], operators: 2 },
  limits: [{ kind: 'pay', currency: 'BAHT', action: 5000, day: null }],
};
const NIGHT: Role = { ...FINANCE, code: 'night', name: 'Night shift', operators: 0, limits: [] };
const finance = t('role.finance');

beforeEach(() => {
  app.reply(LIST, { roles: [FINANCE, NIGHT], currencies: ['BAHT'], permissions: FINANCE.permissions });
  app.reply(PUT, { state: 'NEW', approval: 'AP1' });
});
const show = async (): Promise<void> => {
  app.show(<Roles />, '/team');
  await screen.findByText('Night shift');
};
const send = async () =>
  fireEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: t('withdrawals.sendToChecker') }),
  );

test('a copy has the permissions and limits of its role, and a code and a name of its own', async () => {
  await show();
  press(`${t('team.copyRole')} ${finance}`);
  type(new RegExp(t('games.code').slice(0, 4)), 'day-finance');
  type(t('team.roleName'), 'Day shift');
  type(t('limits.credit-day', { symbol: '฿' }), '20,000');
  type(/Reason/, 'two shifts');
  await send();
  await noticed(t('approval.requested'));
  expect(app.received(PUT).map(({ body }) => body)).toEqual([
    {
      ...{ permissions: FINANCE.permissions, name: 'Day shift', reason: 'two shifts', isNew: true },
      limits: [
        { kind: 'pay', currency: 'BAHT', action: 5000, day: null },
        { kind: 'credit', currency: 'BAHT', action: null, day: 20_000 },
      ],
    },
  ]);
});

test('a new role with a code in use is not sent, and the field says why', async () => {
  await show();
  press(t('team.newRole'));
  const code = new RegExp(t('games.code').slice(0, 4));
  type(code, 'night');
  type(/Reason/, 'two shifts');
  expect(screen.getByText(refusal('CODE_TAKEN'))).toBeTruthy();
  const dialog = await screen.findByRole('dialog');
  const yes = within(dialog).getByRole<HTMLButtonElement>('button', { name: t('withdrawals.sendToChecker') });
  expect(yes.disabled).toBe(true);
  type(code, 'night-2');
  expect(screen.queryByText(refusal('CODE_TAKEN'))).toBeNull();
  await send();
  await noticed(t('approval.requested'));
  expect(app.received(PUT).map(({ path }) => path)).toEqual(['/api/operator/roles/night-2']);
});

test('name and limits that were not edited are not sent, so that they stay as others set them', async () => {
  await show();
  const sent = () => app.received(PUT).map(({ body }) => body);
  const edit = async (change: () => void): Promise<void> => {
    press(`${t('team.editRole')} ${finance}`);
    change();
    type(/Reason/, 'two shifts');
    await send();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await edit(() => undefined);
  await edit(() => type(t('limits.pay-action', { symbol: '฿' }), '6,000'));
  expect(sent()).toEqual([
    { permissions: FINANCE.permissions, reason: 'two shifts' },
    {
      permissions: FINANCE.permissions,
      limits: [{ kind: 'pay', currency: 'BAHT', action: 6000, day: null }],
      reason: 'two shifts',
    },
  ]);
});

test('what is no amount is not sent', async () => {
  await show();
  press(`${t('team.editRole')} ${finance}`);
  type(/Reason/, 'two shifts');
  type(t('limits.pay-day', { symbol: '฿' }), 'much');
  const yes = within(await screen.findByRole('dialog')).getByRole<HTMLButtonElement>('button', {
    name: t('withdrawals.sendToChecker'),
  });
  expect(yes.disabled).toBe(true);
});

test('only an unassigned role can be removed', async () => {
  await show();
  expect(screen.queryByRole('button', { name: `${t('team.removeRole')} ${finance}` })).toBeNull();
  press(`${t('team.removeRole')} Night shift`);
  type(/Reason/, 'no nights any more');
  const dialog = await screen.findByRole('dialog');
  app.refuse(REMOVE, 'ROLE_IN_USE');
  const yes = within(dialog).getByRole<HTMLButtonElement>('button', { name: t('team.removeRole') });
  fireEvent.click(yes);
  await noticed(refusal('ROLE_IN_USE'));
  await waitFor(() => expect(yes.disabled).toBe(false));
  app.reply(REMOVE, { state: 'DONE', approval: null });
  fireEvent.click(yes);
  await noticed(t('team.done'));
});
