/** Bank style A over HTTP: see bank-a.ts in the contract for the shapes, docs/sandbox.md for the codes. */
import { bankA } from '@krapao/contract/outside';
import { decimalToMinor, encodeBillPayment, minorToDecimal } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { findBank } from '../environment/banks.ts';
import { iso, nowMs } from '../environment/clock.ts';
import { changed, type Environment } from '../environment/environment.ts';
import {
  type Action,
  type Dialect,
  logUnreadable,
  type Reply,
  runExchange,
} from '../environment/exchange.ts';
import type { Exchange } from '../environment/faults.ts';
import { pageOf, printed } from '../environment/misprints.ts';
import { drawText } from '../environment/random.ts';
import type { Payout } from '../environment/state.ts';
import { accountKey, COMPANY } from './accounts.ts';
import { paymentOnWire } from './confirmation.ts';
import { requestPayout } from './payouts.ts';

const KEY = 'sandbox-app';
const SECRET = 'sandbox-secret';
const TOKEN_SECONDS = 1800;
const STATEMENT_PAGE = 200;

const OK = { code: 1000, description: 'Success' };
const refusal = (status: number, code: number, description: string): Reply => ({
  status,
  body: { status: { code, description } },
});

/** HTTP status of the refusals that have one of their own. */
const REFUSAL_STATUS: Record<number | string, number> = {
  [bankA.REFUSAL.REFERENCE_USED]: 409,
  [bankA.REFUSAL.NOT_SEEN]: 404,
};

/** How this bank words the sandbox's faults. */
const dialect: Dialect = {
  refuse: ({ code = bankA.REFUSAL.REFUSED }) =>
    refusal(REFUSAL_STATUS[code] ?? 400, Number(code), 'Request refused'),
  tooMany: () => refusal(429, 9700, 'Too many requests'),
  broken: () => refusal(500, 9900, 'Internal error'),
  outage: () => refusal(503, 9901, 'Service unavailable'),
};

const badShape = (what: string): Reply =>
  refusal(400, bankA.REFUSAL.BAD_REQUEST, `Invalid parameter: ${what}`);
const unknown = (): Reply => refusal(404, bankA.REFUSAL.NOT_SEEN, 'Not found');

/** Runs `action` only for a holder of a live token. */
function guarded(environment: Environment, request: FastifyRequest, perform: Action): Action {
  return (fault) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const expiresAtMs = environment.state.tokens.get(token);
    if (expiresAtMs === undefined || expiresAtMs <= nowMs(environment))
      return refusal(401, bankA.REFUSAL.BAD_TOKEN, 'Invalid or expired access token');
    return perform(fault);
  };
}

function issueToken(environment: Environment, body: Static<typeof bankA.TokenRequest>): Reply {
  if (body.applicationKey !== KEY || body.applicationSecret !== SECRET)
    return refusal(401, bankA.REFUSAL.BAD_KEYS, 'Invalid application key or secret');
  const accessToken = drawText(environment, 40);
  const now = nowMs(environment);
  for (const [token, expiresAtMs] of environment.state.tokens)
    if (expiresAtMs <= now) environment.state.tokens.delete(token);
  environment.state.tokens.set(accessToken, now + TOKEN_SECONDS * 1000);
  changed(environment);
  return { status: 200, body: { status: OK, data: { accessToken, expiresIn: TOKEN_SECONDS } } };
}

function createQr(environment: Environment, body: Static<typeof bankA.CreateQrRequest>): Reply {
  if (body.ppId !== COMPANY.billerId) return badShape('ppId');
  const amountMinor = decimalToMinor(body.amount, 2);
  if (!amountMinor) return badShape('amount');
  for (const name of ['ref1', 'ref2'] as const)
    if (!/^[A-Z0-9]{1,20}$/.test(body[name]) && !(name === 'ref2' && body.ref2 === '')) return badShape(name);
  const { ref1: reference1, ref2: reference2 } = body;
  const payload = encodeBillPayment({
    billerId: COMPANY.billerId,
    reference1,
    ...(reference2 ? { reference2 } : {}),
    amountMinor,
  });
  environment.state.qrs.set(reference1, {
    reference1,
    reference2,
    amountMinor,
    payload,
    atMs: nowMs(environment),
  });
  changed(environment);
  return { status: 200, body: { status: OK, data: { qrRawData: payload } } };
}

interface InquiryQuery {
  billerId?: string;
  reference1?: string;
  sendingBank?: string;
}

function inquire(environment: Environment, query: InquiryQuery): Reply {
  if (query.billerId !== COMPANY.billerId) return badShape('billerId');
  if (!query.reference1) return badShape('reference1');
  const data = [...environment.state.payments.values()]
    .filter(({ reference1 }) => reference1 === query.reference1)
    .map((payment) => paymentOnWire(environment, payment))
    .filter(({ sendingBankCode }) => !query.sendingBank || sendingBankCode === query.sendingBank);
  return { status: 200, body: { status: OK, data } };
}

function payoutResponse({ reference, payoutId, state, reason, amountMinor }: Payout): Reply {
  const data = {
    reference,
    payoutId,
    state,
    ...(reason ? { reason } : {}),
    amount: minorToDecimal(amountMinor, 2),
  };
  return { status: 200, body: { status: OK, data } };
}

