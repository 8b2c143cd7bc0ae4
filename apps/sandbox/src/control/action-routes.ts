/** Control calls that act for a person: people, their bank app, players, the bank's back office. */

import { HOUR_MS } from '@krapao/contract/durations';
import { minorToDecimal } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { accountKey } from '../bank/accounts.ts';
import { deliver, notifierOf, sign } from '../bank/confirmation.ts';
import { payQr, transfer } from '../bank/payments.ts';
import { settlePayout } from '../bank/payouts.ts';
import { iso, nowMs } from '../environment/clock.ts';
import type { Environment } from '../environment/environment.ts';
import { misprint } from '../environment/misprints.ts';
import type { Payment } from '../environment/state.ts';
import { AGENTS, findPlayer } from '../games/agents.ts';
import { playRounds } from '../games/rounds.ts';
import { makeVoucher } from '../gift/vouchers.ts';
import { accountsOf, admitPerson, canonicalPhone, personByPhone } from '../people.ts';
import { inboxOf } from '../sms/messages.ts';
import { minorOf } from './amounts.ts';
import * as S from './schemas.ts';
import { showMessage, showPayment, showPayout, showPerson, showRound, showVoucher } from './views.ts';

const refuse = (reply: FastifyReply, error: string, status = 400) => reply.code(status).send({ error });
const OLD_MS = HOUR_MS;

/** The account meant by a number or by a phone's owner; the first person's when neither is named. */
export function payerKey(
  environment: Environment,
  { fromAccount, phone }: { fromAccount?: string; phone?: string },
): string | null {
  if (fromAccount !== undefined) return fromAccount;
  const person =
    phone === undefined
      ? environment.state.persons.values().next().value
      : personByPhone(environment, canonicalPhone(phone) ?? '');
  const account = person && accountsOf(environment, person.id)[0];
  return account ? accountKey(account) : null;
}

/** Registers the acting calls. */
export function actionRoutes(app: FastifyInstance, environment: Environment): void {
  personRoutes(app, environment);
  moneyRoutes(app, environment);
  bankRoutes(app, environment);
  misprintRoute(app, environment);
  giftRoutes(app, environment);
  app.post<{ Body: Static<typeof S.PlayBody> }>(
    '/play',
    { schema: { body: S.PlayBody } },
    (request, reply) => {
      const { agent, username, rounds: count = 1, result = 'fair', stake } = request.body;
      const player = Object.hasOwn(AGENTS, agent) ? findPlayer(environment, agent, username) : undefined;
      if (!player) return refuse(reply, 'UNKNOWN_PLAYER', 404);
      const stakeMinor = minorOf(stake) ?? 0n;
      const { rounds, refusal } = playRounds(environment, player, { rounds: count, result, stakeMinor });
      if (rounds.length === 0 && refusal) return refuse(reply, refusal, 409);
      const balance = minorToDecimal(player.balanceMinor, 2);
      return { balance, rounds: rounds.map(showRound), ...(refusal ? { stoppedBy: refusal } : {}) };
    },
  );
}

function personRoutes(app: FastifyInstance, environment: Environment): void {
  app.get('/persons', () => ({
    persons: [...environment.state.persons.values()].map((person) => showPerson(environment, person)),
  }));
  app.post<{ Body: Static<typeof S.PersonBody> }>(
    '/persons',
    { schema: { body: S.PersonBody } },
    (request, reply) => {
      const { balance, ...typed } = request.body;
      const person = admitPerson(environment, { ...typed, openingMinor: minorOf(balance) ?? undefined });
      if (typeof person === 'string') return refuse(reply, person, person === 'ACCOUNT_TAKEN' ? 409 : 400);
      return showPerson(environment, person);
    },
  );
  app.get<{ Querystring: Static<typeof S.SmsQuery> }>(
    '/sms',
    { schema: { querystring: S.SmsQuery } },
    (request, reply) => {
      const phone = canonicalPhone(request.query.phone);
      if (!phone) return refuse(reply, 'BAD_PHONE');
      const messages = inboxOf(environment, phone).map(({ message, atMs }) => ({
        ...showMessage(message),
        at: iso(atMs),
      }));
      return { phone, messages, seq: environment.seq };
    },
  );
}

