import { MINUTE_MS } from '@krapao/contract/durations';
import type { FastifyInstance } from 'fastify';
import { type BankPayment, QR_REFUSAL, type QrMaker } from '../../../outside/index.ts';
import type { JobSet } from '../../../platform/jobs.ts';
import type { SecurityLog } from '../../../platform/security-log.ts';
import type { Settled } from '../matching/match.ts';
import { type ReceiveDeps, receivePayment } from '../matching/receive.ts';
import { CHECK_UNANSWERED_MS } from './gone-gateways.ts';
import {
  expireQrs,
  findQr,
  listQrsToCheck,
  markQrAnswered,
  markQrChecked,
  markQrUnreadable,
  queueCancel,
} from './queries.ts';

const CONFIRMATION_BYTES_MAX = 16 * 1024;
/** How long after its creation a QR is checked for lost confirmations, whatever the partner has responded. */
const CHECK_FOR_MS = 60 * MINUTE_MS;
const CHECK_AFTER_MS = 30_000;
/** This number of QRs in a row without a response means that the partner is unreachable. */
const SILENT_MAX = 3;
const CANCEL_AGAIN_MS = 15_000;

interface HookDeps extends ReceiveDeps {
  security: Pick<SecurityLog, 'refuse'>;
}

/**
 * Receives payment notifications of banks and gateways. They are acknowledged only after the booking has committed;
 * forged, stale and malformed ones change nothing and get the same refusal.
 */
export function confirmationRoutes(app: FastifyInstance, deps: HookDeps, makers: readonly QrMaker[]): void {
  void app.register(async (scope) => {
    // The signature covers the received bytes, so this scope retains them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: CONFIRMATION_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    for (const maker of makers) hookRoute(scope, deps, maker);
  });
}

function hookRoute(scope: FastifyInstance, deps: HookDeps, maker: QrMaker): void {
  const { path, signatureHeader, refusal, read } = maker.hook;
  scope.post(path, { schema: { hide: true } as never }, async (request, reply) => {
    const signature = request.headers[signatureHeader];
    const reported =
      typeof request.body === 'string'
        ? read(request.body, typeof signature === 'string' ? signature : undefined, deps.clock.now())
        : null;
    if (!reported) {
      deps.security.refuse(request, 'UNAUTHORIZED', 'confirmation refused');
      return reply.code(401).send(refusal);
    }
    const booked = await receiveNotified(deps, maker, reported.payment);
    request.log.info({ reference: reported.payment.bankReference, booked }, 'payment confirmed');
    // Not acknowledged, so that the partner repeats it.
    return booked === 'unconfirmed' ? reply.code(503).send(refusal) : reply.send(reported.response);
  });
}

/**
 * Books a notified payment. When its amount differs from that of the QR it names, the notification alone is not believed:
 * what the partner's inquiry states under the QR is booked instead, and operators are alerted. `unconfirmed` when the
 * inquiry gives no answer or does not know the payment; nothing is booked of it then.
 */
async function receiveNotified(
  deps: ReceiveDeps,
  maker: QrMaker,
  payment: BankPayment,
): Promise<Settled['booked'] | 'unconfirmed'> {
  const { bankReference, amountMinor, reference1 } = payment;
  const qr = reference1 ? await findQr(deps.pool, reference1) : undefined;
  if (qr?.bank_code !== maker.code || qr.amount === amountMinor) return receivePayment(deps, maker, payment);
  const response = await maker.paymentsFor(qr.id);
  const stated = response.outcome === 'ok' ? response.value.payments : [];
  const found = stated.find((one) => one.bankReference === bankReference);
  // Before the booking, so that operators never see the credit without the alert.
  if (found?.amountMinor !== amountMinor) {
    const detail = `${maker.code} ${bankReference}: notified ${amountMinor}, inquiry ${found?.amountMinor ?? 'unknown'}`;
    await deps.alert('notification-differs', `qr:${qr.id}`, detail);
  }
  let booked: Settled['booked'] | 'unconfirmed' = 'unconfirmed';
  for (const one of stated) {
    const result = await receivePayment(deps, maker, one);
    if (one === found) booked = result;
  }
  return booked;
}