function payOut(environment: Environment, body: Static<typeof bankA.PayoutRequest>): Reply {
  const amountMinor = decimalToMinor(body.amount, 2);
  if (!amountMinor) return badShape('amount');
  if (!/^[\w.-]{1,64}$/.test(body.reference)) return badShape('reference');
  const accountNo = body.accountNo.replace(/[\s-]/g, '');
  const bankCode = findBank(body.bankCode)?.code ?? body.bankCode;
  const { reference, accountName } = body;
  const payout = requestPayout(environment, { reference, amountMinor, bankCode, accountNo, accountName });
  return payout === 'CONFLICT'
    ? refusal(409, bankA.REFUSAL.REFERENCE_USED, 'Reference already used for another payout')
    : payoutResponse(payout);
}

/** Registers the calls under /outside/bank-a. */
export async function bankWire(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  const unreadable = (request: FastifyRequest, reply: FastifyReply, response: Reply) =>
    reply.code(response.status).send(logUnreadable(environment, 'bank-a', request, response).body);
  app.setErrorHandler((error: { validation?: { message?: string }[] }, request, reply) =>
    unreadable(request, reply, badShape(error.validation?.[0]?.message ?? 'unreadable body')),
  );
  app.setNotFoundHandler((request, reply) => unreadable(request, reply, unknown()));
  const run = (
    request: FastifyRequest,
    reply: FastifyReply,
    about: Omit<Exchange, 'party'>,
    perform: Action,
  ) => runExchange(environment, request, reply, { about: { party: 'bank-a', ...about }, dialect, perform });

  app.post<{ Body: Static<typeof bankA.TokenRequest> }>(
    '/v1/oauth/token',
    { schema: { body: bankA.TokenRequest } },
    (request, reply) => run(request, reply, { call: 'token' }, () => issueToken(environment, request.body)),
  );
  app.post<{ Body: Static<typeof bankA.CreateQrRequest> }>(
    '/v1/payment/qrcode/create',
    { schema: { body: bankA.CreateQrRequest } },
    (request, reply) =>
      run(
        request,
        reply,
        { call: 'create-qr', reference: request.body.ref1 },
        guarded(environment, request, () => createQr(environment, request.body)),
      ),
  );
  app.get<{ Querystring: InquiryQuery }>('/v1/payment/billpayment/inquiry', (request, reply) =>
    run(
      request,
      reply,
      { call: 'inquiry', reference: request.query.reference1 },
      guarded(environment, request, () => inquire(environment, request.query)),
    ),
  );
  app.get<{ Params: { transRef: string } }>('/v1/payment/transactions/:transRef', (request, reply) => {
    const perform = () => {
      const payment = environment.state.payments.get(request.params.transRef);
      return payment
        ? { status: 200, body: { status: OK, data: paymentOnWire(environment, payment) } }
        : unknown();
    };
    return run(
      request,
      reply,
      { call: 'transaction', reference: request.params.transRef },
      guarded(environment, request, perform),
    );
  });
  payoutWire(app, environment, run);
  statementWire(app, environment, run);
}

type Run = (
  r: FastifyRequest,
  p: FastifyReply,
  about: Omit<Exchange, 'party'>,
  perform: Action,
) => Promise<FastifyReply>;

function payoutWire(app: FastifyInstance, environment: Environment, run: Run): void {
  app.post<{ Body: Static<typeof bankA.PayoutRequest> }>(
    '/v1/payout',
    { schema: { body: bankA.PayoutRequest } },
    (request, reply) => {
      const { reference, accountNo: member } = request.body;
      return run(
        request,
        reply,
        { call: 'payout', reference, member },
        guarded(environment, request, () => payOut(environment, request.body)),
      );
    },
  );
  app.get<{ Params: { reference: string } }>('/v1/payout/:reference', (request, reply) => {
    const { reference } = request.params;
    const perform = () => {
      const payout = environment.state.payouts.get(reference);
      return payout ? payoutResponse(payout) : unknown();
    };
    return run(request, reply, { call: 'payout-status', reference }, guarded(environment, request, perform));
  });
}

interface StatementQuery {
  billerId?: string;
  from?: string;
  to?: string;
  cursor?: string;
}

function statementOf(environment: Environment, query: StatementQuery): Reply {
  if (query.billerId !== COMPANY.billerId) return badShape('billerId');
  const [fromMs, toMs] = [Date.parse(query.from ?? ''), Date.parse(query.to ?? '')];
  if (!(fromMs <= toMs)) return badShape('from');
  const all = environment.state.lines.filter(
    (line) => line.accountKey === accountKey(COMPANY) && line.atMs >= fromMs && line.atMs < toMs,
  );
  const { page, next } = pageOf(all, query.cursor, STATEMENT_PAGE);
  const lines = page.flatMap((line) => {
    const isCredit = line.amountMinor > 0n;
    const amountMinor = printed(
      environment,
      'bank-a',
      line.transRef,
      isCredit ? line.amountMinor : -line.amountMinor,
    );
    return amountMinor === null
      ? []
      : {
          transRef: line.transRef,
          type: isCredit ? 'CREDIT' : 'DEBIT',
          amount: minorToDecimal(amountMinor, 2),
          bookedAt: iso(line.atMs),
          reference: line.kind === 'transfer' ? '' : line.reference,
          counterAccount: line.counterKey.split(':')[1]!,
        };
  });
  return { status: 200, body: { status: OK, data: { lines, next } } };
}

function statementWire(app: FastifyInstance, environment: Environment, run: Run): void {
  app.get<{ Querystring: StatementQuery }>('/v1/account/statement', (request, reply) =>
    run(
      request,
      reply,
      { call: 'statement', reference: request.query.billerId },
      guarded(environment, request, () => statementOf(environment, request.query)),
    ),
  );
}