function moneyRoutes(app: FastifyInstance, environment: Environment): void {
  app.post<{ Body: Static<typeof S.PayQrBody> }>(
    '/pay-qr',
    { schema: { body: S.PayQrBody } },
    (request, reply) => {
      const { payload, amount, times, delayMs } = request.body;
      const fromKey = payerKey(environment, request.body);
      if (!fromKey) return refuse(reply, 'UNKNOWN_ACCOUNT');
      const amountMinor = minorOf(amount);
      if (amountMinor === null) return refuse(reply, 'BAD_AMOUNT');
      const result = payQr(environment, { payload, fromKey, amountMinor, times, delayMs });
      if (typeof result === 'string') return refuse(reply, result, 409);
      return {
        payments: result.payments.map((payment) => showPayment(environment, payment)),
        plannedFor: result.plannedForMs === null ? null : iso(result.plannedForMs),
        seq: environment.seq,
      };
    },
  );
  app.post<{ Body: Static<typeof S.TransferBody> }>(
    '/transfer',
    { schema: { body: S.TransferBody } },
    (request, reply) => {
      const { toBank, toAccount, amount, delayMs } = request.body;
      const fromKey = payerKey(environment, request.body);
      const amountMinor = minorOf(amount);
      if (!fromKey) return refuse(reply, 'UNKNOWN_ACCOUNT');
      if (!amountMinor) return refuse(reply, 'BAD_AMOUNT');
      const result = transfer(environment, { fromKey, toBank, toAccount, amountMinor, delayMs });
      if (typeof result === 'string') return refuse(reply, result, 409);
      return 'transRef' in result
        ? { ...result, plannedFor: null }
        : { transRef: null, plannedFor: iso(result.plannedForMs) };
    },
  );
}

function giftRoutes(app: FastifyInstance, environment: Environment): void {
  app.post<{ Body: Static<typeof S.VoucherBody> }>(
    '/vouchers',
    { schema: { body: S.VoucherBody } },
    (request, reply) => {
      const { amount, phone, ...order } = request.body;
      const amountMinor = minorOf(amount);
      const ownerPhone = canonicalPhone(phone ?? environment.state.persons.values().next().value!.phone);
      if (!amountMinor) return refuse(reply, 'BAD_AMOUNT');
      if (!ownerPhone) return refuse(reply, 'BAD_PHONE');
      const voucher = makeVoucher(environment, { ...order, ownerPhone, amountMinor });
      return voucher ? showVoucher(voucher) : refuse(reply, 'BAD_AMOUNT');
    },
  );
}

function bankRoutes(app: FastifyInstance, environment: Environment): void {
  app.post<{ Body: Static<typeof S.ConfirmBody> }>(
    '/confirm',
    { schema: { body: S.ConfirmBody } },
    async (request, reply) => {
      const { reference, transRef } = request.body;
      const payment = transRef
        ? environment.state.payments.get(transRef)
        : [...environment.state.payments.values()].findLast(({ reference1 }) => reference1 === reference);
      if (!payment) return refuse(reply, 'UNKNOWN_PAYMENT', 404);
      return deliver(environment, payment, forgery(environment, payment, request.body));
    },
  );
  app.post<{ Body: Static<typeof S.PayoutBody> }>(
    '/payout',
    { schema: { body: S.PayoutBody } },
    (request, reply) => {
      const { reference, state, reason } = request.body;
      if (!settlePayout(environment, reference, state, reason))
        return refuse(reply, 'NO_WAITING_PAYOUT', 404);
      return showPayout(environment.state.payouts.get(reference)!);
    },
  );
}

function misprintRoute(app: FastifyInstance, environment: Environment): void {
  app.post<{ Body: Static<typeof S.MisprintBody> }>(
    '/misprint',
    { schema: { body: S.MisprintBody } },
    (request, reply) => {
      const { party, reference, amount, restore } = request.body;
      const amountMinor = minorOf(amount);
      if (amountMinor === null) return refuse(reply, 'BAD_AMOUNT');
      misprint(environment, party, reference, restore ? undefined : (amountMinor ?? null));
      return { party, reference, shown: restore ? 'truth' : (amount ?? null) };
    },
  );
}

/** A confirmation as requested: true to the payment, or forged in one respect. */
function forgery(
  environment: Environment,
  payment: Payment,
  { forge, amount, ageMs }: Static<typeof S.ConfirmBody>,
) {
  const notifier = notifierOf(environment, payment);
  const reportedMinor = forge === 'changed-amount' ? minorOf(amount) : payment.amountMinor;
  const body = JSON.stringify(notifier.body(reportedMinor ?? payment.amountMinor * 10n));
  const atMs = nowMs(environment) - (forge === 'old-timestamp' ? (ageMs ?? OLD_MS) : 0);
  // A changed amount under the true signature: the body no longer fits what was signed.
  const signed = forge === 'changed-amount' ? JSON.stringify(notifier.body(payment.amountMinor)) : body;
  const secret = forge === 'wrong-signature' ? 'not-the-secret' : notifier.secret;
  return { body, signature: sign(signed, atMs, secret) };
}