/**
 * Books every payment that the partner knows under a QR; false without a response about it, also when the partner
 * refuses the call. While it lists one that cannot be read, operators are alerted, and the QR is checked again as one
 * without a response.
 */
async function checkQr(deps: ReceiveDeps, maker: QrMaker, id: string): Promise<boolean> {
  const checkedAt = deps.clock.now();
  await markQrChecked(deps.pool, id, checkedAt);
  const response = await maker.paymentsFor(id);
  if (response.outcome === 'unknown') return false;
  if (response.outcome === 'rejected' && response.code !== QR_REFUSAL.ABSENT) return false;
  if (response.outcome === 'ok') {
    const { payments, unreadable } = response.value;
    for (const payment of payments) await receivePayment(deps, maker, payment);
    if (unreadable > 0) {
      const detail = `${maker.code}: ${unreadable} payments of this QR`;
      await deps.alert('payment-unreadable', `qr:${id}`, detail, () =>
        markQrUnreadable(deps.pool, id, detail, checkedAt),
      );
      return true;
    }
  }
  await markQrAnswered(deps.pool, id, checkedAt);
  return true;
}

/**
 * Queries payments of QRs, so that a lost confirmation loses no money. A QR without a response is checked later; an
 * unreachable partner is not queried further in this run.
 */
async function checkLost(deps: ReceiveDeps, maker: QrMaker): Promise<void> {
  const now = deps.clock.now().getTime();
  const ids = await listQrsToCheck(deps.pool, maker.code, {
    oldest: new Date(now - CHECK_UNANSWERED_MS),
    after: new Date(now - CHECK_FOR_MS),
    before: new Date(now - CHECK_AFTER_MS),
  });
  let silent = 0;
  for (const id of ids) {
    silent = (await checkQr(deps, maker, id)) ? 0 : silent + 1;
    if (silent >= SILENT_MAX) return;
  }
}

/**
 * Cancels a QR at the gateway, repeatedly until it answers about it or the QR has expired there. A QR that cannot be
 * cancelled was paid, so its payments are queried at once; our cancelling does not undo them.
 */
async function cancelAtMaker(deps: ReceiveDeps, makers: readonly QrMaker[], id: string): Promise<void> {
  const qr = await findQr(deps.pool, id);
  const maker = qr && makers.find(({ code }) => code === qr.bank_code);
  if (qr?.status !== 'CANCELLED' || !maker?.cancelQr || qr.expires_at <= deps.clock.now()) return;
  const response = await maker.cancelQr(id);
  const isDefinite =
    response.outcome === 'rejected' &&
    (response.code === QR_REFUSAL.PAID || response.code === QR_REFUSAL.ABSENT);
  const isOver = isDefinite ? await checkQr(deps, maker, id) : response.outcome === 'ok';
  if (!isOver) await queueCancel(deps.pool, id, CANCEL_AGAIN_MS);
}

/** Jobs of the QR deposit: expiry, cancelling at gateways, and payments whose confirmation was lost. */
export function depositJobs(deps: ReceiveDeps, makers: readonly QrMaker[]): JobSet {
  return {
    partner: 'qr',
    tasks: {
      'qr.expire': async () => {
        await expireQrs(deps.pool, deps.clock.now());
      },
      'qr.cancel': (payload) => cancelAtMaker(deps, makers, (payload as { id: string }).id),
      'deposits.ask': async () => {
        // Side by side, so that a slow partner does not keep the others' money waiting.
        await Promise.all(makers.map((maker) => checkLost(deps, maker)));
      },
    },
    everyMinute: ['qr.expire', 'deposits.ask'],
  };
}
