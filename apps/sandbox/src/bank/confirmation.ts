/**
 * The signed notice that a QR was paid, from the bank or the gateway that made it: up to three tries, an interval
 * apart, until acknowledged. The first try leaves at once.
 */
import { createHmac } from 'node:crypto';
import { bankA } from '@krapao/contract/outside';
import { minorToDecimal } from '@krapao/contract/shared';
import { plan } from '../environment/agenda.ts';
import { findBank } from '../environment/banks.ts';
import { iso, nowMs } from '../environment/clock.ts';
import { changed, type Environment } from '../environment/environment.ts';
import { strike, type Trouble } from '../environment/faults.ts';
import { happen } from '../environment/happenings.ts';
import { writeLog } from '../environment/log.ts';
import type { Confirmation, Fault, Payment } from '../environment/state.ts';
import { gatewayNotifier } from '../gateways/callback.ts';
import type { Notifier } from './teller.ts';

const WEBHOOK_SECRET = 'sandbox-webhook-secret';
const PATH = '/hooks/bank-a/confirmation';
const TRIES_MAX = 3;
const RESPONSE_MS_MAX = 10_000;
const LATE_MS = 30_000;

/** A payment as the wire carries it, in confirmations and inquiries. */
export function paymentOnWire(environment: Environment, payment: Payment) {
  const from = environment.state.accounts.get(payment.fromKey);
  return {
    transactionId: payment.transactionId,
    transRef: payment.transRef,
    sendingBankCode: findBank(from?.bankCode ?? '')?.bot ?? '999',
    payeeProxyId: payment.billerId,
    payerAccountNumber: from?.accountNo ?? '',
    payerAccountName: from?.name ?? '',
    amount: minorToDecimal(payment.amountMinor, 2),
    currencyCode: '764' as const,
    billPaymentRef1: payment.reference1,
    billPaymentRef2: payment.reference2,
    transactionDateandTime: iso(payment.atMs),
  };
}

/** Who tells of a payment: the gateway it was made at, else the bank. */
export const notifierOf = (environment: Environment, payment: Payment): Notifier =>
  gatewayNotifier(environment, payment) ?? {
    party: 'bank-a',
    call: 'confirmation',
    url: environment.productUrl + PATH,
    header: bankA.SIGNATURE_HEADER,
    secret: WEBHOOK_SECRET,
    body: (amountMinor) => ({
      ...paymentOnWire(environment, payment),
      amount: minorToDecimal(amountMinor, 2),
    }),
    isAcknowledged: ({ resCode }) => resCode === '00',
  };

/** `t=…,v1=…` over "<t>.<body>"; t in Unix seconds. */
export const sign = (body: string, atMs: number, secret: string): string => {
  const t = Math.floor(atMs / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
};

export interface Delivery {
  status: number | null;
  reply: unknown;
  acknowledged: boolean;
}

/** Sends one notice to the product and reads its answer; never throws. */
export async function deliver(
  environment: Environment,
  payment: Payment,
  sent: { body: string; signature: string; fault?: Fault },
): Promise<Delivery> {
  const started = performance.now();
  const { state } = environment;
  let status: number | null = null;
  let reply: unknown = null;
  const notifier = notifierOf(environment, payment);
  try {
    const response = await fetch(notifier.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [notifier.header]: sent.signature },
      body: sent.body,
      signal: AbortSignal.any([environment.stopping.signal, AbortSignal.timeout(RESPONSE_MS_MAX)]),
    });
    status = response.status;
    const text = await response.text();
    reply = text;
    reply = JSON.parse(text);
  } catch {
    // No answer or no JSON: what was read so far tells the log enough, and the try counts as unanswered.
  }
  const isObject = typeof reply === 'object' && reply !== null;
  const acknowledged =
    status === 200 && isObject && notifier.isAcknowledged(reply as Record<string, unknown>);
  // The environment was reset meanwhile.
  if (environment.state !== state) return { status, reply, acknowledged };
  writeLog(environment, {
    party: notifier.party,
    call: notifier.call,
    direction: 'out',
    method: 'POST',
    path: new URL(notifier.url).pathname,
    reference: payment.reference1,
    request: { signature: sent.signature, body: sent.body },
    status,
    reply,
    fault: sent.fault?.kind,
    durationMs: Math.round(performance.now() - started),
  });
  return { status, reply, acknowledged };
}

