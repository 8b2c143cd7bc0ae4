/** The gateways over HTTP: see gateway.ts in the contract for the shapes. */
import { gateway as shapes } from '@krapao/contract/outside';
import { decimalToMinor } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { isLoopback } from '../control/local.ts';
import type { Environment } from '../environment/environment.ts';
import {
  type Action,
  type Dialect,
  logUnreadable,
  type Reply,
  runExchange,
} from '../environment/exchange.ts';
import { GATEWAYS, type Gateway } from './merchants.ts';
import { cancelPayment, findPayment, makePayment, paymentOnWire, transfersOnWire } from './payments.ts';

const fail = (status: number, code: string, message: string): Reply => ({ status, body: { code, message } });

const dialect: Dialect = {
  refuse: () => fail(422, 'REFUSED', 'request refused'),
  tooMany: () => fail(429, 'TOO_MANY', 'too many requests'),
  broken: () => fail(500, 'BROKEN', 'internal error'),
  outage: () => fail(503, 'AWAY', 'service unavailable'),
};
const badShape = (what: string): Reply => fail(400, 'BAD_REQUEST', what);
const notFound = (): Reply => fail(404, shapes.CODE.NOT_FOUND, 'no such payment');

/** Callbacks go to programs on this machine only: another address is rejected. */
const isNear = (address: string): boolean =>
  URL.canParse(address) && isLoopback(new URL(address).hostname) && address.startsWith('http://');

function create(
  environment: Environment,
  gateway: Gateway,
  body: Static<typeof shapes.CreatePaymentRequest>,
): Reply {
  const amountMinor = decimalToMinor(body.amount, 2);
  const expiresAtMs = Date.parse(body.expiresAt);
  if (!/^[A-Z0-9]{1,20}$/.test(body.reference)) return badShape('reference');
  if (!amountMinor) return badShape('amount');
  if (Number.isNaN(expiresAtMs)) return badShape('expiresAt');
  if (!isNear(body.callbackUrl)) return badShape('callbackUrl');
  const { reference, callbackUrl } = body;
  const payment = makePayment(environment, gateway, { reference, amountMinor, expiresAtMs, callbackUrl });
  return payment
    ? { status: 200, body: paymentOnWire(environment, gateway, payment) }
    : fail(409, 'REFERENCE_USED', 'reference used for another payment');
}

/** Registers every gateway under /outside/gateways/{party}. */
export async function gatewayWire(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  for (const gateway of GATEWAYS)
    await app.register(async (scope) => oneGateway(scope, environment, gateway), {
      prefix: `/${gateway.party}`,
    });
}

function oneGateway(app: FastifyInstance, environment: Environment, gateway: Gateway): void {
  const unreadable = (request: FastifyRequest, reply: FastifyReply, response: Reply) =>
    reply.code(response.status).send(logUnreadable(environment, gateway.party, request, response).body);
  app.setErrorHandler((_error, request, reply) => unreadable(request, reply, badShape('unreadable')));
  app.setNotFoundHandler((request, reply) => unreadable(request, reply, notFound()));
  const run = (
    request: FastifyRequest,
    reply: FastifyReply,
    about: { call: string; reference: string },
    perform: Action,
  ) => {
    const allowed = request.headers[shapes.KEY_HEADER] === gateway.key;
    return runExchange(environment, request, reply, {
      about: { party: gateway.party, ...about },
      dialect,
      perform: (fault) => (allowed ? perform(fault) : fail(401, 'BAD_KEY', 'wrong key')),
    });
  };

  app.post<{ Body: Static<typeof shapes.CreatePaymentRequest> }>(
    '/v1/payments',
    { schema: { body: shapes.CreatePaymentRequest } },
    (request, reply) =>
      run(request, reply, { call: 'create-payment', reference: request.body.reference }, () =>
        create(environment, gateway, request.body),
      ),
  );
  app.get<{ Params: { reference: string } }>('/v1/payments/:reference', (request, reply) => {
    const { reference } = request.params;
    return run(request, reply, { call: 'payment-status', reference }, () => {
      const payment = findPayment(environment, gateway, reference);
      return payment ? { status: 200, body: paymentOnWire(environment, gateway, payment) } : notFound();
    });
  });
  app.get<{ Querystring: { from?: string; to?: string; cursor?: string } }>(
    '/v1/transfers',
    (request, reply) => {
      const { from = '', to = '', cursor } = request.query;
      const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
      return run(request, reply, { call: 'transfers', reference: from }, () =>
        fromMs <= toMs
          ? { status: 200, body: transfersOnWire(environment, gateway, { fromMs, toMs, cursor }) }
          : badShape('from'),
      );
    },
  );
  // No schema: cancelling has no body.
  app.post<{ Params: { reference: string } }>('/v1/payments/:reference/cancel', (request, reply) => {
    const { reference } = request.params;
    return run(request, reply, { call: 'cancel', reference }, () => {
      const payment = findPayment(environment, gateway, reference);
      if (!payment) return notFound();
      return cancelPayment(environment, gateway, payment)
        ? { status: 200, body: paymentOnWire(environment, gateway, payment) }
        : fail(409, shapes.CODE.ALREADY_PAID, 'already paid');
    });
  });
}
