/**
 * The signed notice that a QR was paid, from the bank or the gateway that made it: up to three tries, an interval
 * apart, until acknowledged. The first try leaves at once.
 */
import { createHmac } from 'node:crypto';
import { bankA } from '@krapao/contract/outside';
import { minorToDecimal } from '@krapao/contract/shared';
import { gatewayTeller } from '../gateways/callback.ts';
import { plan } from '../world/agenda.ts';
import { findBank } from '../world/banks.ts';
import { iso, nowMs } from '../world/clock.ts';
import { strike, type Trouble } from '../world/faults.ts';
import { happen } from '../world/happenings.ts';
import { writeLog } from '../world/log.ts';
import type { Confirmation, Fault, Payment } from '../world/state.ts';
import { changed, type World } from '../world/world.ts';
import type { Teller } from './teller.ts';

const WEBHOOK_SECRET = 'sandbox-webhook-secret';
const PATH = '/hooks/bank-a/confirmation';
const TRIES_MAX = 3;
const RESPONSE_MS_MAX = 10_000;
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

/** Who tells of a payment: the gateway it was made at, else the bank. */
export const tellerOf = (world: World, payment: Payment): Teller =>
  gatewayTeller(world, payment) ?? {
    party: 'bank-a',
    call: 'confirmation',
    url: world.productUrl + PATH,
    header: bankA.SIGNATURE_HEADER,
    secret: WEBHOOK_SECRET,
    body: (amountMinor) => ({ ...paymentOnWire(world, payment), amount: minorToDecimal(amountMinor, 2) }),
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
  world: World,
  payment: Payment,
  sent: { body: string; signature: string; fault?: Fault },
): Promise<Delivery> {
  const started = performance.now();
  const { state } = world;
  let status: number | null = null;
  let reply: unknown = null;
  const teller = tellerOf(world, payment);
  try {
    const response = await fetch(teller.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [teller.header]: sent.signature },
      body: sent.body,
      signal: AbortSignal.any([world.stopping.signal, AbortSignal.timeout(RESPONSE_MS_MAX)]),
    });
    status = response.status;
    const text = await response.text();
    reply = text;
    reply = JSON.parse(text);
  } catch {
    // No answer or no JSON: what was read so far tells the log enough, and the try counts as unanswered.
  }
  const isObject = typeof reply === 'object' && reply !== null;
  const acknowledged = status === 200 && isObject && teller.isAcknowledged(reply as Record<string, unknown>);
  // The world was emptied meanwhile.
  if (world.state !== state) return { status, reply, acknowledged };
  writeLog(world, {
    party: teller.party,
    call: teller.call,
    direction: 'out',
    method: 'POST',
    path: new URL(teller.url).pathname,
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

function strikeFor(world: World, payment: Payment): Trouble {
  const { party, call } = tellerOf(world, payment);
  const member = world.state.accounts.get(payment.fromKey)?.accountNo;
  return strike(world, { party, call, reference: payment.reference1, member });
}

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
  const { state } = world;
  const teller = tellerOf(world, payment);
  const text = JSON.stringify(
    teller.body(fault?.kind === 'wrong-amount' ? payment.amountMinor + 100n : payment.amountMinor),
  );
  const body = fault?.kind === 'malformed' ? text.slice(0, text.length / 2) : text;
  const signature = sign(body, atMs, fault?.kind === 'wrong-signature' ? 'not-the-secret' : teller.secret);
  let delivery: Delivery = { status: null, reply: null, acknowledged: false };
  if (!NOT_SENT.includes(fault?.kind ?? ''))
    delivery = await deliver(world, payment, { body, signature, fault });
  if (fault?.kind === 'duplicate') delivery = await deliver(world, payment, { body, signature, fault });
  if (world.state !== state) return;
  const acknowledged = delivery.acknowledged && fault?.kind !== 'cut-after';
  notice.acknowledged ||= acknowledged;
  notice.tries.push({ atMs, status: delivery.status, outcome: fault?.kind ?? 'sent', acknowledged });
  changed(world);
  happen(world, 'confirmation', {
    reference: payment.reference1,
    facts: { transRef: payment.transRef, try: notice.tries.length, status: delivery.status, acknowledged },
  });
}
