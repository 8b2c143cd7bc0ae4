import { qr, slips, wallet } from '@krapao/contract/member';
import { button, press, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { depositQuery, queryClient } from '../../platform/member/queries.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { BANK, LOOKUP, SLIP_LOOKUP } from '../../testing/deposit.ts';
import { baht, memberApp, receiptOf, text } from '../../testing/member-app.tsx';
import DepositSheet from './deposit-sheet.tsx';
import { GiftDone } from './gift-done.tsx';

const app = await memberApp();

const RECEIPT = receiptOf({ type: 'deposit', from: 'gift', to: 'wallet' });

beforeEach(() => {
  app.reply('GET /api/lookup/deposit', LOOKUP);
  app.reply('POST /api/statement', { statements: [], total: 0 });
});

/** The text of a refusal without figures. */
const textsOf = (code: string): string => text(`error.${code}` as 'error.generic');

test('while no channel is offered, payments that were made can be proven or reported', async () => {
  app.reply('GET /api/lookup/deposit', { ...LOOKUP, banks: [], wallets: [], takesSlips: true });
  app.show(<DepositSheet arg={undefined} />);
  expect(await screen.findByText(text('deposit.closed'))).toBeTruthy();
  expect(screen.queryByText(text('deposit.oneMinute'))).toBeNull();
  for (const name of ['deposit.slip', 'deposit.iPaid'] as const)
    expect(button(new RegExp(text(name)))).toBeTruthy();
});

test('the channels on offer are listed', async () => {
  app.show(<DepositSheet arg={undefined} />);
  for (const name of ['deposit.qr', 'deposit.bank', 'deposit.giftTab'] as const)
    expect(await screen.findByText(text(name))).toBeTruthy();
});

test('a QR that leaves too little of the own limit for another can still be opened', async () => {
  const lookup = { ...LOOKUP, left: 0, banks: [LOOKUP.banks[0]!], wallets: [] };
  app.reply('GET /api/lookup/deposit', lookup);
  app.show(<DepositSheet arg="all" />);
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: /Kasikornbank/ })).disabled).toBe(
    true,
  );
  app.reply('GET /api/lookup/deposit', { ...lookup, openQr: 'KBANK' });
  await queryClient.invalidateQueries({ queryKey: depositQuery.queryKey });
  await ready(/Kasikornbank/);
  press(/Kasikornbank/);
  expect(history.state).toMatchObject({ sheet: 'deposit', arg: 'KBANK-QR' });
});

test('an exclusion that began on another device takes the place of the channels known before', async () => {
  queryClient.setQueryData(depositQuery.queryKey, LOOKUP, { updatedAt: 1 });
  app.refuse('GET /api/lookup/deposit', 'SELF_EXCLUDED', { until: null });
  app.show(<DepositSheet arg={undefined} />);
  expect(await screen.findByText(text('error.SELF_EXCLUDED'))).toBeTruthy();
  expect(screen.queryByText(text('deposit.bank'))).toBeNull();
  expect(button(text('limit.page'))).toBeTruthy();
});

test.each(['LIMIT_REACHED', 'SELF_EXCLUDED'])(
  'a slip of a transfer that was made can be handed in though %s closes all channels',
  async (code) => {
    app.refuse('GET /api/lookup/deposit', code, {});
    app.reply('GET /api/lookup/slip', SLIP_LOOKUP);
    app.show(<DepositSheet arg={undefined} />);
    await screen.findByText(textsOf(code));
    press(new RegExp(text('deposit.slip')));
    expect(history.state).toMatchObject({ sheet: 'deposit', arg: 'slip' });
    cleanup();
    app.show(<DepositSheet arg="slip" />);
    expect(await screen.findByText(text('slip.choose'))).toBeTruthy();
  },
);

test('while an open QR uses the own limit up, its slip can be handed in', async () => {
  const lookup = {
    ...{ ...LOOKUP, left: 0, openQr: 'KBANK', takesSlips: true },
    ...{ banks: [LOOKUP.banks[0]!], wallets: [] },
  };
  app.reply('GET /api/lookup/deposit', lookup);
  app.show(<DepositSheet arg="all" />);
  await screen.findByText(text('deposit.qr'));
  press(new RegExp(text('deposit.slip')));
  expect(history.state).toMatchObject({ sheet: 'deposit', arg: 'slip' });
});

