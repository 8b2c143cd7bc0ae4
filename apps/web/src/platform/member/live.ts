import type { MemberEvents } from '@krapao/contract/member';
import { IDENTITY_CODES, type Language } from '@krapao/contract/shared';
import { useEffect, useSyncExternalStore } from 'react';
import { config } from '../config.ts';
import { type LiveConnection, setConnection } from '../connection.ts';
import { i18n } from '../i18n.ts';
import { prefetch } from '../prefetch.ts';
import { leaveRefused, sessionToken } from '../session.ts';
import { fetchInfo } from '../site-info.ts';
import {
  depositQuery,
  kycQuery,
  limitsQuery,
  profileQuery,
  queryClient,
  walletQuery,
  withdrawQuery,
} from './queries.ts';
import { updateWallet } from './wallet.ts';
import { withEvent } from './wallet-merge.ts';

export type Notice = Parameters<MemberEvents['notice']>[0];

const noticeReaders = new Set<(notice: Notice) => void>();
const stateReaders = new Set<() => void>();
let isConnected = false;

function setConnected(value: boolean): void {
  isConnected = value;
  for (const reader of stateReaders) reader();
}

/** Whether balances are pushed right now. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    (reader) => {
      stateReaders.add(reader);
      return () => stateReaders.delete(reader);
    },
    () => isConnected,
  );

/** Called for every row of the statement that changes its state. */
export function useNotice(read: (notice: Notice) => void): void {
  useEffect(() => {
    noticeReaders.add(read);
    return () => {
      noticeReaders.delete(read);
    };
  }, [read]);
}

/** Ends the session of the connection when `code` says that it has ended. */
function end(code: string | undefined, token: string | null): void {
  const isIdentity = code === 'invalid-token' || (IDENTITY_CODES as readonly string[]).includes(code ?? '');
  if (code === 'gone') leaveRefused(token, '/terminated');
  else if (isIdentity) leaveRefused(token, '/login');
}

const SPREAD_MS = 800;

/** Whether it shows what events tell of. */
const isPushed = ({ queryKey: [first] }: { queryKey: readonly unknown[] }): boolean =>
  first === 'wallet' || first === 'statement' || first === NEWS.queryKey[0];

/** Whether it is something operators write. */
const isOfSite = ({ queryKey: [first] }: { queryKey: readonly unknown[] }): boolean =>
  first === 'lookup' || first === 'banners';

/** The site's name and the revision of its agreements, which no query holds. */
const readInfo = (): void => fetchInfo(i18n.locale as Language, true);

/** The wheel, the coins and coupons, and whether a wheel turns. */
function readWheel(): void {
  for (const name of ['wheel', 'spinwheel']) queryClient.invalidateQueries({ queryKey: [name] });
}

/** The member's stored notifications. */
const NEWS = { queryKey: ['notifications'] };

/** The chat has its own events; the end of the session is handled with its token. */
const HANDLERS: Omit<MemberEvents, 'messaging' | 'chat' | 'event_error' | 'ended'> = {
  wallet: (event) => {
    updateWallet((known) => withEvent(known, event));
    // Not every movement has a notice: an operator's entry, or a withdrawal requested on another device.
    for (const queryKey of [['bonus'], ['refund'], ['statement'], withdrawQuery.queryKey])
      queryClient.invalidateQueries({ queryKey });
    queryClient.invalidateQueries(NEWS);
  },
  notice: (notice) => {
    queryClient.invalidateQueries({ queryKey: ['statement'] });
    queryClient.invalidateQueries(NEWS);
    // An open withdrawal or transfer keeps a refund back.
    queryClient.invalidateQueries({ queryKey: ['refund'] });
    if (notice.kind === 'withdraw') queryClient.invalidateQueries({ queryKey: withdrawQuery.queryKey });
    if (notice.kind === 'deposit')
      for (const { queryKey } of [depositQuery, limitsQuery]) queryClient.invalidateQueries({ queryKey });
    // A wallet event contains no games and invited friends: the whole wallet is read again.
    if (notice.kind !== 'deposit') queryClient.invalidateQueries({ queryKey: walletQuery.queryKey });
    if (notice.kind === 'invite') queryClient.invalidateQueries({ queryKey: ['invites'] });
    if (notice.kind === 'coins') readWheel();
    for (const read of noticeReaders) read(notice);
  },
  qr: () => {
    queryClient.invalidateQueries({ queryKey: ['qrcode'], refetchType: 'all' });
  },
  site: ({ part }) => {
    // All members receive the event at once; their reads are spread.
    setTimeout(() => {
      if (part === 'games') return void queryClient.invalidateQueries({ queryKey: walletQuery.queryKey });
      if (part === 'wheel') return readWheel();
      queryClient.invalidateQueries(part === 'words' ? { predicate: isOfSite } : {});
      readInfo();
    }, Math.random() * SPREAD_MS);
  },
  login: () => {
    queryClient.invalidateQueries({ queryKey: ['sessions'] });
    queryClient.invalidateQueries(NEWS);
  },
  kyc: () => {
    queryClient.invalidateQueries({ queryKey: kycQuery.queryKey });
    queryClient.invalidateQueries({ queryKey: withdrawQuery.queryKey });
    queryClient.invalidateQueries(NEWS);
  },
  slip: () => {
    queryClient.invalidateQueries({ queryKey: ['statement'] });
    queryClient.invalidateQueries(NEWS);
  },
  account: () => {
    // The wallet has the account that withdrawals are paid to.
    for (const { queryKey } of [profileQuery, walletQuery, withdrawQuery])
      queryClient.invalidateQueries({ queryKey });
    queryClient.invalidateQueries(NEWS);
  },
};

/** How long after a lost connection the first try starts; the next ones later, up to 5 s. */
const AGAIN_MS = 500;
/** The wallet's figures are on the screen by then. */
const DRAWN_MS = 500;

/**
 * Opens the member's live connection; its client is loaded only after the first screen has been drawn with the wallet.
 * An event is a hint: after every reconnect missed changes are read. Returns the function that closes it.
 */
export function startLive(): () => void {
  let close = () => {};
  let isStopped = false;
  const token = sessionToken();
  const drawn = () => new Promise((resolve) => setTimeout(resolve, DRAWN_MS));
  const client = queryClient
    .prefetchQuery(walletQuery)
    .then(drawn)
    // Without its file the page works on, without events: it is not loaded again for that.
    .then(() => prefetch(() => import('socket.io-client')))
    .catch(() => null);
  client.then((file) => {
    if (isStopped || !file) return;
    const socket: LiveConnection = file.io(config.apiBase || location.origin, {
      path: '/socket.io',
      auth: { token },
      reconnectionDelay: AGAIN_MS,
    });
    let isFirst = true;
    socket.on('connect', () => {
      setConnected(true);
      // Changes between the first responses and this moment were not pushed.
      queryClient.invalidateQueries(isFirst ? { predicate: isPushed } : {});
      if (!isFirst) readInfo();
      isFirst = false;
    });
    socket.on('disconnect', () => setConnected(false));
    socket.on('connect_error', (error: Error & { data?: { code?: string } }) => end(error.data?.code, token));
    socket.on('ended', ({ message }) => {
      end(message, token);
      // A suspended member's session stays open: the refusal of the next call states the reason.
      if (sessionToken() === token) queryClient.invalidateQueries();
    });
    for (const [name, handler] of Object.entries(HANDLERS)) socket.on(name as 'wallet', handler as never);
    close = setConnection(socket);
  });
  return () => {
    isStopped = true;
    close();
    setConnected(false);
  };
}
