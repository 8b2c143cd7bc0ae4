/** The formats of the control API: ISO times, decimal text for money. */
import { minorToDecimal } from '@krapao/contract/shared';
import { accountKey } from '../bank/accounts.ts';
import { paymentOnWire } from '../bank/confirmation.ts';
import { iso, showClock } from '../environment/clock.ts';
import type { Environment } from '../environment/environment.ts';
import type { Account, GiftVoucher, Message, Payment, Payout, Person, Round } from '../environment/state.ts';
import { outstandingOf } from '../games/agents.ts';
import { linkOf } from '../gift/vouchers.ts';
import { accountsOf } from '../people.ts';
import { otpIn } from '../sms/messages.ts';

const money = (minor: bigint): string => minorToDecimal(minor, 2);

export const showAccount = (account: Account) => ({
  key: accountKey(account),
  bankCode: account.bankCode,
  accountNo: account.accountNo,
  name: account.name,
  owner: account.ownerId,
  balance: money(account.balanceMinor),
});

export const showPerson = (environment: Environment, person: Person) => ({
  id: person.id,
  name: person.name,
  phone: person.phone,
  createdAt: iso(person.createdAtMs),
  accounts: accountsOf(environment, person.id).map(showAccount),
});

export const showPayment = (environment: Environment, payment: Payment) => ({
  ...paymentOnWire(environment, payment),
  confirmation: showTries(environment, payment.transRef),
});

/** The state of the confirmation of a payment. */
export function showTries(environment: Environment, transRef: string) {
  const notice = environment.state.confirmations.get(transRef);
  return {
    acknowledged: notice?.acknowledged ?? false,
    tries: (notice?.tries ?? []).map(({ atMs, ...rest }) => ({ at: iso(atMs), ...rest })),
  };
}

export const showPayout = (payout: Payout) => ({
  payoutId: payout.payoutId,
  reference: payout.reference,
  amount: money(payout.amountMinor),
  bankCode: payout.bankCode,
  accountNo: payout.accountNo,
  accountName: payout.accountName,
  state: payout.state,
  ...(payout.reason ? { reason: payout.reason } : {}),
  acceptedAt: iso(payout.acceptedAtMs),
  ...(payout.settledAtMs === undefined ? {} : { settledAt: iso(payout.settledAtMs) }),
});

export const showMessage = (message: Message) => ({
  id: message.id,
  sender: message.sender,
  phone: message.phone,
  text: message.text,
  otp: otpIn(message.text),
  parts: message.parts,
  state: message.state,
  sentAt: iso(message.sentAtMs),
  arrivedAt: message.arrivedAtMs.map(iso),
});

export const showRound = (round: Round) => ({
  id: round.id,
  game: round.game,
  stake: money(round.stakeMinor),
  payout: money(round.payoutMinor),
  pick: round.pick,
  drawn: round.drawn,
  state: round.state,
});

export const showVoucher = (voucher: GiftVoucher) => ({
  code: voucher.code,
  link: linkOf(voucher),
  owner: voucher.ownerPhone,
  amount: money(voucher.amountMinor),
  kind: voucher.kind,
  receivers: voucher.partsMinor.length,
  expiresAt: iso(voucher.expiresAtMs),
  tickets: voucher.tickets.map(({ phone, amountMinor, atMs }) => ({
    phone,
    amount: money(amountMinor),
    at: iso(atMs),
  })),
});

/** Summarises the environment: clock, settings, cursor, counts, faults, people. */
export function showState(environment: Environment) {
  const { state } = environment;
  return {
    seq: environment.seq,
    seed: state.seed,
    clock: showClock(environment),
    settings: state.settings,
    smsCredit: state.smsCredit,
    counts: {
      persons: state.persons.size,
      accounts: state.accounts.size,
      messages: state.messages.size,
      payments: state.payments.size,
      payouts: state.payouts.size,
      players: state.players.size,
      gameTransfers: state.gameTransfers.size,
      rounds: state.rounds.size,
    },
    tasks: state.tasks.map(({ id, dueMs, kind }) => ({ id, kind, due: iso(dueMs) })),
    faults: state.faults,
    persons: [...state.persons.values()].map((person) => showPerson(environment, person)),
  };
}

/** The sandbox's own books, for reconciling the product against them. */
export function showBooks(environment: Environment) {
  const { state } = environment;
  const moved = new Map<string, { inMinor: bigint; outMinor: bigint }>();
  for (const { accountKey: key, amountMinor } of state.lines) {
    const sums = moved.get(key) ?? { inMinor: 0n, outMinor: 0n };
    if (amountMinor > 0n) sums.inMinor += amountMinor;
    else sums.outMinor -= amountMinor;
    moved.set(key, sums);
  }
  return {
    asOf: showClock(environment).now,
    accounts: [...state.accounts.values()].map((account) => ({
      ...showAccount(account),
      opening: money(account.openingMinor),
      in: money(moved.get(accountKey(account))?.inMinor ?? 0n),
      out: money(moved.get(accountKey(account))?.outMinor ?? 0n),
    })),
    payments: [...state.payments.values()].map((payment) => showPayment(environment, payment)),
    payouts: [...state.payouts.values()].map(showPayout),
    vouchers: [...state.vouchers.values()].map(showVoucher),
    agents: [...state.agents].map(([agent, { creditMinor, openingMinor }]) => ({
      agent,
      opening: money(openingMinor),
      credit: money(creditMinor),
    })),
    players: [...state.players.values()].map((player) => ({
      agent: player.agent,
      username: player.username,
      balance: money(player.balanceMinor),
      outstanding: money(outstandingOf(environment, player)),
    })),
    gameTransfers: [...state.gameTransfers.values()].map(({ agent, ref, username, amountMinor, atMs }) => ({
      agent,
      ref,
      username,
      amount: money(amountMinor),
      at: iso(atMs),
    })),
  };
}