describe('by QR', () => {
  const CALL = 'POST /api/qrcode/{bankCode}';
  const SEND = text('qr.createFor', { amount: baht(500) });
  const none = {
    qrcodeId: null,
    hasQrcode: false,
    qrcode: null,
    payload: null,
    reference: null,
    amount: 0,
    expireIn: 0,
    message: null,
  };
  const made = {
    ...none,
    qrcodeId: 'QR1',
    hasQrcode: true,
    qrcode: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    payload: '000201',
    reference: 'REF1',
    amount: 500,
    expireIn: 600,
  };

  async function open(amount: string): Promise<void> {
    app.reply('GET /api/qrcode/{bankCode}', none);
    app.show(<DepositSheet arg="KBANK-QR" />);
    await screen.findByLabelText(text('money.amount'), { selector: 'input' });
    type(text('money.amount'), amount);
  }

  test('sends no request without an amount, and explains one below the minimum', async () => {
    await open('');
    expect(button(text('qr.create')).disabled).toBe(true);
    type(text('money.amount'), '10');
    press(text('qr.createFor', { amount: baht(10) }));
    expect(await screen.findByText(text('transfer.atLeast', { min: baht(20) }))).toBeTruthy();
    expect(app.received(CALL)).toEqual([]);
  });

  test('a double press makes one QR, which is shown and can be cancelled', async () => {
    app.reply(CALL, made);
    app.reply('DELETE /api/qrcode/{bankCode}', none);
    await open('500');
    pressTwice(SEND);
    expect(await screen.findByText(text('qr.scanToDeposit'))).toBeTruthy();
    expect(app.received(CALL).map(({ path, body }) => ({ path, body }))).toEqual([
      { path: '/api/qrcode/KBANK', body: { amount: 500 } },
    ]);
    press(text('qr.cancel'));
    await screen.findByLabelText(text('money.amount'), { selector: 'input' });
    expect(app.received('DELETE /api/qrcode/{bankCode}')).toHaveLength(1);
  });

  test('shown as failed though paid: a QR that was paid while the page slept past its end is shown as paid', async () => {
    app.reply(CALL, { ...made, expireIn: 0 });
    await open('500');
    press(SEND);
    expect(await screen.findByText(text('qr.expired'))).toBeTruthy();
    app.reply('GET /api/qrcode/{bankCode}', { ...none, paid: { qrcodeId: 'QR1', id: 'DP1', amount: 500 } });
    await queryClient.invalidateQueries({ queryKey: ['qrcode'] });
    expect(await screen.findByText(text('qr.paid'))).toBeTruthy();
  });

  test('a deposit that paid another QR of the same sum is not shown as this one', async () => {
    app.reply(CALL, { ...made, expireIn: 0 });
    await open('500');
    press(SEND);
    await screen.findByText(text('qr.expired'));
    app.reply('GET /api/qrcode/{bankCode}', { ...none, paid: { qrcodeId: 'QR0', id: 'DP0', amount: 500 } });
    await queryClient.invalidateQueries({ queryKey: ['qrcode'] });
    await waitFor(() =>
      expect(queryClient.getQueryData(['qrcode', 'KBANK'])).toMatchObject({ hasQrcode: false }),
    );
    expect(screen.queryByText(text('qr.paid'))).toBeNull();
    expect(screen.getByText(text('qr.expired'))).toBeTruthy();
  });

  test('a QR that is cancelled after it was paid is shown as paid, also when its account is full since', async () => {
    app.reply(CALL, made);
    await open('500');
    press(SEND);
    await screen.findByText(text('qr.cancel'));
    app.reply('DELETE /api/qrcode/{bankCode}', {
      ...none,
      paid: { qrcodeId: 'QR1', id: 'DP1', amount: 500 },
    });
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, banks: [LOOKUP.banks[1]!] });
    press(text('qr.cancel'));
    expect(await screen.findByText(text('qr.paid'))).toBeTruthy();
    expect(screen.queryByText(text('deposit.bank'))).toBeNull();
  });

  test('where no QR can be made any more the channels are shown, not a form that is refused', async () => {
    await open('500');
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, banks: [LOOKUP.banks[1]!] });
    await queryClient.invalidateQueries({ queryKey: depositQuery.queryKey });
    expect(await screen.findByText(text('deposit.bank'))).toBeTruthy();
    expect(screen.queryByLabelText(text('money.amount'), { selector: 'input' })).toBeNull();
  });

  test('in kip it names the account to pay from, and a payment that did not arrive can be reported', async () => {
    const bank = { ...BANK, bankCode: 'BCEL', mode: 'QR', currency: 'LAK' } as const;
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, banks: [bank], wallets: [] });
    app.reply('GET /api/qrcode/{bankCode}', none);
    app.setWallet((usual) => ({ ...usual, wallet: { ...usual.wallet, currency: 'LAK' } }));
    app.show(<DepositSheet arg="BCEL-QR" />);
    expect(await screen.findByText(text('deposit.ownAccount'))).toBeTruthy();
    press(text('deposit.iPaid'));
    expect(history.state).toMatchObject({ sheet: 'deposit', arg: 'report:BCEL-QR' });
  });

  const LAST = { bankCode: 'KBANK', mode: 'QR', amount: 500 } as const;
  async function repeat(): Promise<void> {
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, recent: [LAST] });
    app.show(<DepositSheet arg={undefined} />);
    const again = text('deposit.again', { bank: 'Kasikornbank', amount: baht(500) });
    press(new RegExp(await screen.findByText(again).then((found) => found.textContent ?? '')));
  }

  test('the QR of the last deposit is made again at one press', async () => {
    app.reply(CALL, made);
    await repeat();
    await waitFor(() => expect(history.state).toMatchObject({ sheet: 'deposit', arg: 'KBANK-QR' }));
    expect(app.received(CALL).map(({ body }) => body)).toEqual([{ amount: 500 }]);
  });

  test('a QR that is made late opens nothing over what the member has opened meanwhile', async () => {
    app.reply(CALL, made);
    const release = app.hold(CALL);
    await repeat();
    await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
    cleanup();
    openSheet('transfer');
    release();
    await waitFor(() => expect(queryClient.getQueryData(['qrcode', 'KBANK'])).toBeTruthy());
    expect(history.state).toMatchObject({ sheet: 'transfer' });
  });

  test('a channel used three times in a row opens at once with the last sum, and all others can be reached', async () => {
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, recent: [LAST, LAST, LAST] });
    app.reply('GET /api/qrcode/{bankCode}', none);
    app.reply(CALL, made);
    app.show(<DepositSheet arg={undefined} />);
    await ready(SEND);
    press(text('deposit.allChannels'));
    expect(history.state).toMatchObject({ sheet: 'deposit', arg: 'all' });
    press(SEND);
    expect(await screen.findByText(text('qr.scanToDeposit'))).toBeTruthy();
  });

  /** Another lookup, as after a deposit that arrived or a change by operators. */
  function change(lookup: typeof LOOKUP): void {
    app.reply('GET /api/lookup/deposit', lookup);
    void queryClient.invalidateQueries({ queryKey: depositQuery.queryKey });
  }

  test('a deposit that arrives while a sum is typed neither closes the form nor empties it', async () => {
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, recent: [LAST, LAST, LAST] });
    app.reply('GET /api/qrcode/{bankCode}', none);
    app.show(<DepositSheet arg={undefined} />);
    await ready(SEND);
    type(text('money.amount'), '321');
    const recent = [{ ...LAST, mode: 'AUTO' } as const, LAST, LAST];
    change({ ...LOOKUP, recent, banks: LOOKUP.banks.map((bank) => ({ ...bank, minimum: 30 })) });
    await waitFor(() => expect(screen.queryByRole('button', { name: '20' })).toBeNull());
    await ready(text('qr.createFor', { amount: baht(321) }));
  });

  test('a channel that becomes the usual one does not open over the list that is being read', async () => {
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, recent: [LAST, LAST] });
    app.reply('GET /api/qrcode/{bankCode}', none);
    app.show(<DepositSheet arg={undefined} />);
    await screen.findByText(text('deposit.giftTab'));
    change({ ...LOOKUP, recent: [LAST, LAST, LAST], wallets: [] });
    await waitFor(() => expect(screen.queryByText(text('deposit.giftTab'))).toBeNull());
    expect(screen.getByText(text('deposit.bank'))).toBeTruthy();
  });

  test("only sums within the bank's rules and the member's own limit are offered and taken", async () => {
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, left: 200, recent: [{ ...LAST, amount: 70 }] });
    await open('300');
    const chips = within(screen.getByRole('group', { name: text('deposit.quick') }));
    expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual([
      `${text('money.lastUsed')} 70`,
      '20',
      '50',
      '100',
    ]);
    press(text('qr.createFor', { amount: baht(300) }));
    expect(await screen.findByText(text('limit.left', { left: baht(200) }))).toBeTruthy();
    expect(app.received(CALL)).toEqual([]);
  });

  test("yesterday's limit: a form left open refuses a sum only after reading what the limit leaves now", async () => {
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, left: 200 });
    app.reply(CALL, made);
    await open('500');
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, left: 400 });
    press(SEND);
    expect(await screen.findByText(text('limit.left', { left: baht(400) }))).toBeTruthy();
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, left: 1000 });
    await ready(SEND);
    press(SEND);
    expect(await screen.findByText(text('qr.scanToDeposit'))).toBeTruthy();
    expect(app.received(CALL)).toHaveLength(1);
  });

  test('sent after closing: no QR is made for a form that closes while the limit is read', async () => {
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, left: 200 });
    app.reply(CALL, made);
    await open('500');
    const letLookups = app.hold('GET /api/lookup/deposit');
    const before = app.received('GET /api/lookup/deposit').length;
    press(SEND);
    await waitFor(() => expect(app.received('GET /api/lookup/deposit').length).toBeGreaterThan(before));
    cleanup();
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, left: 1000 });
    letLookups();
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    await app.settled();
    expect(app.received(CALL)).toEqual([]);
  });

  test('a sum that is needed goes with the channel that is chosen', async () => {
    openSheet('deposit', undefined, { amount: 100 });
    app.show(<DepositSheet arg={undefined} />);
    press(new RegExp(await screen.findByText(/any bank app/i).then((found) => found.textContent ?? '')));
    expect(history.state).toMatchObject({ sheet: 'deposit', arg: 'KBANK-QR', fill: { amount: 100 } });
    app.reply('GET /api/qrcode/{bankCode}', none);
    cleanup();
    app.show(<DepositSheet arg="KBANK-QR" />);
    await ready(text('qr.createFor', { amount: baht(100) }));
  });

  test('a failure of the bank to create one is shown as text', async () => {
    app.reply(CALL, { ...none, message: 'QR_FAIL' });
    await open('500');
    press(SEND);
    expect(await screen.findByText(textsOf('QR_FAIL'))).toBeTruthy();
  });

  test('a limit of QRs reports when another can be made', async () => {
    app.refuse(CALL, 'REQUEST_LIMIT', { minutes: 42 }, 429);
    await open('500');
    press(SEND);
    expect(await screen.findByText(text('error.waitMinutes', { minutes: 42 }))).toBeTruthy();
    await ready(SEND);
  });

  test.each(qr.createQr.refusals)('%s is shown as text', async (code) => {
    app.refuse(CALL, code, { max: 5000 });
    await open('500');
    press(SEND);
    expect(await screen.findByText(text(`error.${code}`, { max: baht(5000) }))).toBeTruthy();
    await ready(SEND);
  });
});

