/** SMS gateway over HTTP: see sms.ts in the contract for the shapes. */
import { sms } from '@krapao/contract/outside';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Environment } from '../environment/environment.ts';
import {
  type Action,
  type Dialect,
  logUnreadable,
  type Reply,
  runExchange,
} from '../environment/exchange.ts';
import type { Exchange } from '../environment/faults.ts';
import type { Message } from '../environment/state.ts';
import { canonicalPhone } from '../people.ts';
import { resendMessage, sendMessage } from './messages.ts';

const KEY = 'sandbox-sms';
const SECRET = 'sandbox-sms-secret';

const fail = (status: number, code: string, message: string): Reply => ({ status, body: { code, message } });
const done = ({ id, state }: Pick<Message, 'id' | 'state'>): Reply => ({
  status: 200,
  body: { code: '000', result: { id, state } },
});

const dialect: Dialect = {
  refuse: (fault) => fail(400, String(fault.code ?? 110), 'number blocked'),
  tooMany: () => fail(429, '429', 'too many requests'),
  broken: () => fail(500, '500', 'internal error'),
  outage: () => fail(503, '503', 'service unavailable'),
};
const noCredit = (): Reply => fail(402, '400', 'no credit left');
const noMessage = (): Reply => fail(404, '404', 'no such message');

function guarded(request: FastifyRequest, perform: Action): Action {
  const { api_key: key, secret_key: secret } = request.headers;
  return (fault) =>
    key === KEY && secret === SECRET ? perform(fault) : fail(401, '1004', 'wrong credentials');
}

function send(environment: Environment, body: Static<typeof sms.SendRequest>): Reply {
  const phone = canonicalPhone(body.to);
  if (!phone) return fail(400, '107', 'bad number');
  if (!body.text || !body.sender) return fail(400, '100', 'missing field');
  const message = sendMessage(environment, { sender: body.sender, phone, text: body.text });
  return message ? done(message) : noCredit();
}

/** Registers the calls under /outside/sms. */
export async function smsWire(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  const unreadable = (request: FastifyRequest, reply: FastifyReply, response: Reply) =>
    reply.code(response.status).send(logUnreadable(environment, 'sms', request, response).body);
  app.setErrorHandler((_error, request, reply) =>
    unreadable(request, reply, fail(400, '100', 'missing field')),
  );
  app.setNotFoundHandler((request, reply) => unreadable(request, reply, fail(404, '404', 'not found')));
  const run = (
    request: FastifyRequest,
    reply: FastifyReply,
    about: Omit<Exchange, 'party'>,
    perform: Action,
  ) =>
    runExchange(environment, request, reply, {
      about: { party: 'sms', ...about },
      dialect,
      perform: guarded(request, perform),
    });

  app.post<{ Body: Static<typeof sms.SendRequest> }>(
    '/v1/messages',
    { schema: { body: sms.SendRequest } },
    (request, reply) => {
      const member = canonicalPhone(request.body.to) ?? request.body.to;
      return run(request, reply, { call: 'send', member }, () => send(environment, request.body));
    },
  );
  app.get<{ Params: { id: string } }>('/v1/messages/:id', (request, reply) => {
    const message = environment.state.messages.get(request.params.id);
    const about = { call: 'status', member: message?.phone, reference: request.params.id };
    return run(request, reply, about, () => (message ? done(message) : noMessage()));
  });
  // No schema: a resend has no body, and whatever a client sends along is of no interest.
  app.post<{ Params: { id: string } }>('/v1/messages/:id/resend', (request, reply) => {
    const message = environment.state.messages.get(request.params.id);
    const about = { call: 'resend', member: message?.phone, reference: request.params.id };
    const perform = () => {
      const sent = message && resendMessage(environment, message);
      return message ? (sent ? done(sent) : noCredit()) : noMessage();
    };
    return run(request, reply, about, perform);
  });
  app.get('/v1/credit', (request, reply) =>
    run(request, reply, { call: 'credit' }, () => ({
      status: 200,
      body: { code: '000', result: { credit: environment.state.smsCredit } },
    })),
  );
}
