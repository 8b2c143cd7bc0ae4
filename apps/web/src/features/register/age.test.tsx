import { choose, press, ready, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import RegisterPage from './register-page.tsx';

const app = await memberApp();
const NEXT = text('btn.next');
const VALIDATE = 'POST /api/account/validate';

beforeEach(() => {
  app.reply('GET /api/lookup/registerOTP', false);
  app.reply('GET /api/lookup/sources', [{ code: 'friend', description: 'A friend' }]);
  app.reply(VALIDATE, { message: 'OK' });
  history.replaceState(null, '', '/register');
});

test('while the least age is not known no step is taken without it: it is read first, then confirmed', async () => {
  app.dropConnection('GET /api/lookup/info');
  app.show(<RegisterPage />);
  type(text('auth.phone'), '0899999999');
  press(NEXT);
  await screen.findByText('A friend');
  type(text('auth.name'), 'Somchai');
  type(text('auth.password'), 'pass1234');
  type(text('auth.confirmPassword'), 'pass1234');
  choose(text('register.source'), 'friend');
  press(NEXT);
  expect(await screen.findByText(text('error.unreachable'))).toBeTruthy();
  app.reply('GET /api/lookup/info', {
    name: 'Krapao',
    website: '',
    sandbox: false,
    agreement: 1,
    registerAge: 20,
  });
  await ready(NEXT);
  press(NEXT);
  expect(await screen.findByText(text('register.ageNeeded'))).toBeTruthy();
  expect(app.received(VALIDATE)).toEqual([]);
  fireEvent.click(screen.getByLabelText(text('register.age', { age: 20 })));
  press(NEXT);
  await screen.findByText(text('register.bankTitle'));
  expect(app.received(VALIDATE)[0]?.body).toMatchObject({ age: 20 });
});