describe('by slip', () => {
  const CALL = 'POST /api/wallet/slip';
  const SEND = text('slip.send');
  const picture = new File([new Uint8Array(2000)], 'slip.jpg', { type: 'image/jpeg' });

  async function open(): Promise<void> {
    app.reply('GET /api/lookup/slip', SLIP_LOOKUP);
    app.show(<DepositSheet arg="slip:KBANK-AUTO" />);
    await screen.findByText(text('slip.choose'));
  }

  function hand(file: File): void {
    const input = document.querySelector('input[type=file]') as HTMLInputElement;
    fireEvent.change(input, { target: { files: [file] } });
  }

  test('a picture is required, and another kind of file is refused before it is sent', async () => {
    await open();
    const send = screen.getByRole<HTMLButtonElement>('button', { name: SEND });
    expect(send.disabled).toBe(true);
    hand(new File(['x'], 'slip.pdf'));
    expect(await screen.findByText(text('error.SLIP_INVALID_FILE', { limit: 10 }))).toBeTruthy();
    expect(send.disabled).toBe(true);
    expect(app.received(CALL)).toEqual([]);
  });

  test('without an answer the same picture is sent again under its key, with the bank; then it is shown', async () => {
    app.dropConnection(CALL);
    await open();
    hand(picture);
    pressTwice(SEND);
    expect(await screen.findByText(textsOf('unknownResult'))).toBeTruthy();
    app.reply(CALL, { ...RECEIPT, reference: 'SL1', status: 'FAILED', message: 'SLIP_EXPIRED' });
    await ready(SEND);
    press(SEND);
    expect(await screen.findByText(text('slip.refused'))).toBeTruthy();
    const [first, second, ...more] = app.received(CALL);
    expect(more).toEqual([]);
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
    expect(first?.body).toMatch(/name="bankCode"[\s\S]*KBANK[\s\S]*filename="slip.jpg"/);
  });

  test('an upload that takes long can be cancelled, and the picture stays', async () => {
    const letGo = app.hold(CALL);
    await open();
    hand(picture);
    press(SEND);
    await waitFor(() => press(text('slip.stop')));
    await ready(SEND);
    expect(screen.getByText('slip.jpg')).toBeTruthy();
    letGo();
  });

  test.each(slips.uploadSlip.refusals)(
    '%s is shown as text, and the next try has another key where it was decided',
    async (code) => {
      app.refuse(CALL, code, { limit: 10 });
      await open();
      hand(picture);
      press(SEND);
      expect(await screen.findByText(text(`error.${code}`, { limit: 10 }))).toBeTruthy();
      await ready(SEND);
      press(SEND);
      await ready(SEND);
      const keys = app.received(CALL).map(({ idempotencyKey }) => idempotencyKey);
      expect([keys.length, new Set(keys).size]).toEqual([2, code === 'REQUEST_LIMIT' ? 1 : 2]);
    },
  );
});

