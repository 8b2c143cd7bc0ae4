import { ready, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, refusal } from '../../testing/console-app.tsx';
import { RequestThread } from './thread.tsx';

const READ = 'GET /api/operator/approvals/{id}/thread';
const ADD = 'POST /api/operator/approvals/{id}/comments';
const app = await consoleApp();
const { t } = i18n;

const ROW: ComponentProps<typeof RequestThread>['of'] = {
  id: 'AP1',
  action: 'withdrawal.approve',
  subject: 'withdrawal:WD1',
  summary: {},
  reason: 'documents seen',
  maker: 'malee',
  mine: false,
  mayCheck: true,
  mayWithdraw: false,
  state: 'PENDING',
  lapsedBecause: null,
  madeAt: '2026-11-23T06:00:00.000Z',
  lapsesAt: '2026-11-24T06:00:00.000Z',
  checker: null,
  checkedAt: null,
  note: null,
};
const field = () => screen.getByLabelText<HTMLTextAreaElement>(t('approval.newComment'));

async function show(): Promise<void> {
  app.reply(READ, { current: null, changed: false, comments: [] });
  app.show(<RequestThread of={ROW} />);
  await screen.findByText(t('approval.noComments'));
}

test('a comment is added once for two key presses, and what is typed meanwhile stays', async () => {
  await show();
  app.reply(ADD, { message: 'OK' });
  const release = app.hold(ADD);
  type(t('approval.newComment'), 'who called?');
  for (const key of ['Enter', 'Enter']) fireEvent.keyDown(field(), { key, ctrlKey: true });
  await waitFor(() => expect(app.received(ADD)).toHaveLength(1));
  type(t('approval.newComment'), 'who called? And when?');
  release();
  await ready(t('approval.addComment'));
  expect(field().value).toBe('who called? And when?');
  expect(app.received(ADD)).toHaveLength(1);
});

test('a failed background reading leaves the comment that is being written', async () => {
  await show();
  type(t('approval.newComment'), 'who called?');
  app.refuse(READ, 'INTERNAL_SERVER_ERROR', {}, 503);
  await queries.invalidateQueries({ queryKey: ['approvals'] });
  await screen.findByText(refusal('INTERNAL_SERVER_ERROR'));
  expect(field().value).toBe('who called?');
});
