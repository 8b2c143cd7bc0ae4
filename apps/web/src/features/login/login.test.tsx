import { sessions } from '@krapao/contract/member';
import { press, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import LoginPage from './login-page.tsx';

const CALL = 'POST /api/login';
const app = await memberApp();
const SEND = text('auth.login');

beforeEach(() => {
  app.reply('GET /api/lookup/active', { active: true, terminated: false });
  app.reply(CALL, { token: 'secret-token' });
  history.replaceState(null, '', '/login');
  app.show(<LoginPage />);
});

function fill(): void {
  type(text('auth.phone'), ' 0812345678 ');
  type(text('auth.password'), 'pass1234');
}

test('an empty field shows our text until it is typed into; nothing is sent', () => {
  press(SEND);
  expect(screen.getAllByText(text('valid.required'))).toHaveLength(2);
  expect(document.activeElement).toBe(screen.getByLabelText(text('auth.phone')));
  type(text('auth.phone'), '0812345678');
  expect(screen.getAllByText(text('valid.required'))).toHaveLength(1);
  expect(app.received(CALL)).toEqual([]);
});

test('an invalid phone number is reported before the call; one with separators is sent', async () => {
  type(text('auth.password'), 'pass1234');
  type(text('auth.phone'), '081-234-567');
  press(SEND);
  expect(screen.getByText(text('valid.phone10'))).toBeTruthy();
  expect(app.received(CALL)).toEqual([]);
  type(text('auth.phone'), '081-234-5678');
  press(SEND);
  await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
});

test('a double press logs in once, for this tab only, and shows the member area', async () => {
  fill();
  pressTwice(SEND);
  await waitFor(() => expect(location.pathname).toBe('/user'));
  expect(app.received(CALL).map(({ body }) => body)).toEqual([
    { username: '0812345678', password: 'pass1234' },
  ]);
  expect(sessionStorage.getItem('token')).toBe('secret-token');
  expect(localStorage.getItem('token')).toBeNull();
});

test('a remembered login outlives the tab', async () => {
  fill();
  screen.getByLabelText<HTMLInputElement>(text('auth.rememberMe')).click();
  press(SEND);
  await waitFor(() => expect(localStorage.getItem('token')).toBe('secret-token'));
});

test.each(sessions.login.refusals.filter((code) => code !== 'gone'))('%s is shown as text', async (code) => {
  app.refuse(CALL, code);
  fill();
  press(SEND);
  expect(await screen.findByText(text(`error.${code}`))).toBeTruthy();
  await ready(SEND);
  type(text('auth.password'), 'another');
  expect(screen.queryByText(text(`error.${code}`))).toBeNull();
  expect(location.pathname).toBe('/login');
});

test('an ended service shows its own page', async () => {
  app.refuse(CALL, 'gone', {}, 410);
  fill();
  press(SEND);
  await waitFor(() => expect(location.pathname).toBe('/terminated'));
});
