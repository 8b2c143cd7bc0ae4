import type { Currency } from '@krapao/contract/shared';
import type {
  AttachedWrite,
  createSystemAccounts,
  Ledger,
  LedgerItem,
  Outcome,
  TransferRow,
} from '../../../ledger/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Pool } from '../../../platform/database/db.ts';
import { newId } from '../../../platform/ids.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { walletTurn } from './bank-transaction-use.ts';
import { storedMask } from './masks.ts';
import { type BankTransactionState, findBankTransaction, findBankTransactionByReference } from './queries.ts';

/** Evidence of a transfer to an account of ours: a confirmation, a statement line of a feed, or a slip's inquiry. */
export interface Transfer {
  source: 'QR' | 'FEED' | 'SLIP';
  /** Our bank, and our account there if the evidence names it. */
  bankCode: string;
  accountNo: string | null;
  currency: Currency;
  bankReference: string;
  amountMinor: bigint;
  payerBank: string;
  /** The sender's account as far as it is known, masked or whole. */
  payerAccount: string;
  payerName: string;
  reference1: string | null;
  paidAt: Date;
}

/** Whose money it is. */
export interface Owner {
  memberId: bigint;
  walletAccount: bigint;
  channel: 'QR' | 'AUTO' | 'SLIP';
  qrId: string | null;
  slipId: string | null;
  /** The payer's account is not the one the member registered. Stored as `from_stranger`. */
  fromOtherAccount: boolean;
  /** True when an operator accepts a slip that waits for a decision; valid only while it waits. */
  isAccepted?: boolean;
}

/** No known owner: likely members for operators, and why it was not credited. */
export interface NoOwner {
  likely: readonly bigint[];
  reason: string;
}

/**
 * What became of a telling. credited: the member has the money now. unmatched: booked for operators. tied: it is a
 * transfer that another telling brought. known: this telling was booked before. unclear: it may be one of several
 * transfers, nothing was booked, an operator decides. refused: the QR or slip does not take it, nothing was booked.
 */
export type Settled =
  | { booked: 'credited' | 'unmatched' | 'known' | 'unclear' }
  | { booked: 'tied'; state: BankTransactionState['state'] }
  | { booked: 'refused'; code: string };

export interface MatchDeps {
  pool: Pool;
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  secrets: Secrets;
  clock: Clock;
}

const TURNS_MAX = 50;

/** The transfer as it is written: the payer masked, and sealed. */
function transferRow(deps: MatchDeps, transfer: Transfer): TransferRow {
  const { payerAccount, payerName, amountMinor, ...same } = transfer;
  const payer = JSON.stringify({ account: payerAccount, name: payerName });
  return {
    ...same,
    amount: amountMinor,
    payerMask: storedMask(payerAccount),
    payerSealed: deps.secrets.encrypt('payer', payer),
  };
}

/** Evidence that may be of one transfer is never in one batch, so each guard sees what the earlier one wrote. */
const turnsOf = (transfer: Transfer): string[] => [
  `transfer ${transfer.bankCode} ${transfer.bankReference}`,
  `transfer ${transfer.bankCode} ${transfer.currency} ${transfer.amountMinor}`,
];

/** The bank's reference makes a transfer unique, whichever sources report it. */
const referenceOf = ({ bankCode, bankReference }: Transfer): string => `bank:${bankCode}:${bankReference}`;

function post(
  deps: MatchDeps,
  transfer: Transfer,
  item: Pick<LedgerItem, 'kind' | 'reference' | 'legs' | 'memberId'>,
  attach: (transfer: TransferRow) => AttachedWrite,
  turns: readonly string[] = [],
): Promise<Outcome> {
  return deps.ledger.post({
    ...item,
    attached: attach(transferRow(deps, transfer)),
    exclusive: [...turnsOf(transfer), ...turns],
  });
}

/** Credits the member with new money, or with an unmatched transaction that this evidence explains. */
async function bookDeposit(
  deps: MatchDeps,
  transfer: Transfer,
  owner: Owner,
  useBankTransactionId: bigint | null,
): Promise<Outcome> {
  const { memberId, channel, qrId, slipId, fromOtherAccount, walletAccount: to } = owner;
  const from =
    useBankTransactionId === null
      ? await deps.systemAccount(`bank:${transfer.bankCode}`, transfer.currency)
      : await deps.systemAccount('unmatched', transfer.currency);
  const id = newId('DP', deps.clock.now());
  return post(
    deps,
    transfer,
    {
      kind: `deposit_${channel.toLowerCase()}`,
      reference: useBankTransactionId === null ? referenceOf(transfer) : `line:${useBankTransactionId}:use`,
      memberId,
      legs: [{ from, to, amountMinor: transfer.amountMinor }],
    },
    (row) => ({
      name: owner.isAccepted ? 'transfer_accept' : 'transfer_credit',
      row: {
        transfer: row,
        depositId: id,
        memberId,
        channel,
        qrId,
        fromStranger: fromOtherAccount,
        useBankTransactionId,
        slipId,
      },
    }),
    [walletTurn(memberId), ...(qrId ? [`qr ${qrId}`] : []), ...(slipId ? [`slip ${slipId}`] : [])],
  );
}

