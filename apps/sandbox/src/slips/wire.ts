/** The slip checker over HTTP in two vendors' shapes: see slip.ts in the contract. */

import { BANGKOK_OFFSET_MS } from '@krapao/contract/durations';
import { slip as shape } from '@krapao/contract/outside';
import { minorToDecimal, parseSlipCode } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { findAccount } from '../bank/accounts.ts';
import { bankOnWire, maskedAccount, printedName } from '../bank/senders.ts';
import { iso } from '../environment/clock.ts';
import type { Environment } from '../environment/environment.ts';
import {
  type Action,
  type Dialect,
  logUnreadable,
  type Reply,
  runExchange,
} from '../environment/exchange.ts';
import type { Account, BankLine, Fault, FaultKind } from '../environment/state.ts';
import { paidLine } from './slips.ts';

const KEY = 'sandbox-slip';
const BRANCH = 'sandbox';

const okError = (status: number, code: number, message: string, data?: object): Reply => ({
  status,
  body: { code, message, ...(data ? { data } : {}) },
});
const easyError = (status: number, message: string): Reply => ({ status, body: { status, message } });

const okDialect: Dialect = {
  refuse: (fault) => okError(400, Number(fault.code ?? 1008), 'refused'),
  tooMany: (fault) => okError(429, Number(fault.code ?? 1003), 'too many requests'),
  broken: () => okError(500, 1900, 'internal error'),
  outage: () => okError(503, 1009, 'bank unavailable'),
};

/** The words of this vendor for the numbers that a fault names. */
const EASY_MESSAGES: Record<number, string> = {
  1005: 'invalid_image',
  1007: 'qrcode_not_found',
  1008: 'invalid_payload',
  1011: 'slip_not_found',
  1012: 'duplicate_slip',
};
const easyMessage = (code: Fault['code']): string => EASY_MESSAGES[Number(code)] ?? 'unheard_of';
const easyDialect: Dialect = {
  refuse: (fault) => easyError(400, easyMessage(fault.code ?? 1008)),
  tooMany: (fault) => easyError(429, fault.code === undefined ? 'quota_exceeded' : easyMessage(fault.code)),
  broken: () => easyError(500, 'server_error'),
  outage: () => easyError(503, 'api_server_error'),
};

interface Found {
  line: BankLine;
  from: Account;
  to: Account;
  fewer: boolean;
}

/** The movement a mini QR names, or which kind of no. */
function find(
  environment: Environment,
  payload: string,
  fault?: FaultKind,
): Found | 'UNREADABLE' | 'UNKNOWN' | 'LATER' {
  const code = parseSlipCode(payload);
  if (typeof code === 'string' || code.kind !== 'bank') return 'UNREADABLE';
  if (fault === 'late') return 'LATER';
  const line = paidLine(environment, code.transRef);
  const from = line && findAccount(environment, line.accountKey);
  const to = line && findAccount(environment, line.counterKey);
  if (!from || !to || bankOnWire(from.bankCode) !== code.sendingBank) return 'UNKNOWN';
  return { line, from, to, fewer: fault === 'masked-digits' };
}

const baht = (line: BankLine): number => Number(minorToDecimal(-line.amountMinor, 2));
const bill = (line: BankLine) => (line.kind === 'bill-payment' ? { ref1: line.reference } : {});

function okResponse({ line, from, to, fewer }: Found): Reply {
  const local = new Date(line.atMs + BANGKOK_OFFSET_MS).toISOString();
  const party = (account: Account) => ({
    displayName: printedName(account),
    name: printedName(account),
    account: { type: 'BANKAC', value: maskedAccount(account.accountNo, fewer && account === from) },
  });
  const data = {
    success: true,
    transRef: line.transRef,
    sendingBank: bankOnWire(from.bankCode),
    receivingBank: bankOnWire(to.bankCode),
    transDate: local.slice(0, 10).replaceAll('-', ''),
    transTime: local.slice(11, 19),
    transTimestamp: iso(line.atMs),
    sender: party(from),
    receiver: party(to),
    amount: baht(line),
    ...bill(line),
  };
  return { status: 200, body: { success: true, data } };
}

function easyResponse(payload: string, { line, from, to, fewer }: Found): Reply {
  const party = (account: Account) => ({
    bank: { id: bankOnWire(account.bankCode), short: account.bankCode },
    account: {
      name: { th: printedName(account) },
      bank: { type: 'BANKAC', account: maskedAccount(account.accountNo, fewer && account === from) },
    },
  });
  const data = {
    payload,
    transRef: line.transRef,
    date: iso(line.atMs),
    countryCode: 'TH',
    amount: { amount: baht(line), local: { amount: 0, currency: '' } },
    fee: 0,
    ...bill(line),
    sender: party(from),
    receiver: party(to),
  };
  return { status: 200, body: { status: 200, data } };
}

function slipOk(environment: Environment, payload: string, fault?: FaultKind): Reply {
  const found = find(environment, payload, fault);
  if (found === 'UNREADABLE') return okError(400, 1007, 'no slip code in the picture');
  if (found === 'UNKNOWN') return okError(400, 1011, 'no such transaction');
  if (found === 'LATER') return okError(400, 1010, 'the bank knows later', { delay: 1 });
  return okResponse(found);
}

function easySlip(environment: Environment, payload: string, fault?: FaultKind): Reply {
  const found = find(environment, payload, fault);
  if (found === 'UNREADABLE') return easyError(400, 'invalid_payload');
  if (found === 'UNKNOWN') return easyError(404, 'slip_not_found');
  return found === 'LATER' ? easyError(404, 'slip_pending') : easyResponse(payload, found);
}

/** Registers the calls under /outside/slip. */
export async function slipWire(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  const unreadable = (request: FastifyRequest, reply: FastifyReply, response: Reply) =>
    reply.code(response.status).send(logUnreadable(environment, 'slip', request, response).body);
  app.setErrorHandler((_error, request, reply) => unreadable(request, reply, okError(400, 1000, 'no data')));
  app.setNotFoundHandler((request, reply) => unreadable(request, reply, easyError(404, 'not_found')));
  const run = (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: string,
    dialect: Dialect,
    perform: Action,
  ) => {
    const code = parseSlipCode(payload);
    const reference = typeof code !== 'string' && code.kind === 'bank' ? code.transRef : undefined;
    return runExchange(environment, request, reply, {
      about: { party: 'slip', call: 'check', ...(reference ? { reference } : {}) },
      dialect,
      perform,
    });
  };
  app.post<{ Params: { branch: string }; Body: Static<typeof shape.SlipOkRequest> }>(
    '/slipok/api/line/apikey/:branch',
    { schema: { body: shape.SlipOkRequest } },
    (request, reply) =>
      run(request, reply, request.body.data, okDialect, (fault) =>
        request.headers['x-authorization'] === KEY && request.params.branch === BRANCH
          ? slipOk(environment, request.body.data, fault)
          : okError(401, 1002, 'wrong key'),
      ),
  );
  app.get<{ Querystring: { payload?: string } }>('/easyslip/api/v1/verify', (request, reply) =>
    run(request, reply, request.query.payload ?? '', easyDialect, (fault) =>
      request.headers.authorization === `Bearer ${KEY}`
        ? easySlip(environment, request.query.payload ?? '', fault)
        : easyError(401, 'unauthorized'),
    ),
  );
}
