import { type MemberApi, pin } from '@krapao/contract/member';
import { press, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openSheet } from '../../platform/sheet-state.ts';
import { memberApp, text } from '../../testing/member-app.tsx';
import PinSheet from './pin-sheet.tsx';

const CALL = 'PUT /api/account/pin';
const REMOVE = 'POST /api/account/pin/remove';
const app = await memberApp();
const SAVE = text('btn.save');

function open(needsPin = false): void {
  const limits: MemberApi['GET /api/lookup/withdraw']['reply'] = {
    isOpen: true,
    withdrawMin: 100,
    withdrawMax: 50_000,
    automaticMax: 2000,
    payoutsFrom: null,
    needsPin,
  };
  app.reply('GET /api/lookup/withdraw', limits);
  app.show(<PinSheet />);
}

function fill(password: string, first: string, again: string): void {
  type(text('auth.password'), password);
  type(text('pin.new'), first);
  type(text('pin.again'), again);
}

test('the password is required, the PIN has six digits, and both entries agree', () => {
  open();
  press(SAVE);
  expect(screen.getByText(text('valid.required'))).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(text('auth.password')));
  fill('pass1234', '12345', '12345');
  press(SAVE);
  expect(screen.getByText(text('pin.sixDigits'))).toBeTruthy();
  expect(screen.queryByText(text('valid.required'))).toBeNull();
  fill('pass1234', '123456', '123457');
  press(SAVE);
  expect(screen.getByText(text('pin.mismatch'))).toBeTruthy();
  expect(app.received(CALL)).toEqual([]);
});

test('a double press sets the PIN once and reports it', async () => {
  app.reply(CALL, { message: 'OK' });
  open();
  fill('pass1234', '123456', '123456');
  pressTwice(SAVE);
  expect(await screen.findByText(text('pin.saved'))).toBeTruthy();
  expect(app.received(CALL).map(({ body }) => body)).toEqual([{ password: 'pass1234', pin: '123456' }]);
});

test('a PIN in Thai digits is the same in ASCII ones', async () => {
  app.reply(CALL, { message: 'OK' });
  open();
  fill('pass1234', '๑๒๓๔๕๖', '123456');
  press(SAVE);
  await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
  expect(app.received(CALL)[0]?.body).toEqual({ password: 'pass1234', pin: '123456' });
});

test.each(pin.setPin.refusals)('setting: %s is shown as text', async (code) => {
  app.refuse(CALL, code);
  open();
  fill('wrong', '123456', '123456');
  press(SAVE);
  expect(await screen.findByText(text(`error.${code}`))).toBeTruthy();
  await ready(SAVE);
});

test('a PIN in force is removed with the password', async () => {
  app.reply(REMOVE, { message: 'OK' });
  open(true);
  const remove = text('pin.remove');
  await waitFor(() => press(remove));
  expect(screen.getByText(text('valid.required'))).toBeTruthy();
  expect(app.received(REMOVE)).toEqual([]);
  type(text('auth.password'), 'pass1234');
  press(remove);
  expect(await screen.findByText(text('pin.removed'))).toBeTruthy();
  expect(app.received(REMOVE).map(({ body }) => body)).toEqual([{ password: 'pass1234' }]);
});

test.each(pin.removePin.refusals)('removing: %s is shown as text', async (code) => {
  app.refuse(REMOVE, code);
  open(true);
  type(text('auth.password'), 'wrong');
  await waitFor(() => press(text('pin.remove')));
  expect(await screen.findByText(text(`error.${code}`))).toBeTruthy();
});

test('an answer that comes after the sheet was left closes no other sheet', async () => {
  app.reply(CALL, { message: 'OK' });
  const letGo = app.hold(CALL);
  openSheet('pin');
  open();
  fill('pass1234', '123456', '123456');
  press(SAVE);
  await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
  cleanup();
  app.show(null);
  openSheet('withdraw');
  const { length } = history;
  const went = vi.spyOn(history, 'go');
  letGo();
  expect(await screen.findByText(text('pin.saved'))).toBeTruthy();
  expect([went.mock.calls, history.length, history.state.sheet]).toEqual([[], length, 'withdraw']);
});
