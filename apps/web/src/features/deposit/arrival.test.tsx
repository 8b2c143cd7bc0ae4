import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startLive } from '../../platform/member/live.ts';
import { queryClient, statementQuery } from '../../platform/member/queries.ts';
import { startSession } from '../../platform/session.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { BANK, LOOKUP } from '../../testing/deposit.ts';
import { memberApp, text } from '../../testing/member-app.tsx';
import DepositSheet from './deposit-sheet.tsx';

/** The handlers that the page has set at the client of socket.io. */
const handlers = vi.hoisted(() => new Map<string, ((event: unknown) => void)[]>());
vi.mock('socket.io-client', () => ({
  io: () => {
    const socket = {
      connected: true,
      active: true,
      on: (name: string, handler: (event: unknown) => void) => {
        handlers.set(name, [...(handlers.get(name) ?? []), handler]);
        return socket;
      },
      off: () => socket,
      close: () => undefined,
    };
    return socket;
  },
}));

const app = await memberApp();
const ACCOUNT = 'KBANK-AUTO';
const WALLET = { mode: 'AUTO', walletAccountName: 'KRAPAO', walletAccountNo: '0812345678' } as const;

const row = (id: string, status = 'SUCCESS') =>
  ({
    ...{ id, statementType: 'deposit', status, from: 'KBANK', to: 'wallet', amount: 500 },
    createdAt: '2026-11-23T07:00:00.000Z',
  }) as never;

function credited(...rows: never[]): void {
  app.reply('POST /api/statement', { statements: rows, total: rows.length });
}

/** Delivers an event of the live connection. */
function deliver(name: string, event?: unknown): void {
  for (const handler of handlers.get(name) ?? []) handler(event);
}

/** Waits until the step has read the statement that often. */
async function read(times: number): Promise<void> {
  await waitFor(() => expect(app.received('POST /api/statement')).toHaveLength(times));
  await waitFor(() => expect(queryClient.isFetching({ queryKey: ['statement'] })).toBe(0));
  await act(async () => undefined);
}

/** Opens a step while the member is connected. */
async function open(arg: string): Promise<void> {
  handlers.clear();
  startSession('a token', true);
  startLive();
  await vi.waitFor(() => expect(handlers.has('connect')).toBe(true));
  deliver('connect');
  openSheet('deposit', arg);
  app.show(<DepositSheet arg={arg} />);
}

const sheet = () => history.state;

beforeEach(() => {
  app.reply('GET /api/lookup/deposit', { ...LOOKUP, wallets: [WALLET] });
  app.reply('POST /api/notifications', { notifications: [], total: 0, unread: 0 });
  credited(row('DP1'));
});

describe('shown as unpaid though credited: while an account is shown', () => {
  test.each([
    [ACCOUNT, 'deposit.autoHow'],
    ['wallet-0812345678', 'deposit.walletHow'],
  ] as const)(
    'a deposit whose notice a lost connection missed turns %s into its receipt',
    async (arg, how) => {
      await open(arg);
      await screen.findByText(text(how));
      await read(1);
      deliver('disconnect');
      credited(row('DP2'), row('DP1'));
      deliver('connect');
      await waitFor(() => expect(sheet()).toMatchObject({ sheet: 'receipt', arg: 'DP2' }));
    },
  );

  test('a deposit that fills the account, which is then offered no more, is shown as well', async () => {
    await open(ACCOUNT);
    await screen.findByText(text('deposit.autoHow'));
    await read(1);
    app.reply('GET /api/lookup/deposit', { ...LOOKUP, banks: [] });
    const release = app.hold('POST /api/statement');
    credited(row('DP2'));
    deliver('connect');
    await waitFor(() => expect(screen.queryByText(text('deposit.autoHow'))).toBeNull());
    release();
    await waitFor(() => expect(sheet()).toMatchObject({ sheet: 'receipt', arg: 'DP2' }));
  });

  test('a deposit whose notice a sleeping page missed is shown once the page is visible again', async () => {
    await open(ACCOUNT);
    await read(1);
    credited(row('DP2'), row('DP1'));
    fireEvent(document, new Event('visibilitychange', { bubbles: true }));
    await waitFor(() => expect(sheet()).toMatchObject({ sheet: 'receipt', arg: 'DP2' }));
  });

  test('a deposit from before that an earlier reading of the statement lacks is none that arrives', async () => {
    queryClient.setQueryData<unknown>(
      statementQuery(1).queryKey,
      { statements: [], total: 0 },
      { updatedAt: 1 },
    );
    await open(ACCOUNT);
    await read(1);
    deliver('connect');
    await read(2);
    expect(sheet()).toMatchObject({ sheet: 'deposit' });
  });

  test('a deposit that is still pending, or was refused, does not close it', async () => {
    await open(ACCOUNT);
    await read(1);
    credited(row('DP3', 'FAILED'), row('DP2', 'PENDING'), row('DP1'));
    deliver('connect');
    await read(2);
    expect(sheet()).toMatchObject({ sheet: 'deposit' });
  });
});

