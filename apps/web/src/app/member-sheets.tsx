import { ENGLISH_NAME_BANKS, isEnglishName } from '@krapao/contract/shared';
import { FailureBoundary } from '@krapao/ui/components/failure-boundary.tsx';
import { ErrorState } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { Waiting } from '@krapao/ui/components/waiting.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { deferred } from '../platform/deferred.tsx';
import { noResponseText } from '../platform/error-text.ts';
import { useWallet } from '../platform/member/wallet.ts';
import { prefetch } from '../platform/prefetch.ts';
import { closeSheet, type SheetName, useSheet } from '../platform/sheet-state.ts';

type SheetComponent = ComponentType<{ arg: string | undefined }>;

const loaders: (() => Promise<unknown>)[] = [];

const sheet = (load: () => Promise<{ default: SheetComponent }>) => {
  loaders.push(load);
  return lazy(load);
};

/** Long enough for the first screen to have had the line and the processor to itself. */
const AHEAD_MS = 3000;

const ignore = () => undefined;

/** One after another: on a slow connection they must not delay what the member has just requested. */
async function fetchSheets(): Promise<void> {
  for (const load of loaders) await prefetch(load).catch(ignore);
}

/** Sheets are prefetched, so that a press opens one at once. */
function useSheetsAhead(): void {
  useEffect(() => {
    const timer = setTimeout(fetchSheets, AHEAD_MS);
    return () => clearTimeout(timer);
  }, []);
}

const places = () => import('../features/notifications/open-place.ts');

function onMessage({ data }: MessageEvent): void {
  if (typeof data?.open === 'string') places().then((file) => file.openPlace(data.open), ignore);
}

/** Opens what the address names over its page, and later whatever a pressed notification names. */
function usePlaces(): void {
  useEffect(() => {
    if (location.search.includes('open=')) places().then((file) => file.openNamed(), ignore);
    navigator.serviceWorker?.addEventListener('message', onMessage);
    return () => navigator.serviceWorker?.removeEventListener('message', onMessage);
  }, []);
}

/** Sheets that any member page can open, the most wanted fetched first; the guides' page draws its own. */
const SHEETS: Record<Exclude<SheetName, 'howto'>, SheetComponent> = {
  deposit: sheet(() => import('../features/deposit/deposit-sheet.tsx')),
  withdraw: sheet(() => import('../features/withdraw/withdraw-sheet.tsx')),
  transfer: sheet(() => import('../features/transfer/transfer-sheet.tsx')),
  slot: sheet(() => import('../features/slot/slot-sheet.tsx')),
  account: sheet(() => import('../features/profile/account-sheet.tsx')),
  agreement: sheet(() => import('../features/agreement/agreement-sheet.tsx')),
  banner: sheet(() => import('../features/home/banner-sheet.tsx')),
  bonus: sheet(() => import('../features/bonuses/bonus-sheet.tsx')),
  exclusion: sheet(() => import('../features/limits/exclusion-sheet.tsx')),
  close: sheet(() => import('../features/own-data/close-sheet.tsx')),
  conditions: sheet(() => import('../features/conditions/conditions-sheet.tsx')),
  data: sheet(() => import('../features/own-data/data-sheet.tsx')),
  devices: sheet(() => import('../features/devices/devices-sheet.tsx')),
  invite: sheet(() => import('../features/invites/invite-sheet.tsx')),
  kyc: sheet(() => import('../features/kyc/kyc-sheet.tsx')),
  limit: sheet(() => import('../features/limits/limit-sheet.tsx')),
  notifications: sheet(() => import('../features/notifications/notifications-sheet.tsx')),
  password: sheet(() => import('../features/profile/password-sheet.tsx')),
  pin: sheet(() => import('../features/pin/pin-sheet.tsx')),
  promotion: sheet(() => import('../features/bonuses/promotion-sheet.tsx')),
  push: sheet(() => import('../features/notifications/push-sheet.tsx')),
  receipt: sheet(() => import('../features/statement/receipt-sheet.tsx')),
  refund: sheet(() => import('../features/refunds/refund-sheet.tsx')),
  slips: sheet(() => import('../features/slips/slips-sheet.tsx')),
  wheel: sheet(() => import('../features/wheel/wheel-sheet.tsx')),
};

const AccountNameSheet = deferred(() => import('../features/profile/account-name-sheet.tsx'));

/** Whether the account's bank takes names in English letters only, and this one is not. */
const isNameWanted = ({ bankCode, bankAccountName }: { bankCode: string; bankAccountName: string }) =>
  ENGLISH_NAME_BANKS.includes(bankCode) && !isEnglishName(bankAccountName);

/**
 * The open sheet. It waits for the wallet, so that every sheet can rely on it. Under no other, once a visit, a name in
 * English is requested where the account's bank accepts no other.
 */
export function MemberSheets() {
  const open = useSheet();
  const [isNamePutOff, setNamePutOff] = useState(false);
  useSheetsAhead();
  usePlaces();
  const { t } = useText();
  const { data: wallet } = useWallet();
  const Open = open && open.sheet !== 'howto' && SHEETS[open.sheet];
  if (wallet && !open && !isNamePutOff && isNameWanted(wallet.bankAccount))
    return <AccountNameSheet bankCode={wallet.bankAccount.bankCode} onClose={() => setNamePutOff(true)} />;
  if (!Open || !wallet) return null;
  const failed = (retry: () => void) => (
    <Sheet title={t('error.generic')} onClose={closeSheet}>
      <ErrorState text={noResponseText(t, !navigator.onLine)} onRetry={retry} />
    </Sheet>
  );
  return (
    <FailureBoundary key={open.sheet} fallback={failed}>
      <Suspense fallback={<Waiting />}>
        <Open arg={open.arg} />
      </Suspense>
    </FailureBoundary>
  );
}
