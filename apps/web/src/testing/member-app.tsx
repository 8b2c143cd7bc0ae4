import type { MemberApi } from '@krapao/contract/member';
import { showToast, ToastHost } from '@krapao/ui/components/toast.tsx';
import { type HttpStub, startHttpStub } from '@krapao/ui/testing/http-stub.ts';
import { TextProvider, type Translate } from '@krapao/ui/text/text.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect } from 'vitest';
import { i18n } from '../platform/i18n.ts';
import { activateLanguage } from '../platform/language.ts';
import { queryClient, walletQuery } from '../platform/member/queries.ts';
import { clearSession } from '../platform/session.ts';
import { sumText } from '../platform/sum-text.ts';

type Receipt = MemberApi['POST /api/wallet/withdrawAll']['reply'];
type Wallet = MemberApi['GET /api/wallet']['reply'];

/** A game with 250 credits of one baht each. */
const GAME: Wallet['slots'][number] = {
  code: 'lucky',
  name: 'Lucky',
  category: 'slot',
  isActive: true,
  amount: 250,
  openBets: 0,
  staleSince: null,
  isInMaintenance: false,
  ftWalletSlot: 1,
  logo: '',
  background: '',
  web: null,
  android: null,
  ios: null,
};

/** A member with 1,000 baht in the wallet and a game. */
const WALLET: Wallet = {
  profile: { name: 'Somchai', username: '0812345678', _id: '100001', coin: 0 },
  bankAccount: {
    bank: { nameTH: 'กสิกรไทย', nameEN: 'Kasikornbank' },
    bankCode: 'KBANK',
    bankAccountNo: '1234567890',
    bankAccountName: 'SOMCHAI JAIDEE',
  },
  wallet: { amount: 1000, currency: 'BAHT', version: 1 },
  invite: { amount: 0, success: 0, fail: 0 },
  slots: [GAME],
  lastSync: null,
};

const BANKS: MemberApi['GET /api/lookup/banks']['reply'] = [
  { code: 'KBANK', nameTH: 'กสิกรไทย', nameEN: 'Kasikornbank', color: null },
  { code: 'UOB', nameTH: 'ยูโอบี', nameEN: 'UOB', color: null },
];
const INFO: MemberApi['GET /api/lookup/info']['reply'] = {
  name: 'Krapao',
  website: '',
  sandbox: false,
  agreement: 1,
  registerAge: 20,
};

/** The limits of a member who has excluded themselves for good. */
export const EXCLUDED: MemberApi['GET /api/limits']['reply'] = {
  limits: [],
  break: { length: 'forever', startedAt: '2026-11-23T07:00:00.000Z', until: null },
};

/** What a money call answers. */
export const receiptOf = (change: Partial<Receipt>): Receipt => ({
  id: 'TX1',
  type: 'withdraw',
  status: 'SUCCESS',
  amount: 500,
  from: 'wallet',
  to: 'KBANK',
  createdAt: '2026-11-23T07:00:00.000Z',
  message: 'SUCCESS',
  wallet: { amount: 500 },
  ...change,
});

/** The English text of a message as queries compare it: every space is a plain one. */
export const text: Translate = (id, values) => i18n.t(id, values).replace(/\s+/g, ' ');

/** A sum of baht as texts have it. */
export const baht = (amount: number): string => sumText(text, amount, 'BAHT');

/** The member app's real client on a stub, in English; each test begins signed in with the wallet known. */
export async function memberApp(): Promise<
  HttpStub<MemberApi> & {
    show: (screen: ReactNode) => void;
    /** Gives the member another wallet than the usual one. */
    setWallet: (change: (usual: Wallet) => Wallet) => void;
  }
> {
  const stub = await startHttpStub<MemberApi>();
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`${stub.origin}/user`);
  await activateLanguage('en', true);
  // The document of these tests knows no popovers; a toast is as visible without.
  HTMLElement.prototype.showPopover ??= () => undefined;
  beforeEach(() => {
    stub.reset();
    // In place of the last test's.
    showToast('info', '');
    stub.reply('GET /api/wallet', WALLET);
    stub.reply('GET /api/lookup/banks', BANKS);
    stub.reply('GET /api/lookup/info', INFO);
    stub.reply('GET /api/bonus/check/active', { status: false, type: null });
    stub.reply('GET /api/spinwheel/active', { isActive: false, coupons: 0 });
    stub.reply('GET /api/limits', { limits: [], break: null });
    stub.reply('GET /api/wallet/refresh/slot', { slots: [], lastSync: '2026-11-23T07:00:00.000Z' });
    queryClient.setQueryData(walletQuery.queryKey, WALLET);
  });
  afterEach(() => {
    cleanup();
    queryClient.clear();
    clearSession();
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, '', '/user');
    expect(stub.unanswered).toEqual([]);
  });
  const show = (screen: ReactNode): void => {
    render(
      <TextProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          {screen}
          <ToastHost />
        </QueryClientProvider>
      </TextProvider>,
    );
  };
  const setWallet = (change: (usual: Wallet) => Wallet): void => {
    const wallet = change(WALLET);
    stub.reply('GET /api/wallet', wallet);
    queryClient.setQueryData(walletQuery.queryKey, wallet);
  };
  return { ...stub, show, setWallet };
}
