import { registration } from '@krapao/contract/member';
import { choose, press, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import RegisterPage from './register-page.tsx';

const app = await memberApp();
const NEXT = text('btn.next');
const REGISTER = text('auth.register');

beforeEach(() => {
  app.reply('GET /api/lookup/registerOTP', true);
  app.reply('POST /api/otp/send', { code: 'SUCCESS', otpRef: 'ABCD', otpToken: 'otp-1', expiresIn: 300 });
  app.reply('POST /api/otp/verify', { code: 'OTP_CODE_VALID' });
  app.reply('GET /api/lookup/sources', [{ code: 'friend', description: 'A friend' }]);
  app.reply('POST /api/account/validate', { message: 'OK' });
  app.reply('POST /api/account', { _id: '100002', username: '0899999999' });
  history.replaceState(null, '', '/register');
  app.show(<RegisterPage />);
});

/** The toast, which is the only place of this page with the role. */
const findText = (texts: string) => screen.findByText(texts);

async function toOtp(): Promise<void> {
  type(text('auth.phone'), '0899999999');
  press(NEXT);
  await screen.findByText(text('otp.secret'));
}

async function toProfile(): Promise<void> {
  await toOtp();
  type(text('otp.enter'), '123456');
  await screen.findByText(text('register.profileTitle'));
  await screen.findByText('A friend');
}

function fillProfile(): void {
  type(text('auth.name'), ' Somchai ');
  type(text('auth.password'), 'pass1234');
  type(text('auth.confirmPassword'), 'pass1234');
  choose(text('register.source'), 'friend');
  fireEvent.input(screen.getByLabelText(text('register.source')));
}

async function toBank(): Promise<void> {
  await toProfile();
  fillProfile();
  fireEvent.click(await screen.findByLabelText(text('register.age', { age: 20 })));
  press(NEXT);
  await screen.findByText(text('register.bankTitle'));
  await screen.findByText('UOB');
}

function fillBank(): void {
  choose(text('bank.bank'), 'KBANK');
  type(text('bank.accountNo'), '123-456-7890');
  type(text('bank.firstName'), 'somchai');
  type(text('bank.lastName'), 'jaidee');
}

const PERSON = {
  name: 'Somchai',
  username: '0899999999',
  password: 'pass1234',
  sourceCode: 'friend',
  age: 20,
};

test('a phone number of another length is refused before anything is sent', () => {
  type(text('auth.phone'), '08999');
  press(NEXT);
  expect(screen.getByText(text('valid.phone10'))).toBeTruthy();
  expect(app.received('POST /api/otp/send')).toEqual([]);
});

test('a code is sent once however often the button is pressed', async () => {
  type(text('auth.phone'), '0899999999');
  pressTwice(NEXT);
  await screen.findByText(text('otp.secret'));
  expect(app.received('POST /api/otp/send').map(({ body }) => body)).toEqual([
    { phoneNumber: '0899999999', requestId: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ]);
});

test('a code in Thai digits is checked in ASCII ones', async () => {
  await toOtp();
  type(text('otp.enter'), '๑๒๓๔๕๖');
  await screen.findByText(text('register.profileTitle'));
  expect(app.received('POST /api/otp/verify')[0]?.body).toMatchObject({ otpCode: '123456' });
});

test('the refusal of a wrong code leaves as soon as another code is typed', async () => {
  await toOtp();
  app.refuse('POST /api/otp/verify', 'OTP_CODE_INVALID');
  type(text('otp.enter'), '654321');
  expect(await findText(text('error.OTP_CODE_INVALID'))).toBeTruthy();
  app.reply('POST /api/otp/verify', { code: 'OTP_CODE_VALID' });
  type(text('otp.enter'), '123456');
  await screen.findByText(text('register.profileTitle'));
  expect(screen.queryByText(text('error.OTP_CODE_INVALID'))).toBeNull();
});

test('an empty phone number is reported at the field', () => {
  press(NEXT);
  expect(screen.getByText(text('valid.required'))).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(text('auth.phone')));
});

test('a phone number is taken as people write it', async () => {
  type(text('auth.phone'), '+66 89-999-9999');
  press(NEXT);
  await screen.findByText(text('otp.secret'));
  expect(app.received('POST /api/otp/send')[0]?.body).toMatchObject({ phoneNumber: '0899999999' });
});

test('a code whose response was lost is requested again under the same id', async () => {
  app.dropConnection('POST /api/otp/send');
  type(text('auth.phone'), '0899999999');
  press(NEXT);
  expect(await findText(text('error.unreachable'))).toBeTruthy();
  app.reply('POST /api/otp/send', { code: 'SUCCESS', otpRef: 'ABCD', otpToken: 'otp-1', expiresIn: 300 });
  await ready(NEXT);
  press(NEXT);
  await screen.findByText(text('otp.secret'));
  const [first, second] = app.received('POST /api/otp/send').map(({ body }) => body.requestId);
  expect(second).toBe(first);
});

test('a code that can still be typed is found again after a reload, and from the first step without another SMS', async () => {
  await toOtp();
  cleanup();
  app.show(<RegisterPage />);
  await screen.findByText(text('otp.secret'));
  expect(screen.getByText('ABCD')).toBeTruthy();
  press(text('otp.changePhone'));
  await waitFor(() =>
    expect(screen.getByLabelText(text('auth.phone'))).toHaveProperty('value', '0899999999'),
  );
  press(NEXT);
  await screen.findByText(text('otp.secret'));
  expect(app.received('POST /api/otp/send')).toHaveLength(1);
});

test('a reload loses no detail but the passwords', async () => {
  await toProfile();
  fillProfile();
  cleanup();
  app.show(<RegisterPage />);
  await screen.findByText('A friend');
  const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
  expect(value(text('auth.name'))).toBe(' Somchai ');
  expect(value(text('register.source'))).toBe('friend');
  expect(value(text('auth.password'))).toBe('');
  expect(sessionStorage.getItem('registration')).not.toContain('pass1234');
});

test('what is typed before the list of sources has come again loses no source', async () => {
  await toProfile();
  fillProfile();
  cleanup();
  const letSources = app.hold('GET /api/lookup/sources');
  app.show(<RegisterPage />);
  type(text('auth.name'), 'Somchai J');
  letSources();
  await screen.findByText('A friend');
  const source = screen.getByLabelText<HTMLSelectElement>(text('register.source'));
  expect(source.value).toBe('friend');
});

test.each(registration.sendOtp.refusals)('sending a code: %s is shown as text', async (code) => {
  app.refuse('POST /api/otp/send', code, { minutes: 15 });
  type(text('auth.phone'), '0899999999');
  press(NEXT);
  const id = code === 'REQUEST_LIMIT' ? 'error.waitMinutes' : (`error.${code}` as const);
  expect(await findText(text(id, { minutes: 15 }))).toBeTruthy();
});

test.each(registration.verifyOtp.refusals)('checking the code: %s is shown as text', async (code) => {
  await toOtp();
  app.refuse('POST /api/otp/verify', code, { minutes: 15 });
  type(text('otp.enter'), '000000');
  expect(await findText(text(`error.${code}`, { minutes: 15 }))).toBeTruthy();
  expect(app.received('POST /api/otp/verify').map(({ body }) => body)).toEqual([
    { otpToken: 'otp-1', otpCode: '000000' },
  ]);
});

test('empty fields are reported at each and the first gets the focus; differing passwords and a missing age are reported', async () => {
  await toProfile();
  press(NEXT);
  expect(screen.getAllByText(text('valid.required'))).toHaveLength(4);
  expect(document.activeElement).toBe(screen.getByLabelText(text('auth.name')));
  fillProfile();
  type(text('auth.confirmPassword'), 'pass9999');
  press(NEXT);
  expect(screen.getByText(text('valid.passwordMismatch'))).toBeTruthy();
  type(text('auth.confirmPassword'), 'pass1234');
  await screen.findByLabelText(text('register.age', { age: 20 }));
  press(NEXT);
  expect(await screen.findByText(text('register.ageNeeded'))).toBeTruthy();
  expect(app.received('POST /api/account/validate')).toEqual([]);
});

test.each(registration.validateRegistration.refusals)('the details: %s is shown as text', async (code) => {
  await toProfile();
  fillProfile();
  fireEvent.click(await screen.findByLabelText(text('register.age', { age: 20 })));
  app.refuse('POST /api/account/validate', code);
  press(NEXT);
  expect(await findText(text(`error.${code}`))).toBeTruthy();
  expect(app.received('POST /api/account/validate').map(({ body }) => body)).toEqual([PERSON]);
});

test.each(registration.register.refusals)('registering: %s is shown as text', async (code) => {
  await toBank();
  fillBank();
  app.refuse('POST /api/account', code);
  press(REGISTER);
  expect(await findText(text(`error.${code}`))).toBeTruthy();
  await waitFor(() => ready(REGISTER));
});

test.each([
  ['๑๒๓-๔ ๕๖๗๘๙๐', '1234567890'],
  ['໑໒໓໔໕໖໗໘໙໐', '1234567890'],
  ['１２３－４５６－７８９０', '1234567890'],
  ['010๑20012345', '010120012345'],
])('the account number %s is sent as %s', async (typed, sent) => {
  await toBank();
  fillBank();
  type(text('bank.accountNo'), typed);
  press(REGISTER);
  await waitFor(() => expect(app.received('POST /api/account')).toHaveLength(1));
  expect(app.received('POST /api/account')[0]?.body).toMatchObject({ bankAccountNo: sent });
});

test('an account number with another character is refused at its field', async () => {
  await toBank();
  fillBank();
  type(text('bank.accountNo'), '123456789O');
  press(REGISTER);
  expect(screen.getByText(text('valid.accountNo'))).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(text('bank.accountNo')));
  type(text('bank.accountNo'), '1234567890');
  expect(screen.queryByText(text('valid.accountNo'))).toBeNull();
  expect(app.received('POST /api/account')).toEqual([]);
});

