import type { MemberApi } from '@krapao/contract/member';
import { button, press, pressTwice, ready } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import KycSheet from './kyc-sheet.tsx';

const READ = 'GET /api/account/kyc';
const CALL = 'POST /api/account/kyc/documents';
const app = await memberApp();
const SEND = text('kyc.send');

type Kyc = MemberApi[typeof READ]['reply'];
const REQUESTED: Kyc = { state: 'REQUESTED', wanted: ['identity', 'selfie'], received: [], refusal: null };
const SUBMITTED: Kyc = { state: 'SUBMITTED', wanted: [], received: [], refusal: null };

type Shown = 'kyc.lead' | 'kyc.none' | 'kyc.verified' | 'kyc.submittedLead';

async function open(kyc: Kyc, shown: Shown = 'kyc.lead') {
  app.reply(READ, kyc);
  app.show(<KycSheet />);
  await screen.findByText(text(shown));
}
const inputs = () => [...document.querySelectorAll<HTMLInputElement>('input[type=file]')];
const choose = (input: HTMLInputElement | undefined, name = 'card.jpg') =>
  fireEvent.change(input!, { target: { files: [new File([new Uint8Array(2000)], name)] } });
/** The kinds that were sent, in order. */
const sent = () => app.received(CALL).map(({ body }) => /name="kind"\s+(\w+)/.exec(String(body))?.[1]);

test('all documents are required; each is sent once, in order, and the member reads that they are checked', async () => {
  await open(REQUESTED);
  choose(inputs()[0]);
  expect(button(SEND).disabled).toBe(true);
  choose(inputs()[0]);
  await waitFor(() => expect(button(SEND).disabled).toBe(false));
  app.reply(CALL, { ...REQUESTED, received: ['identity'] });
  app.reply(READ, SUBMITTED);
  pressTwice(SEND);
  expect(await screen.findByText(text('kyc.submitted'))).toBeTruthy();
  expect(sent()).toEqual(['identity', 'selfie']);
});

test('another kind of file is refused before it is sent', async () => {
  await open(REQUESTED);
  choose(inputs()[0], 'card.pdf');
  expect(await screen.findByText(text('error.SLIP_INVALID_FILE', { limit: 10 }))).toBeTruthy();
  expect(button(SEND).disabled).toBe(true);
  expect(app.received(CALL)).toEqual([]);
});

test('without a response, what has come is not sent again, and nothing is said of money', async () => {
  await open(REQUESTED);
  choose(inputs()[0]);
  choose(inputs()[0]);
  app.reply(READ, { ...REQUESTED, received: ['identity'] });
  app.dropConnection(CALL);
  press(SEND);
  expect(await screen.findByText(text('kyc.received'))).toBeTruthy();
  expect(await screen.findByText(text('error.unreachable'))).toBeTruthy();
  app.reply(CALL, SUBMITTED);
  app.reply(READ, SUBMITTED);
  await ready(SEND);
  press(SEND);
  expect(await screen.findByText(text('kyc.submitted'))).toBeTruthy();
  expect(sent()).toEqual(['identity', 'selfie']);
});

test('a member who may begin the check sends the documents without a request', async () => {
  await open({ ...REQUESTED, state: null });
  expect(inputs()).toHaveLength(2);
});

test('a refusal says why and asks for the documents that are wanted again', async () => {
  await open({ state: 'REFUSED', wanted: ['identity'], received: [], refusal: 'UNREADABLE' });
  expect(await screen.findByText(text('kycRefusal.UNREADABLE'))).toBeTruthy();
  expect(inputs()).toHaveLength(1);
  choose(inputs()[0]);
  app.refuse(CALL, 'REQUEST_LIMIT');
  press(SEND);
  expect(await screen.findByText(text('error.REQUEST_LIMIT'))).toBeTruthy();
});

test.each<[string, Kyc, Shown]>([
  ['nothing is requested', { state: null, wanted: [], received: [], refusal: null }, 'kyc.none'],
  ['an operator checks', SUBMITTED, 'kyc.submittedLead'],
  ['it is verified', { ...SUBMITTED, state: 'VERIFIED' }, 'kyc.verified'],
])('nothing can be sent while %s', async (_when, kyc, shown) => {
  await open(kyc, shown);
  expect(screen.queryByRole('button', { name: SEND })).toBeNull();
});
