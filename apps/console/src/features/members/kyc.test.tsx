import { kyc, type OperatorApi, type Permission } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed } from '../../testing/console-app.tsx';
import { MEMBER_DETAIL, NO_CHECK } from '../../testing/member.ts';
import { KycCard } from './kyc.tsx';

const READ = 'GET /api/operator/members/{id}/kyc';
const REQUEST = 'POST /api/operator/members/{id}/kyc/request';
const VERIFY = 'POST /api/operator/members/{id}/kyc/verify';
const REFUSE = 'POST /api/operator/members/{id}/kyc/refuse';
const app = await consoleApp();
const { t } = i18n;

type Kyc = OperatorApi[typeof READ]['reply'];
const AT = '2026-11-20T06:00:00.000Z';
const SUBMITTED: Kyc = {
  ...NO_CHECK,
  state: 'SUBMITTED',
  round: 3,
  wanted: ['identity', 'selfie'],
  requestedBy: 'risk-1',
  requestedAt: AT,
  submittedAt: AT,
  documents: [
    { id: '8', kind: 'selfie', receivedAt: AT, isReplaced: false },
    { id: '7', kind: 'identity', receivedAt: AT, isReplaced: false },
    { id: '5', kind: 'identity', receivedAt: AT, isReplaced: true },
  ],
};

async function show(check: Kyc, permissions?: readonly Permission[]): Promise<void> {
  app.reply(READ, check);
  app.show(<KycCard of={MEMBER_DETAIL} />, undefined, permissions);
  await screen.findByText(t('kyc.title'));
}
const bodyOf = (call: typeof REQUEST | typeof VERIFY | typeof REFUSE) =>
  app.received(call).map(({ path, body }) => [path, body]);
/** Opens the dialog of an action and returns its confirmation. */
async function ask(action: 'request' | 'verify' | 'refuse'): Promise<HTMLButtonElement> {
  press(t(`kyc.${action}`));
  const dialog = await screen.findByRole('dialog');
  return within(dialog).getByRole<HTMLButtonElement>('button', { name: t(`kyc.${action}`) });
}

test('documents are requested with a reason, for the check that was shown', async () => {
  await show(NO_CHECK);
  app.reply(REQUEST, { ...NO_CHECK, state: 'REQUESTED', round: 1, wanted: ['identity'] });
  const send = await ask('request');
  expect(send.disabled).toBe(true);
  fireEvent.click(screen.getByRole('checkbox', { name: t('kycDocument.selfie') }));
  type(new RegExp(t('field.reason')), 'large withdrawals');
  fireEvent.click(send);
  await noticed(t('kyc.requestSent'));
  expect(bodyOf(REQUEST)).toEqual([
    [
      '/api/operator/members/100001/kyc/request',
      { seen: { round: 0, state: null }, documents: ['identity'], reason: 'large withdrawals' },
    ],
  ]);
});

test('a request without a document cannot be sent', async () => {
  await show(NO_CHECK);
  const send = await ask('request');
  type(new RegExp(t('field.reason')), 'large withdrawals');
  for (const kind of ['identity', 'selfie'] as const)
    fireEvent.click(screen.getByRole('checkbox', { name: t(`kycDocument.${kind}`) }));
  expect(send.disabled).toBe(true);
});

test('what was submitted is verified with a prepared reason', async () => {
  await show(SUBMITTED);
  app.reply(VERIFY, { ...SUBMITTED, state: 'VERIFIED', round: 4 });
  fireEvent.click(await ask('verify'));
  await noticed(t('kyc.verified'));
  expect(bodyOf(VERIFY)).toEqual([
    [
      '/api/operator/members/100001/kyc/verify',
      { seen: { round: 3, state: 'SUBMITTED' }, reason: t('kyc.matches') },
    ],
  ]);
});

test('a round that arrives while the dialog is open is not verified with it', async () => {
  await show(SUBMITTED);
  app.reply(VERIFY, { ...SUBMITTED, state: 'VERIFIED' });
  const send = await ask('verify');
  const submittedAt = '2026-11-21T06:00:00.000Z';
  app.reply(READ, { ...SUBMITTED, round: 4, submittedAt });
  await queries.invalidateQueries({ queryKey: ['member'] });
  await screen.findByText(dateTimeText(submittedAt));
  fireEvent.click(send);
  await noticed(t('kyc.verified'));
  expect(bodyOf(VERIFY)[0]?.[1]).toMatchObject({ seen: { round: 3, state: 'SUBMITTED' } });
});

test('a refusal names what the member reads and which documents are to come again', async () => {
  await show(SUBMITTED);
  app.reply(REFUSE, { ...SUBMITTED, state: 'REFUSED', round: 4 });
  const send = await ask('refuse');
  expect(send.disabled).toBe(true);
  fireEvent.click(screen.getByRole('combobox', { name: new RegExp(t('kyc.why')) }));
  fireEvent.click(await screen.findByRole('option', { name: t('kycRefusal.NAME') }));
  fireEvent.click(screen.getByRole('checkbox', { name: t('kycDocument.selfie') }));
  fireEvent.click(send);
  await noticed(t('kyc.sentBack'));
  expect(bodyOf(REFUSE)).toEqual([
    [
      '/api/operator/members/100001/kyc/refuse',
      { seen: { round: 3, state: 'SUBMITTED' }, documents: ['identity'], refusal: 'NAME' },
    ],
  ]);
});

test('every refusal of the server is shown and keeps the dialog open', async () => {
  await show(SUBMITTED);
  await app.refuseEach(VERIFY, kyc.verifyKyc.refusals, await ask('verify'));
});

test('a picture opens beside the names it is compared with, and only for those who may', async () => {
  await show(SUBMITTED);
  const [newest] = screen.getAllByRole('button', {
    name: t('kyc.open', { document: t('kycDocument.identity') }),
  });
  fireEvent.click(newest!);
  const dialog = await screen.findByRole('dialog');
  const image = within(dialog).getByRole<HTMLImageElement>('img', { name: t('kycDocument.identity') });
  expect(image.getAttribute('src')).toBe('/api/operator/kyc/documents/7/image');
  expect(within(dialog).getByText(MEMBER_DETAIL.name)).toBeTruthy();
  fireEvent.error(image);
  expect((await within(dialog).findByRole('alert')).textContent).toBe(t('kyc.pictureFailed'));
});

test('an operator without the permission sees the state and opens nothing', async () => {
  await show(SUBMITTED, ['member.read']);
  expect(screen.getAllByText(t('kycDocument.identity'))).toHaveLength(2);
  expect(screen.queryAllByRole('button')).toEqual([]);
});
