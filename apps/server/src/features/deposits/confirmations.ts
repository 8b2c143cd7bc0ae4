import { bankA } from '@krapao/contract/outside';
import type { FastifyInstance } from 'fastify';
import type { Bank } from '../../outside/index.ts';
import type { JobSet } from '../../platform/jobs.ts';
import { expireQrs, listQrsToAsk } from './queries.ts';
import { type ReceiveDeps, receivePayment } from './receive.ts';

const CONFIRMATION_BYTES_MAX = 16 * 1024;
const MINUTE_MS = 60_000;
/** How long after its making a QR is still asked about, should a confirmation have been lost. */
const ASK_FOR_MS = 60 * MINUTE_MS;
const ASK_AFTER_MS = 30_000;
/** So many QRs in a row without an answer mean that the bank is away. */
const SILENT_MAX = 3;

/**
 * Where the bank of style A confirms payments. Acknowledged only after the booking has committed; what is forged,
 * stale or out of shape changes nothing and is refused alike.
 */
export function confirmationRoute(app: FastifyInstance, deps: ReceiveDeps, bank: Bank): void {
  void app.register(async (scope) => {
    // The signature covers the bytes as they came, so this scope keeps them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: CONFIRMATION_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    scope.post('/hooks/bank-a/confirmation', { schema: { hide: true } as never }, async (request, reply) => {
      const signature = request.headers[bankA.SIGNATURE_HEADER];
      const read =
        typeof request.body === 'string'
          ? bank.readConfirmation(
              request.body,
              typeof signature === 'string' ? signature : undefined,
              deps.clock.now(),
            )
          : null;
      if (!read) {
        request.log.warn({ address: request.ip }, 'confirmation refused');
        return reply.code(401).send({ resCode: '99', resDesc: 'refused', transactionId: '' });
      }
      const booked = await receivePayment(deps, bank, read.payment);
      request.log.info({ reference: read.payment.bankReference, booked }, 'payment confirmed');
      return reply.send({ resCode: '00', resDesc: 'success', transactionId: read.transactionId });
    });
  });
}

/**
 * Asks the bank what it has received under our QRs; a lost confirmation must not lose the money. One QR without an
 * answer is left for later, a bank that answers nothing is left in peace.
 */
async function askForLost(deps: ReceiveDeps, bank: Bank): Promise<void> {
  const now = deps.clock.now().getTime();
  const ids = await listQrsToAsk(deps.pool, bank.code, {
    after: new Date(now - ASK_FOR_MS),
    before: new Date(now - ASK_AFTER_MS),
  });
  let silent = 0;
  for (const id of ids) {
    const answer = await bank.paymentsFor(id);
    silent = answer.outcome === 'unknown' ? silent + 1 : 0;
    if (silent >= SILENT_MAX) return;
    if (answer.outcome === 'ok')
      for (const payment of answer.value) await receivePayment(deps, bank, payment);
  }
}

/** Jobs of the QR deposit: expiry, and payments whose confirmation was lost. */
export function depositJobs(deps: ReceiveDeps, banks: readonly Bank[]): JobSet {
  return {
    tasks: {
      'qr.expire': async () => {
        await expireQrs(deps.pool, deps.clock.now());
      },
      'deposits.ask': async () => {
        for (const bank of banks) await askForLost(deps, bank);
      },
    },
    everyMinute: ['qr.expire', 'deposits.ask'],
  };
}
