import { compareAccounts, compareHolders } from './masks.ts';
import type { OwnAccountRow } from './queries.ts';

/** Whether a transfer's sender, as the bank shows it, may be one of our own accounts; `bankCode` is ours, if known. */
export const isOwnAccount = (
  ownAccounts: readonly OwnAccountRow[],
  sender: { bankCode: string | undefined; account: string; name: string },
): boolean =>
  ownAccounts.some(
    (own) =>
      own.bank_code === sender.bankCode &&
      compareAccounts(sender.account, own.account_no) === 'match' &&
      own.account_names.some((name) => compareHolders(sender.name, name) !== 'mismatch'),
  );
