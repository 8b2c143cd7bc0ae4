import { press, ready, type } from '@krapao/ui/testing/form.ts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import AccountNameSheet from './account-name-sheet.tsx';

const CALL = 'PUT /api/account/bankAccountName';
const app = await memberApp();
const SAVE = text('btn.save');
const close = vi.fn();

const setName = (bankAccountName: string) =>
  app.setWallet((usual) => ({
    ...usual,
    bankAccount: { ...usual.bankAccount, bankCode: 'UOB', bankAccountName },
  }));

beforeEach(() => {
  close.mockClear();
  setName('สมชาย ใจดี');
  app.show(<AccountNameSheet bankCode="UOB" onClose={close} />);
  type(text('bank.accountName'), 'SOMCHAI JAIDEE');
});

test('a name whose response was lost is not refused by its repeat', async () => {
  app.dropConnection(CALL);
  press(SAVE);
  expect(await screen.findByText(text('error.unreachable'))).toBeTruthy();
  await ready(SAVE);
  setName('SOMCHAI JAIDEE');
  app.refuse(CALL, 'INVALID_BANK');
  press(SAVE);
  expect(await screen.findByText(text('profile.accountNamed'))).toBeTruthy();
  await waitFor(() => expect(close).toHaveBeenCalled());
});

test('a refused name that is not stored is named so', async () => {
  app.refuse(CALL, 'INVALID_BANK');
  press(SAVE);
  expect(await screen.findByText(text('error.INVALID_BANK'))).toBeTruthy();
  expect(close).not.toHaveBeenCalled();
});