test('a registration without an answer leaves no password in the history or the stores', async () => {
  await toBank();
  fillBank();
  app.dropConnection('POST /api/account');
  press(REGISTER);
  expect(await findText(text('register.unknown'))).toBeTruthy();
  const stores = [history.state, { ...localStorage }, { ...sessionStorage }];
  expect(JSON.stringify(stores)).not.toContain('pass1234');
});

const loseResponse = async () => {
  await toBank();
  fillBank();
  app.dropConnection('POST /api/account');
  press(REGISTER);
  expect(await findText(text('register.unknown'))).toBeTruthy();
  await ready(REGISTER);
};

test.each(['EXISTING_USER', 'EXISTING_BANK'])(
  'after a lost answer %s leads to the login: the registration may be complete',
  async (code) => {
    await loseResponse();
    app.refuse('POST /api/account', code);
    press(REGISTER);
    expect(await findText(text('register.maybeDone'))).toBeTruthy();
    await waitFor(() => expect(location.pathname).toBe('/login'));
    expect(sessionStorage.getItem('registration')).toBeNull();
  },
);

test('after a lost answer and a reload, the check of the details leads to the login as well', async () => {
  await loseResponse();
  cleanup();
  app.show(<RegisterPage />);
  await screen.findByText('A friend');
  type(text('auth.password'), 'pass1234');
  type(text('auth.confirmPassword'), 'pass1234');
  app.refuse('POST /api/account/validate', 'EXISTING_USER');
  press(NEXT);
  expect(await findText(text('register.maybeDone'))).toBeTruthy();
  await waitFor(() => expect(location.pathname).toBe('/login'));
});

