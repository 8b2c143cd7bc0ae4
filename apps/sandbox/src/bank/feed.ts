/** Bank style B over HTTP: see bank-b.ts in the contract for the shapes. */
import { bankB } from '@krapao/contract/outside';
import { minorToDecimal } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { iso } from '../environment/clock.ts';
import type { Environment } from '../environment/environment.ts';
import { type Dialect, logUnreadable, type Reply, runExchange } from '../environment/exchange.ts';
import { printed } from '../environment/misprints.ts';
import { type BankLine, COMPANY_OWNER, type FaultKind } from '../environment/state.ts';
import { accountKey, currencyOf } from './accounts.ts';
import { bankOnWire, printedAccount, printedName } from './senders.ts';

const KEY = 'sandbox-bank-b';
const LIMIT_MAX = 200;

const refusal = (status: number, error: string): Reply => ({ status, body: { error } });

const dialect: Dialect = {
  refuse: () => refusal(400, 'REFUSED'),
  tooMany: () => refusal(429, 'TOO_MANY_REQUESTS'),
  broken: () => refusal(500, 'INTERNAL_ERROR'),
  outage: () => refusal(503, 'UNAVAILABLE'),
};

interface Query {
  bank?: string;
  cursor?: string;
  since?: string;
  limit?: string;
}

function lineOnWire(environment: Environment, line: BankLine, fewer: boolean) {
  const trueMinor = line.amountMinor > 0n ? line.amountMinor : -line.amountMinor;
  const amountMinor = printed(environment, 'bank-b', line.transRef, trueMinor);
  if (amountMinor === null) return [];
  const from = environment.state.accounts.get(line.counterKey);
  return {
    reference: line.transRef,
    type: line.amountMinor > 0n ? ('CREDIT' as const) : ('DEBIT' as const),
    amount: minorToDecimal(amountMinor, 2),
    bookedAt: iso(line.atMs),
    sender: {
      bank: bankOnWire(line.counterKey.split(':')[0]!),
      account: printedAccount(line.counterKey, fewer),
      name: from ? printedName(from) : line.counterName,
    },
    ...(line.kind === 'bill-payment' ? { billReference1: line.reference } : {}),
  };
}

/** A cursor counts the account's lines; one from before a reset continues at the end. */
function statementOf(environment: Environment, accountNo: string, query: Query, fault?: FaultKind): Reply {
  const account = environment.state.accounts.get(accountKey({ bankCode: query.bank ?? '', accountNo }));
  if (account?.ownerId !== COMPANY_OWNER) return refusal(404, 'UNKNOWN_ACCOUNT');
  const all = environment.state.lines.filter((line) => line.accountKey === accountKey(account));
  const sinceMs = Date.parse(query.since ?? '');
  const first = Number.isNaN(sinceMs) ? 0 : all.findIndex((line) => line.atMs >= sinceMs);
  const start = query.cursor === undefined ? (first < 0 ? all.length : first) : Number(query.cursor);
  const limit = Number(query.limit ?? 100);
  if (!Number.isInteger(start) || start < 0) return refusal(400, 'BAD_CURSOR');
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) return refusal(400, 'BAD_LIMIT');
  const lines = all.slice(start, start + limit);
  const next = Math.min(start, all.length) + lines.length;
  return {
    status: 200,
    body: {
      currency: currencyOf(account) === 'LAK' ? 'LAK' : 'THB',
      lines: lines.flatMap((line) => lineOnWire(environment, line, fault === 'masked-digits')),
      next: String(next),
      more: next < all.length,
    },
  };
}

/** Registers the calls under /outside/bank-b. */
export async function feedWire(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  app.setNotFoundHandler((request, reply) => {
    const response = refusal(404, 'UNKNOWN_CALL');
    return reply.code(response.status).send(logUnreadable(environment, 'bank-b', request, response).body);
  });
  const allowed = (request: FastifyRequest) => request.headers[bankB.KEY_HEADER] === KEY;
  app.get<{ Params: { accountNo: string }; Querystring: Query }>(
    '/v1/accounts/:accountNo/statement',
    (request, reply) => {
      const { accountNo } = request.params;
      return runExchange(environment, request, reply, {
        about: { party: 'bank-b', call: 'statement', reference: accountNo },
        dialect,
        perform: (fault) =>
          allowed(request)
            ? statementOf(environment, accountNo, request.query, fault)
            : refusal(401, 'BAD_KEY'),
      });
    },
  );
}
