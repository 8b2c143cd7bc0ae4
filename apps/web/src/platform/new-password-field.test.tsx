import { type } from '@krapao/ui/testing/form.ts';
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { memberApp, text } from '../testing/member-app.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { passwordStrength } from './password-strength.ts';

const app = await memberApp();

describe('the strength of a password', () => {
  test.each([
    ['', 'short'],
    ['x7!k-Qa', 'short'],
    ['กขคงจฉช', 'short'],
    ['12345678', 'weak'],
    ['0812345678', 'weak'],
    ['aaaaaaaaaaaaaaaa', 'weak'],
    ['abcdefghijkl', 'weak'],
    ['password', 'weak'],
    ['Password1', 'weak'],
    ['qwertyui', 'weak'],
    ['sunshine', 'weak'],
    ['somtam2567', 'fair'],
    ['three small boats', 'strong'],
    ['x7!krapao-Moo', 'strong'],
    ['ส้มตำปูปลาร้า', 'strong'],
  ] as const)('%j is %s', (password, strength) => expect(passwordStrength(password)).toBe(strength));
});

test('the hint follows what is typed, belongs to the field and refuses nothing', () => {
  app.show(<NewPasswordField label={text('profile.newPassword')} name="new" />);
  const field = screen.getByLabelText(text('profile.newPassword'));
  const hint = () =>
    document.getElementById(field.getAttribute('aria-describedby')!)?.textContent?.replace(/\s/g, ' ');
  expect(hint()).toBe(text('password.short'));
  for (const [password, shown] of [
    ['password', 'password.weak'],
    ['somtam2567', 'password.fair'],
    ['three small boats', 'password.strong'],
    ['x', 'password.short'],
  ] as const) {
    type(text('profile.newPassword'), password);
    expect([password, hint()]).toEqual([password, text(shown)]);
  }
  expect(field.getAttribute('aria-invalid')).toBeNull();
});

test('an error takes the place of the hint', () => {
  app.show(
    <NewPasswordField label={text('profile.newPassword')} name="new" error={text('valid.required')} />,
  );
  expect(screen.getByText(text('valid.required'))).toBeTruthy();
  expect(screen.queryByText(text('password.short'))).toBeNull();
});

test('what was typed before is rated when the form comes back', () => {
  app.show(
    <NewPasswordField label={text('profile.newPassword')} name="new" defaultValue="three small boats" />,
  );
  expect(screen.getByText(text('password.strong'))).toBeTruthy();
});
