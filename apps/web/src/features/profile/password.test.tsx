import { press, ready, type } from '@krapao/ui/testing/form.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import PasswordSheet from './password-sheet.tsx';

const CALL = 'PUT /api/account/changepwd';
const app = await memberApp();
const SAVE = text('btn.save');

function open(): void {
  app.show(<PasswordSheet />);
  type(text('profile.oldPassword'), 'pass1234');
  type(text('profile.newPassword'), 'pass5678');
  type(text('profile.confirmPassword'), 'pass5678');
}

test('a wrong password is named so', async () => {
  app.refuse(CALL, 'WRONG_PASSWORD');
  open();
  press(SAVE);
  expect(await screen.findByText(text('error.WRONG_PASSWORD'))).toBeTruthy();
});

test.each(['lost', 'fault'])('after a %s answer a wrong password may be the former one', async (kind) => {
  if (kind === 'lost') app.dropConnection(CALL);
  else app.refuse(CALL, 'INTERNAL', {}, 500);
  open();
  press(SAVE);
  await screen.findByRole('alertdialog');
  press(text('btn.ok'));
  app.refuse(CALL, 'WRONG_PASSWORD');
  await ready(SAVE);
  press(SAVE);
  expect(await screen.findByText(text('profile.maybeChanged'))).toBeTruthy();
});

test('a throttled attempt changes nothing: a wrong password after it is named so', async () => {
  app.refuse(CALL, 'REQUEST_LIMIT', {}, 429);
  open();
  press(SAVE);
  await screen.findByRole('alertdialog');
  press(text('btn.ok'));
  app.refuse(CALL, 'WRONG_PASSWORD');
  await ready(SAVE);
  press(SAVE);
  expect(await screen.findByText(text('error.WRONG_PASSWORD'))).toBeTruthy();
});

test('a password that the policy refuses is named so', async () => {
  app.refuse(CALL, 'WEAK_PASSWORD');
  open();
  press(SAVE);
  expect(await screen.findByText(text('error.WEAK_PASSWORD'))).toBeTruthy();
});