describe('shown as unpaid though credited: by QR', () => {
  const NONE = {
    ...{ qrcodeId: null, hasQrcode: false, qrcode: null, payload: null, reference: null },
    ...{ amount: 0, expireIn: 0, message: null },
  };
  const OPEN = {
    ...NONE,
    ...{ qrcodeId: 'QR1', hasQrcode: true, payload: '000201', reference: 'REF1', amount: 500, expireIn: 600 },
    qrcode: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  };
  const GET = 'GET /api/qrcode/{bankCode}';
  const notice = { kind: 'deposit', id: 'DP2', status: 'SUCCESS', amount: 500 };

  /** A QR that has run out and that the server no longer has. */
  async function expire(): Promise<void> {
    app.reply(GET, { ...OPEN, expireIn: 0 });
    await open('KBANK-QR');
    await screen.findByText(text('qr.expired'));
    app.reply(GET, NONE);
    await queryClient.invalidateQueries({ queryKey: ['qrcode'] });
    await act(() => app.settled());
  }

  test('a confirmation after the QR was found gone counts, by its notice', async () => {
    await expire();
    deliver('notice', { ...notice, qrcodeId: 'QR1' });
    expect(await screen.findByText(text('qr.paid'))).toBeTruthy();
  });

  test('a confirmation after the QR was found gone counts, by a later reading', async () => {
    await expire();
    app.reply(GET, { ...NONE, paid: { qrcodeId: 'QR1', id: 'DP2', amount: 500 } });
    deliver('connect');
    expect(await screen.findByText(text('qr.paid'))).toBeTruthy();
  });

  test('the warning that it has expired stays while the server has it no more', async () => {
    await expire();
    expect(screen.getByText(text('qr.expired'))).toBeTruthy();
  });

  test('a QR that the server ends within the last second of the countdown is shown as expired', async () => {
    app.reply(GET, { ...OPEN, expireIn: 1 });
    await open('KBANK-QR');
    await screen.findByText(text('qr.scanToDeposit'));
    app.reply(GET, NONE);
    await queryClient.invalidateQueries({ queryKey: ['qrcode'] });
    expect(await screen.findByText(text('qr.expired'))).toBeTruthy();
  });

  test('a QR that was cancelled on another device is not shown as expired', async () => {
    app.reply(GET, OPEN);
    await open('KBANK-QR');
    await screen.findByText(text('qr.scanToDeposit'));
    app.reply(GET, NONE);
    deliver('qr', {});
    await screen.findByLabelText(text('money.amount'), { selector: 'input' });
    expect(screen.queryByText(text('qr.expired'))).toBeNull();
  });

  describe('in kip, of another amount', () => {
    beforeEach(() => {
      const bank = { ...BANK, bankCode: 'BCEL', mode: 'QR', currency: 'LAK' } as const;
      app.reply('GET /api/lookup/deposit', { ...LOOKUP, banks: [bank], wallets: [] });
      app.setWallet((usual) => ({ ...usual, wallet: { ...usual.wallet, currency: 'LAK' } }));
      app.reply(GET, OPEN);
    });

    test('it is shown by its notice', async () => {
      await open('BCEL-QR');
      await screen.findByText(text('qr.scanToDeposit'));
      deliver('notice', notice);
      await waitFor(() => expect(sheet()).toMatchObject({ sheet: 'receipt', arg: 'DP2' }));
    });

    test('it is shown after a lost connection', async () => {
      await open('BCEL-QR');
      await screen.findByText(text('qr.scanToDeposit'));
      await read(1);
      credited(row('DP2'), row('DP1'));
      deliver('connect');
      await waitFor(() => expect(sheet()).toMatchObject({ sheet: 'receipt', arg: 'DP2' }));
    });

    test('while no QR was made, it does not close the form', async () => {
      app.reply(GET, NONE);
      await open('BCEL-QR');
      await screen.findByLabelText(text('money.amount'), { selector: 'input' });
      deliver('notice', notice);
      expect(sheet()).toMatchObject({ sheet: 'deposit' });
    });
  });

  test('in baht a deposit by another channel leaves the QR on the screen', async () => {
    app.reply(GET, OPEN);
    await open('KBANK-QR');
    await screen.findByText(text('qr.scanToDeposit'));
    deliver('notice', notice);
    expect(sheet()).toMatchObject({ sheet: 'deposit' });
    expect(screen.getByText(text('qr.scanToDeposit'))).toBeTruthy();
  });
});
