/**
 * The bank's signed notice that a QR was paid: up to three tries, an interval apart, until acknowledged with
 * resCode "00". The first try leaves at once.
 */
import { createHmac } from 'node:crypto';
import { bankA } from '@krapao/contract/outside';
import { minorToDecimal } from '@krapao/contract/shared';
import { plan } from '../world/agenda.ts';
import { findBank } from '../world/banks.ts';
import { iso, nowMs } from '../world/clock.ts';
import { strike, type Trouble } from '../world/faults.ts';
import { happen } from '../world/happenings.ts';
import { writeLog } from '../world/log.ts';
import type { Confirmation, Fault, Payment } from '../world/state.ts';
import { changed, type World } from '../world/world.ts';

const WEBHOOK_SECRET = 'sandbox-webhook-secret';
const PATH = '/hooks/bank-a/confirmation';
const TRIES_MAX = 3;
const ANSWER_MS_MAX = 10_000;
const LATE_MS = 30_000;

/** A payment as the wire carries it, in confirmations and inquiries. */
export function paymentOnWire(world: World, payment: Payment) {
  const from = world.state.accounts.get(payment.fromKey);
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

/** `t=…,v1=…` over "<t>.<body>"; t in Unix seconds. */
export const sign = (body: string, atMs: number, secret = WEBHOOK_SECRET): string => {
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
  world: World,
  payment: Payment,
  sent: { body: string; signature: string; fault?: Fault },
): Promise<Delivery> {
  const started = performance.now();
  let status: number | null = null;
  let reply: unknown = null;
  try {
    const answer = await fetch(world.productUrl + PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [bankA.SIGNATURE_HEADER]: sent.signature },
      body: sent.body,
      signal: AbortSignal.any([world.stopping.signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
    });
    status = answer.status;
    const text = await answer.text();
    reply = text;
    reply = JSON.parse(text);
  } catch {
    // No answer or no JSON: what was read so far tells the log enough, and the try counts as unanswered.
  }
  writeLog(world, {
    party: 'bank-a',
    call: 'confirmation',
    direction: 'out',
    method: 'POST',
    path: PATH,
    reference: payment.reference1,
    request: { signature: sent.signature, body: sent.body },
    status,
    reply,
    fault: sent.fault?.kind,
    durationMs: Math.round(performance.now() - started),
  });
  const resCode =
    typeof reply === 'object' && reply !== null && 'resCode' in reply ? reply.resCode : undefined;
  return { status, reply, acknowledged: status === 200 && resCode === '00' };
}

/** Starts telling the product about a payment, troubled by whatever fault is armed for it. */
export function startConfirmation(world: World, payment: Payment): void {
  const notice: Confirmation = {
    transRef: payment.transRef,
    tries: [],
    acknowledged: false,
    held: false,
    postponed: false,
  };
  world.state.confirmations.set(payment.transRef, notice);
  plan(world, 'confirm', payment.transRef, nowMs(world));
}

/** Agenda: one try. Plans the next one when this fails. */
export function runConfirm(world: World, transRef: string, dueMs: number): void {
  const { state } = world;
  const notice = state.confirmations.get(transRef);
  const payment = state.payments.get(transRef);
  if (!notice || !payment || notice.acknowledged) return;
  const trouble: Trouble = notice.postponed ? { delayMs: 0 } : strikeFor(world, payment);
  const kind = trouble.fault?.kind;
  const postponeMs =
    trouble.delayMs + (kind === 'late' || kind === 'reordered' ? (trouble.fault?.ms ?? LATE_MS) : 0);
  notice.postponed = postponeMs > 0;
  notice.held = kind === 'reordered';
  if (notice.postponed) {
    plan(world, 'confirm', transRef, dueMs + postponeMs);
    return;
  }
  void tryOnce(world, notice, payment, trouble.fault).then(() => {
    if (world.state !== state || world.stopping.signal.aborted) return;
    if (!notice.acknowledged && notice.tries.length < TRIES_MAX)
      plan(world, 'confirm', transRef, dueMs + state.settings.confirmationIntervalMs);
    releaseHeld(world, transRef);
  });
}

const strikeFor = (world: World, payment: Payment): Trouble =>
  strike(world, {
    party: 'bank-a',
    call: 'confirmation',
    reference: payment.reference1,
    member: world.state.accounts.get(payment.fromKey)?.accountNo,
  });

/** A notice that let others overtake it leaves as soon as one has. */
function releaseHeld(world: World, afterTransRef: string): void {
  for (const task of world.state.tasks) {
    const held = task.kind === 'confirm' && world.state.confirmations.get(task.subject)?.held;
    if (held && task.subject !== afterTransRef) task.dueMs = Math.min(task.dueMs, nowMs(world));
  }
  world.bus.emit('agenda');
}

const NOT_SENT: readonly string[] = ['cut-before', 'refuse', '429', '500', 'outage'];

async function tryOnce(world: World, notice: Confirmation, payment: Payment, fault?: Fault): Promise<void> {
  const atMs = nowMs(world);
  const wire = paymentOnWire(world, payment);
  if (fault?.kind === 'wrong-amount') wire.amount = minorToDecimal(payment.amountMinor + 100n, 2);
  const text = JSON.stringify(wire);
  const body = fault?.kind === 'malformed' ? text.slice(0, text.length / 2) : text;
  const signature = sign(body, atMs, fault?.kind === 'wrong-signature' ? 'not-the-secret' : undefined);
  let delivery: Delivery = { status: null, reply: null, acknowledged: false };
  if (!NOT_SENT.includes(fault?.kind ?? ''))
    delivery = await deliver(world, payment, { body, signature, fault });
  if (fault?.kind === 'duplicate') delivery = await deliver(world, payment, { body, signature, fault });
  const acknowledged = delivery.acknowledged && fault?.kind !== 'cut-after';
  notice.acknowledged ||= acknowledged;
  notice.tries.push({ atMs, status: delivery.status, outcome: fault?.kind ?? 'sent', acknowledged });
  changed(world);
  happen(world, 'confirmation', {
    reference: payment.reference1,
    facts: { transRef: payment.transRef, try: notice.tries.length, status: delivery.status, acknowledged },
  });
}
