import { members } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, refusal } from '../../testing/console-app.tsx';
import { MEMBER_DETAIL } from '../../testing/member.ts';
import { MemberActions } from './actions.tsx';

const CALL = 'POST /api/operator/members/{id}/entries';
const app = await consoleApp();
const { t } = i18n;

async function openDialog(): Promise<HTMLButtonElement> {
  app.show(<MemberActions of={MEMBER_DETAIL} />);
  press(t('member.adjust'));
  const dialog = await screen.findByRole('dialog');
  return within(dialog).getByRole<HTMLButtonElement>('button', { name: t('member.adjust') });
}

function fill(): void {
  type(new RegExp(t('col.amount')), '1,200.50');
  type(new RegExp(t('field.reason')), 'late payout');
}

test('amount and reason are required; a double press books the entry once, under a key of its own', async () => {
  app.reply(CALL, { state: 'DONE', approval: null });
  const send = await openDialog();
  expect(send.disabled).toBe(true);
  fill();
  fireEvent.click(send);
  fireEvent.click(send);
  await noticed(t('member.entered'));
  expect(app.received(CALL).map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: '/api/operator/members/100001/entries',
      body: {
        direction: 'credit',
        amount: 1200.5,
        category: 'correction',
        reason: 'late payout',
        key: expect.stringMatching(/.{8}/),
      },
    },
  ]);
});

test('an amount is repeated before it is booked, and a decimal comma is no amount', async () => {
  const send = await openDialog();
  fill();
  expect(screen.getByRole('dialog').textContent).toContain('฿1,200.50');
  for (const typed of ['100,50', '1.000,50', '50k', '๕๐']) {
    type(new RegExp(t('col.amount')), typed);
    await waitFor(() => expect(send.disabled).toBe(true));
    expect(screen.getByRole('dialog').textContent).toContain(t('figure.unreadable', { count: 2 }));
  }
  type(new RegExp(t('col.amount')), '10,050');
  await waitFor(() => expect(send.disabled).toBe(false));
  expect(screen.getByRole('dialog').textContent).toContain('฿10,050.00');
});

test('above the limit the dialog names the second approval', async () => {
  app.reply(CALL, { state: 'PENDING', approval: 'AP1' });
  const send = await openDialog();
  fill();
  fireEvent.click(send);
  await noticed(t('approval.requested'));
});

test('without an answer the same entry is sent again under its key', async () => {
  app.dropConnection(CALL);
  const send = await openDialog();
  fill();
  fireEvent.click(send);
  await noticed(refusal('network'));
  app.reply(CALL, { state: 'DONE', approval: null });
  await waitFor(() => expect(send.disabled).toBe(false));
  fireEvent.click(send);
  await noticed(t('member.entered'));
  const [first, second] = app.received(CALL);
  expect(second?.body).toEqual(first?.body);
});

test('each refusal is shown as text and the dialog stays', async () => {
  const send = await openDialog();
  fill();
  await app.refuseEach(CALL, members.enterManually.refusals, send);
});
