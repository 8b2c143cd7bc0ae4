import type { MemberApi } from '@krapao/contract/member';
import { choose, press, ready, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import AccountSheet from './account-sheet.tsx';

const CALL = 'PUT /api/account/profile';
const app = await memberApp();
const SEND = text('profile.requestAccount');

const PROFILE: MemberApi['GET /api/account/profile']['reply'] = {
  profile: { _id: '100001', username: '0812345678', name: 'Somchai', createdAt: '2026-11-23T07:00:00.000Z' },
  bankAccount: {
    bank: { nameTH: 'กสิกรไทย', nameEN: 'Kasikornbank' },
    bankCode: 'KBANK',
    bankAccountNo: '1234567890',
    bankAccountName: 'SOMCHAI JAIDEE',
  },
  bankAccountRequest: null,
  payoutsFrom: null,
  coolingHours: 24,
};
beforeEach(() => {
  app.reply('GET /api/account/profile', PROFILE);
  app.reply(CALL, { status: 'PENDING' });
});

async function fill(accountNo: string): Promise<void> {
  await screen.findByText('UOB');
  choose(text('bank.bank'), 'UOB');
  type(text('bank.accountNo'), accountNo);
  type(text('bank.firstName'), 'SOMCHAI');
  type(text('bank.lastName'), 'JAIDEE');
}

test('an empty request marks every field, takes the focus to the bank, and is not sent', async () => {
  app.show(<AccountSheet />);
  await screen.findByRole('button', { name: SEND });
  press(SEND);
  expect(await screen.findAllByText(text('valid.required'))).toHaveLength(4);
  expect(document.activeElement).toBe(screen.getByLabelText(text('bank.bank')));
  fireEvent.input(screen.getByLabelText(text('bank.accountNo')), { target: { value: '5550001111' } });
  expect(screen.getAllByText(text('valid.required'))).toHaveLength(3);
  expect(app.received(CALL)).toEqual([]);
});

test.each(['๕๕๕-๐๐๐-๑๑๑ ๑', '໕໕໕໐໐໐໑໑໑໑', '５５５０００１１１１'])(
  'the account number %s is sent in ASCII digits',
  async (typed) => {
    app.show(<AccountSheet />);
    await fill(typed);
    press(SEND);
    await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
    expect(app.received(CALL)[0]?.body).toMatchObject({ name: 'Somchai', bankAccountNo: '5550001111' });
  },
);

test('an account number with another character is refused at its field', async () => {
  app.show(<AccountSheet />);
  await fill('555000111l');
  press(SEND);
  expect(screen.getByText(text('valid.accountNo'))).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(text('bank.accountNo')));
  expect(app.received(CALL)).toEqual([]);
});

test.each(['GET /api/account/profile', 'GET /api/lookup/banks'] as const)(
  'without %s the sheet shows the error and a retry in place of a form that cannot be sent',
  async (call) => {
    app.refuse(call, 'INTERNAL', {}, 400);
    app.show(<AccountSheet />);
    const retry = await screen.findByRole('button', { name: text('btn.retry') });
    expect(screen.queryByRole('button', { name: SEND })).toBeNull();
    if (call === 'GET /api/account/profile') app.reply(call, PROFILE);
    else app.reply(call, [{ code: 'UOB', nameTH: 'ยูโอบี', nameEN: 'UOB', color: null }]);
    fireEvent.click(retry);
    await ready(SEND);
  },
);

test('a request under way on another device takes the place of the form, also when it is refused for it', async () => {
  app.show(<AccountSheet />);
  await fill('5550001111');
  const bankAccountRequest = {
    status: 'PENDING',
    bankCode: 'UOB',
    bankAccountName: 'SOMCHAI JAIDEE',
    bankAccountNo: 'XXXXXX1111',
    createdAt: '2026-11-23T07:00:00.000Z',
  } as const;
  app.reply('GET /api/account/profile', { ...PROFILE, bankAccountRequest });
  app.refuse(CALL, 'REQUEST_LIMIT');
  press(SEND);
  expect(await screen.findByText(text('profile.accountPending', { account: 'UOB XXXXXX1111' }))).toBeTruthy();
  expect(screen.queryByRole('button', { name: SEND })).toBeNull();
  expect(screen.queryByText(text('error.REQUEST_LIMIT'))).toBeNull();
});

test('a request under way is withdrawn, and the form takes its place; one that fails is reported', async () => {
  const bankAccountRequest = {
    status: 'PENDING',
    bankCode: 'UOB',
    bankAccountName: 'SOMCHAI JAIDEE',
    bankAccountNo: '••1111',
    createdAt: '2026-11-23T07:00:00.000Z',
  } as const;
  const WITHDRAW = 'DELETE /api/account/profile/request';
  app.reply('GET /api/account/profile', { ...PROFILE, bankAccountRequest });
  app.refuse(WITHDRAW, 'INTERNAL_SERVER_ERROR', {}, 500);
  app.show(<AccountSheet />);
  await ready(text('profile.withdrawRequest'));
  press(text('profile.withdrawRequest'));
  expect(await screen.findByText(text('error.INTERNAL_SERVER_ERROR'))).toBeTruthy();
  app.reply(WITHDRAW, { message: 'OK' });
  app.reply('GET /api/account/profile', PROFILE);
  await ready(text('profile.withdrawRequest'));
  press(text('profile.withdrawRequest'));
  expect(await screen.findByText(text('profile.requestWithdrawn'))).toBeTruthy();
  await ready(SEND);
  expect(app.received(WITHDRAW)).toHaveLength(2);
});

test('a limit of calls is shown as text where no request is under way', async () => {
  app.show(<AccountSheet />);
  await fill('5550001111');
  app.refuse(CALL, 'REQUEST_LIMIT');
  press(SEND);
  expect(await screen.findByText(text('error.REQUEST_LIMIT'))).toBeTruthy();
});