/** Money that has no owner yet is booked where operators see it; the bank has it, so dropping it would be theft. */
async function postPark(deps: MatchDeps, transfer: Transfer, { likely, reason }: NoOwner): Promise<Outcome> {
  const from = await deps.systemAccount(`bank:${transfer.bankCode}`, transfer.currency);
  const to = await deps.systemAccount('unmatched', transfer.currency);
  return post(
    deps,
    transfer,
    {
      kind: 'deposit_unmatched',
      reference: referenceOf(transfer),
      legs: [{ from, to, amountMinor: transfer.amountMinor }],
    },
    (row) => ({ name: 'transfer_park', row: { transfer: row, likely, reason } }),
    likely.map(walletTurn),
  );
}

/** Links evidence to a booked transfer; moves nothing. */
function postTie(
  deps: MatchDeps,
  transfer: Transfer,
  transaction: { id: bigint; bank_reference: string },
  whose: Owner | NoOwner,
): Promise<Outcome> {
  const by = transaction.bank_reference === transfer.bankReference ? 'REFERENCE' : 'FIT';
  const [qrId, slipId, likely] =
    'memberId' in whose
      ? [whose.qrId, whose.slipId, whose.memberId]
      : [null, null, whose.likely.length === 1 ? whose.likely[0]! : null];
  return post(
    deps,
    transfer,
    { kind: 'transfer_tie', reference: `tie:${transfer.source}:${referenceOf(transfer)}`, legs: [] },
    (row) => ({
      name: 'transfer_tie',
      row: { transfer: row, bankTransactionId: transaction.id, tiedBy: by, qrId, slipId, likely },
    }),
    slipId ? [`slip ${slipId}`] : [],
  );
}

/** Stores an ambiguous match for an operator to decide; moves nothing. */
async function requestDecision(deps: MatchDeps, transfer: Transfer, slipId: string | null): Promise<Settled> {
  const outcome = await post(
    deps,
    transfer,
    { kind: 'transfer_ask', reference: `ask:${transfer.source}:${referenceOf(transfer)}`, legs: [] },
    (row) => ({ name: 'transfer_ask', row: { transfer: row, slipId } }),
    slipId ? [`slip ${slipId}`] : [],
  );
  return { booked: outcome.state === 'posted' ? 'unclear' : 'known' };
}

/** The transaction a refusal names, or the one the ledger already knows by reference. */
async function findMeantTransaction(deps: MatchDeps, transfer: Transfer, outcome: Outcome) {
  if (outcome.state === 'repeated')
    return findBankTransactionByReference(deps.pool, transfer.bankCode, transfer.bankReference);
  const match = outcome.state === 'refused' && /^TRANSFER_TIED (\d+)$/.exec(outcome.body.message);
  return match ? findBankTransaction(deps.pool, BigInt(match[1]!)) : undefined;
}

/**
 * Books the evidence of a transfer, so that the transfer is credited once for any kind and number of evidence:
 * by equal bank reference, else by our account, amount, time within two minutes and the sender's visible digits, one
 * to one. Decided inside the ledger's batch, so tellings that arrive together cannot both credit. Safe to repeat.
 */
export async function settle(deps: MatchDeps, transfer: Transfer, whose: Owner | NoOwner): Promise<Settled> {
  const owner = 'memberId' in whose ? whose : null;
  let useBankTransactionId: bigint | null = null;
  let mayUse = owner !== null;
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const outcome: Outcome = owner
      ? await bookDeposit(deps, transfer, owner, useBankTransactionId)
      : await postPark(deps, transfer, whose as NoOwner);
    if (outcome.state === 'posted') return { booked: owner ? 'credited' : 'unmatched' };
    const code = outcome.state === 'refused' ? outcome.body.message : '';
    if (code === 'TRANSFER_SEEN') return { booked: 'known' };
    if (code === 'TRANSFER_UNCLEAR') return requestDecision(deps, transfer, owner?.slipId ?? null);
    const transaction = await findMeantTransaction(deps, transfer, outcome);
    // One reference with two amounts: an operator compares both with the bank.
    if (transaction && transaction.amount !== transfer.amountMinor)
      return requestDecision(deps, transfer, owner?.slipId ?? null);
    // What an operator has taken back is given again by an operator only.
    if (
      transaction?.state === 'UNMATCHED' &&
      transaction.reversals === 0 &&
      mayUse &&
      useBankTransactionId === null
    ) {
      useBankTransactionId = transaction.id;
      continue;
    }
    if (transaction) {
      const tied = await postTie(deps, transfer, transaction, whose);
      if (tied.state === 'posted') return { booked: 'tied', state: transaction.state };
      if (tied.state === 'refused' && tied.body.message === 'TRANSFER_SEEN') return { booked: 'known' };
    } else if (outcome.state === 'refused' && code !== 'TRANSFER_CHANGED') {
      if (useBankTransactionId === null) return { booked: 'refused', code };
      // The QR or slip does not take it, but the transaction is explained: the likely owner is recorded.
      mayUse = false;
    }
    useBankTransactionId = null;
  }
  throw new Error(`${transfer.source} ${transfer.bankReference} found no rest`);
}
