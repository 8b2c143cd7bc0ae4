import { findQr } from '../qr/queries.ts';
import { indexAccounts, type Window, windowOf } from './digits.ts';
import { compareAccounts, compareNames } from './masks.ts';
import type { MatchDeps, NoOwner, Owner, Transfer } from './match.ts';
import { isOwnAccount } from './own-accounts.ts';
import {
  type CandidateRow,
  findBankCode,
  findByDigits,
  findByPhoneEnd,
  findMemberAccount,
  findOpenQrFor,
  listOwnAccounts,
} from './queries.ts';

/** How feeds name a sender's mobile wallet, and we our own: its account number is a phone's. */
const MOBILE_WALLET = 'TRUEMONEY';

const accountOf = (deps: MatchDeps, row: CandidateRow): string =>
  deps.secrets.decrypt('bank-account', row.account_no_sealed);

/**
 * The one member whose registered account a transfer came from: visible digits, name and currency alike. Else none,
 * with those it may be and why: NO_MEMBER, NAME_UNSURE, SEVERAL_MEMBERS, WRONG_CURRENCY or MEMBER_CLOSED. Money that we
 * move between our own accounts belongs to none: OWN_ACCOUNT.
 */
export async function ownerBySender(deps: MatchDeps, transfer: Transfer): Promise<Owner | NoOwner> {
  if (transfer.payerBank === MOBILE_WALLET) return ownerByPhone(deps, transfer);
  const bankCode = await findBankCode(deps.pool, transfer.payerBank);
  if (!bankCode) return { likely: [], reason: 'NO_MEMBER' };
  const of = (window: Window) => windowOf(deps, bankCode, transfer.payerAccount, window);
  const digits = { middle: of('middle'), last: of('last') };
  if (!digits.middle && !digits.last) return { likely: [], reason: 'NO_MEMBER' };
  await indexAccounts(deps);
  const senders = (await findByDigits(deps.pool, digits)).filter(
    (row) =>
      row.bank_code === bankCode && compareAccounts(transfer.payerAccount, accountOf(deps, row)) === 'match',
  );
  const sender = { bankCode, account: transfer.payerAccount, name: transfer.payerName };
  if (senders.length > 0 && isOwnAccount(await listOwnAccounts(deps.pool), sender))
    return { likely: [], reason: 'OWN_ACCOUNT' };
  return ownerAmong(deps, transfer, senders);
}

type Sender = Pick<CandidateRow, 'member_id' | 'status' | 'currency' | 'wallet_account' | 'account_name'>;

/** Of the members whose number fits, selects by the sender's name. */
async function ownerAmong(
  deps: MatchDeps,
  transfer: Transfer,
  senders: readonly Sender[],
): Promise<Owner | NoOwner> {
  const alike = senders.filter((row) => compareNames(transfer.payerName, row.account_name) !== 'mismatch');
  const sure = alike.filter((row) => compareNames(transfer.payerName, row.account_name) === 'match');
  const meant = sure.length > 0 ? sure : alike;
  const [one] = meant;
  const likely = meant.map((row) => row.member_id);
  if (!one) return { likely, reason: 'NO_MEMBER' };
  if (meant.length > 1) return { likely, reason: 'SEVERAL_MEMBERS' };
  if (sure.length === 0) return { likely, reason: 'NAME_UNSURE' };
  if (one.currency !== transfer.currency) return { likely, reason: 'WRONG_CURRENCY' };
  if (one.status === 'CLOSED') return { likely, reason: 'MEMBER_CLOSED' };
  return {
    memberId: one.member_id,
    walletAccount: one.wallet_account,
    channel: 'AUTO',
    // A code without our reference is identified by member and amount only.
    qrId: await findOpenQrFor(deps.pool, one.member_id, transfer),
    slipId: null,
    fromOtherAccount: false,
  };
}

/** The same for a sender's mobile wallet, which is known by its phone: the member who registered with it. */
async function ownerByPhone(deps: MatchDeps, transfer: Transfer): Promise<Owner | NoOwner> {
  const last = transfer.payerAccount.replace(/[^0-9xX*]/g, '').slice(-4);
  if (!/^\d{4}$/.test(last)) return { likely: [], reason: 'NO_MEMBER' };
  const senders = (await findByPhoneEnd(deps.pool, last)).filter(
    (row) => compareAccounts(transfer.payerAccount, row.phone) === 'match',
  );
  // Some banks take names in English only, wallets print Thai ones: then the name the member goes by here may tell.
  const named = senders.map((row) =>
    compareNames(transfer.payerName, row.account_name) === 'unsure' &&
    compareNames(transfer.payerName, row.name) === 'match'
      ? { ...row, account_name: row.name }
      : row,
  );
  return ownerAmong(deps, transfer, named);
}

/**
 * The member whose QR a transfer names by our reference; null when it names none of that bank. No owner, with the reason
 * MEMBER_CLOSED, when the member's account is closed.
 */
export async function ownerByReference(deps: MatchDeps, transfer: Transfer): Promise<Owner | NoOwner | null> {
  const qr = transfer.reference1 === null ? undefined : await findQr(deps.pool, transfer.reference1);
  if (!qr || qr.bank_code !== transfer.bankCode) return null;
  const payee = await findMemberAccount(deps.pool, qr.member_id);
  if (payee.status === 'CLOSED') return { likely: [payee.member_id], reason: 'MEMBER_CLOSED' };
  const own =
    (await findBankCode(deps.pool, transfer.payerBank)) === payee.bank_code &&
    compareAccounts(transfer.payerAccount, accountOf(deps, payee)) === 'match';
  return {
    memberId: payee.member_id,
    walletAccount: payee.wallet_account,
    channel: 'QR',
    qrId: qr.id,
    slipId: null,
    fromOtherAccount: !own,
  };
}
