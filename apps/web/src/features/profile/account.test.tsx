import { press } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import AccountSheet from './account-sheet.tsx';

const CALL = 'PUT /api/account/profile';
const app = await memberApp();
const SEND = text('profile.requestAccount');

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