test('after a lost answer another phone number that is registered is named so', async () => {
  await loseResponse();
  cleanup();
  history.replaceState({ step: 'phone' }, '');
  app.show(<RegisterPage />);
  await screen.findByLabelText(text('auth.phone'));
  type(text('auth.phone'), '0877777777');
  press(NEXT);
  await screen.findByText(text('otp.secret'));
  type(text('otp.enter'), '123456');
  await screen.findByText('A friend');
  type(text('auth.password'), 'pass1234');
  type(text('auth.confirmPassword'), 'pass1234');
  app.refuse('POST /api/account/validate', 'EXISTING_USER');
  press(NEXT);
  expect(await findText(text('error.EXISTING_USER'))).toBeTruthy();
});

test('a double press registers once; without an answer it is repeated under its key, then leads to the login', async () => {
  await toBank();
  press(REGISTER);
  expect(document.activeElement).toBe(screen.getByLabelText(text('bank.bank')));
  fillBank();
  app.dropConnection('POST /api/account');
  pressTwice(REGISTER);
  expect(await findText(text('register.unknown'))).toBeTruthy();
  app.reply('POST /api/account', { _id: '100002', username: '0899999999' });
  await ready(REGISTER);
  press(REGISTER);
  expect(await findText(text('register.success'))).toBeTruthy();
  const once = {
    path: '/api/account',
    idempotencyKey: app.received('POST /api/account')[0]?.idempotencyKey,
    body: {
      ...PERSON,
      bankCode: 'KBANK',
      bankAccountNo: '1234567890',
      bankAccountName: expect.stringMatching(/^somchai jaidee$/i),
    },
  };
  expect(once.idempotencyKey).toBeTruthy();
  expect(app.received('POST /api/account')).toEqual([once, once]);
  await waitFor(() => expect(location.pathname).toBe('/login'), { timeout: 60_000 });
});