describe('by gift link', () => {
  const CALL = 'POST /api/wallet/truelink';
  const SEND = text('deposit.giftSend');
  const LINK = 'https://gift.truemoney.com/campaign/?v=abc';

  async function open(): Promise<void> {
    app.show(<DepositSheet arg="gift-LINK" />);
    await screen.findByLabelText(text('deposit.giftLink'));
  }

  test('a link is required; a double press sends it once and hidden', async () => {
    app.reply(CALL, RECEIPT);
    await open();
    expect(button(SEND).disabled).toBe(true);
    type(text('deposit.giftLink'), LINK);
    pressTwice(SEND);
    expect(await screen.findByText(text('deposit.giftSent'))).toBeTruthy();
    const sent = app.received(CALL);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.idempotencyKey).toBeTruthy();
    expect(JSON.stringify(sent[0]?.body)).not.toContain('truemoney');
  });

  test('sent after closing: a link that is still being hidden when the form closes is not sent', async () => {
    app.reply(CALL, RECEIPT);
    await open();
    type(text('deposit.giftLink'), LINK);
    press(SEND);
    cleanup();
    // Hidden once more, it takes as long as the form's does.
    const { hideLink } = await import('./gift-cipher.ts');
    await hideLink(LINK, 'a passphrase');
    await app.settled();
    expect(app.received(CALL)).toEqual([]);
    expect(history.state).toBeNull();
  });

  test.each(wallet.truelink.refusals)('%s is shown as text', async (code) => {
    app.refuse(CALL, code);
    await open();
    type(text('deposit.giftLink'), LINK);
    press(SEND);
    const message = code === 'PROVIDER_UNAVAILABLE' ? text('deposit.giftUnavailable') : text(`error.${code}`);
    expect(await screen.findByText(message)).toBeTruthy();
    await ready(SEND);
  });

  test('called used though it is their own: a link that the member has sent leads to its receipt', async () => {
    app.refuse(CALL, 'TRUELINK_DUPLICATE', { own: 'DP7' });
    openSheet('deposit', 'gift-LINK');
    await open();
    type(text('deposit.giftLink'), LINK);
    press(SEND);
    expect(await screen.findByText(text('deposit.giftOwn'))).toBeTruthy();
    expect(screen.queryByText(textsOf('TRUELINK_DUPLICATE'))).toBeNull();
    press(text('receipt.view'));
    expect(history.state).toMatchObject({ sheet: 'receipt', arg: 'DP7' });
  });
});

test('a gift whose end was missed is shown as it went on, also by a repeated response', async () => {
  const row = { ...RECEIPT, id: 'DP7', statementType: 'deposit', status: 'SUCCESS', amount: 48 };
  app.reply('POST /api/statement', { statements: [row as never], total: 1 });
  app.show(<GiftDone receipt={{ ...RECEIPT, id: 'DP7', status: 'PENDING', amount: 50 }} />);
  expect(await screen.findByText(text('deposit.inWallet'))).toBeTruthy();
  expect(app.received('POST /api/statement').map(({ body }) => body.id)).toEqual(['DP7']);
});
