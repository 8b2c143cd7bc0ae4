/** The second SMS gateway over HTTP: see sms-bulk.ts in the contract for the shapes. Same phones, same credit. */
import { smsBulk } from '@krapao/contract/outside';
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
import { canonicalPhone } from '../people.ts';
import { sendMessage } from './messages.ts';

const BASIC = `Basic ${Buffer.from('sandbox-sms:sandbox-sms-secret').toString('base64')}`;

const fail = (status: number, code: number, name: string): Reply => ({
  status,
  body: { error: { code, name, description: name.toLowerCase().replaceAll('_', ' ') } },
});

const dialect: Dialect = {
  refuse: (fault) => fail(400, Number(fault.code ?? 110), 'ERROR_NUMBER_BLOCKED'),
  tooMany: () => fail(429, 429, 'ERROR_TOO_MANY_REQUESTS'),
  broken: () => fail(500, 500, 'ERROR_INTERNAL'),
  outage: () => fail(503, 503, 'ERROR_UNAVAILABLE'),
};

function send(
  environment: Environment,
  { msisdn, message: text, sender }: Static<typeof smsBulk.SendRequest>,
): Reply {
  const reply = (lists: object, used = 0): Reply => ({
    status: 201,
    body: {
      remaining_credit: environment.state.smsCredit,
      total_use_credit: used,
      credit_type: 'standard',
      phone_number_list: [],
      bad_phone_number_list: [],
      ...lists,
    },
  });
  const phone = canonicalPhone(msisdn);
  if (!phone)
    return reply({ bad_phone_number_list: [{ number: msisdn, message: 'ERROR_PHONE_NUMBER_INVALID' }] });
  if (!text || !sender) return fail(400, 101, 'ERROR_MISSING_PARAMETER');
  const sent = sendMessage(environment, { sender, phone, text });
  if (!sent) return fail(400, 119, 'ERROR_CREDIT_NOT_ENOUGH');
  const accepted = { number: msisdn, message_id: sent.id, used_credit: sent.parts };
  return reply({ phone_number_list: [accepted] }, sent.parts);
}

/** Registers the call under /outside/sms-bulk. */
export async function smsBulkWire(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  const unreadable = (request: FastifyRequest, reply: FastifyReply, response: Reply) =>
    reply.code(response.status).send(logUnreadable(environment, 'sms', request, response).body);
  app.setErrorHandler((_error, request, reply) =>
    unreadable(request, reply, fail(400, 101, 'ERROR_MISSING_PARAMETER')),
  );
  app.setNotFoundHandler((request, reply) => unreadable(request, reply, fail(404, 404, 'ERROR_NOT_FOUND')));
  app.post<{ Body: Static<typeof smsBulk.SendRequest> }>(
    '/sms',
    { schema: { body: smsBulk.SendRequest } },
    (request, reply) => {
      const member = canonicalPhone(request.body.msisdn) ?? request.body.msisdn;
      const perform: Action = () =>
        request.headers.authorization === BASIC
          ? send(environment, request.body)
          : fail(401, 104, 'ERROR_UNAUTHORIZED');
      return runExchange(environment, request, reply, {
        about: { party: 'sms', call: 'send', member },
        dialect,
        perform,
      });
    },
  );
}
