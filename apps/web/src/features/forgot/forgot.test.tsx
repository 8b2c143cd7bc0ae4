import { press, ready, type } from '@krapao/ui/testing/form.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { writeForm } from '../../platform/stored-form.ts';
import { memberApp, text } from '../../testing/member-app.tsx';
import { PasswordStep } from './password-step.tsx';
import { useForgot } from './use-forgot.ts';

const CALL = 'POST /api/password/reset';
const app = await memberApp();
const SENT = { phone: '0899999999', ref: 'ABCD', token: 'otp-1', sentAt: Date.now(), expiresIn: 300 };

/** The last step of the way, with another one before it. */
function Way() {
  const forgot = useForgot();
  return forgot.step === 'otp' ? <p>{'code'}</p> : <PasswordStep forgot={{ ...forgot, sent: SENT }} />;
}

function open(): void {
  writeForm('password-reset', SENT);
  history.replaceState({ step: 'password' }, '', '/forgot');
  app.show(<Way />);
  type(text('profile.newPassword'), 'pass1234');
  type(text('profile.confirmPassword'), 'pass1234');
}

test('untrue status: a used code after a lost answer leads to the login, where the new password may work', async () => {
  app.dropConnection(CALL);
  open();
  press(text('btn.save'));
  expect(await screen.findByText(text('error.unreachable'))).toBeTruthy();
  app.refuse(CALL, 'OTP_EXPIRED');
  await ready(text('btn.save'));
  press(text('btn.save'));
  expect(await screen.findByText(text('forgot.maybeDone'))).toBeTruthy();
  await waitFor(() => expect(location.pathname).toBe('/login'));
});

test('a code that has expired before is named so', async () => {
  app.refuse(CALL, 'OTP_EXPIRED');
  open();
  press(text('btn.save'));
  expect(await screen.findByText(text('error.OTP_EXPIRED'))).toBeTruthy();
  expect(location.pathname).toBe('/forgot');
});

test('after the answer of a fault a used code leads to the login as well', async () => {
  app.refuse(CALL, 'INTERNAL', {}, 500);
  open();
  press(text('btn.save'));
  await ready(text('btn.save'));
  app.refuse(CALL, 'OTP_EXPIRED');
  press(text('btn.save'));
  expect(await screen.findByText(text('forgot.maybeDone'))).toBeTruthy();
  await waitFor(() => expect(location.pathname).toBe('/login'));
});

test('a password that the policy refuses is named so, and the form stays', async () => {
  app.refuse(CALL, 'WEAK_PASSWORD');
  open();
  press(text('btn.save'));
  expect(await screen.findByText(text('error.WEAK_PASSWORD'))).toBeTruthy();
  expect(location.pathname).toBe('/forgot');
});

test('a new password that is taken after the member has left the page is reported, and leads nowhere', async () => {
  app.reply(CALL, { message: 'OK' });
  const respond = app.hold(CALL);
  open();
  press(text('btn.save'));
  await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
  cleanup();
  history.replaceState(null, '', '/user/home');
  app.show(null);
  respond();
  expect(await screen.findByText(text('forgot.done'))).toBeTruthy();
  expect(location.pathname).toBe('/user/home');
});

test('a new password that is taken after the member has gone one step back leads to the login', async () => {
  app.reply(CALL, { message: 'OK' });
  const respond = app.hold(CALL);
  open();
  press(text('btn.save'));
  await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
  navigate('/forgot', { state: { step: 'otp' } });
  await screen.findByText('code');
  respond();
  await waitFor(() => expect(location.pathname).toBe('/login'));
  expect(await screen.findByText(text('forgot.done'))).toBeTruthy();
});