test.each([true, false])('the code is a step where one is required (%s)', async (hasCodeStep) => {
  app.reply('GET /api/lookup/registerOTP', hasCodeStep);
  if (hasCodeStep) await toProfile();
  else {
    type(text('auth.phone'), '0899999999');
    press(NEXT);
    await screen.findByText(text('register.profileTitle'));
  }
  const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(steps).toHaveLength(hasCodeStep ? 4 : 3);
  expect(steps.some((step) => step?.includes(text('otp.otp')))).toBe(hasCodeStep);
});

/** Goes back to a step as the back gesture does. */
const goBack = (step: 'phone' | 'profile') => act(() => history.replaceState({ step }, ''));

/** Waits until one request of the call has arrived; releases it, and waits until the page has dealt with its response. */
async function release(call: Parameters<typeof app.received>[0], respond: () => void): Promise<void> {
  await act(async () => {
    respond();
    // What is asked for later is answered later.
    await fetch(`${app.origin}${call.split(' ')[1]}`, { method: call.split(' ')[0] ?? 'GET' });
  });
}
const arrived = (call: Parameters<typeof app.received>[0]) =>
  waitFor(() => expect(app.received(call)).toHaveLength(1));

test('details that are accepted after the member has gone back lead no further', async () => {
  const CALL = 'POST /api/account/validate';
  await toProfile();
  fillProfile();
  fireEvent.click(await screen.findByLabelText(text('register.age', { age: 20 })));
  const respond = app.hold(CALL);
  press(NEXT);
  await arrived(CALL);
  goBack('phone');
  await release(CALL, respond);
  expect(screen.getByText(text('register.phoneTitle'))).toBeTruthy();
  expect(history.state).toEqual({ step: 'phone' });
});

test.each([true, false])(
  'a code that is checked after the member has gone back says nothing (right: %s)',
  async (isRight) => {
    const CALL = 'POST /api/otp/verify';
    await toOtp();
    const respond = app.hold(CALL);
    if (!isRight) app.refuse(CALL, 'OTP_CODE_INVALID');
    type(text('otp.enter'), '123456');
    await arrived(CALL);
    goBack('phone');
    await release(CALL, respond);
    expect(screen.getByText(text('register.phoneTitle'))).toBeTruthy();
    expect(history.state).toEqual({ step: 'phone' });
    expect(screen.queryByText(text('error.OTP_CODE_INVALID'))).toBeNull();
  },
);

test('a code that is sent after the member has left the page leads nowhere, and is found at the next visit', async () => {
  const CALL = 'POST /api/otp/send';
  const respond = app.hold(CALL);
  type(text('auth.phone'), '0899999999');
  press(NEXT);
  await arrived(CALL);
  cleanup();
  history.replaceState(null, '', '/login');
  await release(CALL, respond);
  await waitFor(() => expect(sessionStorage.getItem('registration')).toContain('otp-1'));
  expect([location.pathname, history.state]).toEqual(['/login', null]);
});

test('a registration that succeeds after the member has gone back is reported, and leads to the login', async () => {
  await toBank();
  fillBank();
  const respond = app.hold('POST /api/account');
  press(REGISTER);
  await arrived('POST /api/account');
  goBack('profile');
  await screen.findByText(text('register.profileTitle'));
  respond();
  expect(await findText(text('register.success'))).toBeTruthy();
  await waitFor(() => expect(location.pathname).toBe('/login'), { timeout: 60_000 });
});