/** Starts telling the product about a payment, troubled by whatever fault is armed for it. */
export function startConfirmation(environment: Environment, payment: Payment): void {
  const notice: Confirmation = {
    transRef: payment.transRef,
    tries: [],
    acknowledged: false,
    held: false,
    postponed: false,
  };
  environment.state.confirmations.set(payment.transRef, notice);
  plan(environment, 'confirm', payment.transRef, nowMs(environment));
}

/** Agenda: one try. Plans the next one when this fails. */
export function runConfirm(environment: Environment, transRef: string, dueMs: number): void {
  const { state } = environment;
  const notice = state.confirmations.get(transRef);
  const payment = state.payments.get(transRef);
  if (!notice || !payment || notice.acknowledged) return;
  const trouble: Trouble = notice.postponed ? { delayMs: 0 } : strikeFor(environment, payment);
  const kind = trouble.fault?.kind;
  const postponeMs =
    trouble.delayMs + (kind === 'late' || kind === 'reordered' ? (trouble.fault?.ms ?? LATE_MS) : 0);
  notice.postponed = postponeMs > 0;
  notice.held = kind === 'reordered';
  if (notice.postponed) {
    plan(environment, 'confirm', transRef, dueMs + postponeMs);
    return;
  }
  void tryOnce(environment, notice, payment, trouble.fault).then(() => {
    if (environment.state !== state || environment.stopping.signal.aborted) return;
    if (!notice.acknowledged && notice.tries.length < TRIES_MAX)
      plan(environment, 'confirm', transRef, dueMs + state.settings.confirmationIntervalMs);
    releaseHeld(environment, transRef);
  });
}

function strikeFor(environment: Environment, payment: Payment): Trouble {
  const { party, call } = notifierOf(environment, payment);
  const member = environment.state.accounts.get(payment.fromKey)?.accountNo;
  return strike(environment, { party, call, reference: payment.reference1, member });
}

/** A notice that let others overtake it leaves as soon as one has. */
function releaseHeld(environment: Environment, afterTransRef: string): void {
  for (const task of environment.state.tasks) {
    const held = task.kind === 'confirm' && environment.state.confirmations.get(task.subject)?.held;
    if (held && task.subject !== afterTransRef) task.dueMs = Math.min(task.dueMs, nowMs(environment));
  }
  environment.bus.emit('agenda');
}

const NOT_SENT: readonly string[] = ['cut-before', 'refuse', '429', '500', 'outage'];

async function tryOnce(
  environment: Environment,
  notice: Confirmation,
  payment: Payment,
  fault?: Fault,
): Promise<void> {
  const atMs = nowMs(environment);
  const { state } = environment;
  const notifier = notifierOf(environment, payment);
  const text = JSON.stringify(
    notifier.body(fault?.kind === 'wrong-amount' ? payment.amountMinor + 100n : payment.amountMinor),
  );
  const body = fault?.kind === 'malformed' ? text.slice(0, text.length / 2) : text;
  const signature = sign(body, atMs, fault?.kind === 'wrong-signature' ? 'not-the-secret' : notifier.secret);
  let delivery: Delivery = { status: null, reply: null, acknowledged: false };
  if (!NOT_SENT.includes(fault?.kind ?? ''))
    delivery = await deliver(environment, payment, { body, signature, fault });
  if (fault?.kind === 'duplicate') delivery = await deliver(environment, payment, { body, signature, fault });
  if (environment.state !== state) return;
  const acknowledged = delivery.acknowledged && fault?.kind !== 'cut-after';
  notice.acknowledged ||= acknowledged;
  notice.tries.push({ atMs, status: delivery.status, outcome: fault?.kind ?? 'sent', acknowledged });
  changed(environment);
  happen(environment, 'confirmation', {
    reference: payment.reference1,
    facts: { transRef: payment.transRef, try: notice.tries.length, status: delivery.status, acknowledged },
  });
}
