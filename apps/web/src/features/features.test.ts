import { describe, expect, test } from 'vitest';
import { mayCreate } from './deposit/qr-rules.ts';
import { emptyDraft, isNameRefused, registrationOf } from './register/draft.ts';
import { byDay } from './statement/by-day.ts';
import { pairProblem } from './transfer/accounts.ts';

describe('deposit', () => {
  test('a QR can be made above 0, at WW and ZAPMAN from 100 on', () => {
    expect([mayCreate('KBANK', 0), mayCreate('KBANK', null), mayCreate('KBANK', 10)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([mayCreate('WW', 99.99), mayCreate('WW', 100), mayCreate('ZAPMAN', 50)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

test('a transfer needs two different accounts', () => {
  expect(pairProblem('', 'a')).toBe('transfer.chooseBoth');
  expect(pairProblem('a', 'a')).toBe('transfer.same');
  expect(pairProblem('wallet', 'a')).toBeNull();
});

describe('register', () => {
  const draft = {
    ...emptyDraft('BAHT'),
    phone: '0815550142',
    name: ' A ',
    bankCode: 'KTB',
    accountNo: '123-456-7890',
  };

  test('KTB, TMB and BBL take English names only', () => {
    expect(isNameRefused({ ...draft, firstName: 'สมชาย', lastName: 'ใจดี' })).toBe(true);
    expect(isNameRefused({ ...draft, firstName: 'SOMCHAI', lastName: ' JAIDEE ' })).toBe(false);
    expect(isNameRefused({ ...draft, bankCode: 'KBANK', firstName: 'สมชาย', lastName: 'ใจดี' })).toBe(false);
  });

  test('what is sent is trimmed, joined and in capitals; no empty code and, in Thailand, no currency', () => {
    const body = registrationOf({ ...draft, firstName: ' som ', lastName: 'jaidee ' }, false);
    expect(body).toMatchObject({ name: 'A', bankAccountName: 'SOM JAIDEE', bankAccountNo: '1234567890' });
    expect(body).not.toHaveProperty('inviteCode');
    expect(body).not.toHaveProperty('currency');
    expect(registrationOf(draft, true).currency).toBe('BAHT');
  });
});

test('rows stand under their day in Bangkok', () => {
  const rows = ['2026-11-21T18:00:00Z', '2026-11-21T17:00:00Z', '2026-11-21T16:59:59Z'].map((createdAt) => ({
    createdAt,
  }));
  expect(byDay(rows).map(({ day, rows: ofDay }) => [day, ofDay.length])).toEqual([
    ['22/11/2026', 2],
    ['21/11/2026', 1],
  ]);
});
