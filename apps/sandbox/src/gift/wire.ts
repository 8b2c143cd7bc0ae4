/** The gift service over HTTP: see gift.ts in the contract for the shapes. */
import { gift } from '@krapao/contract/outside';
import { minorToDecimal } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { nowMs } from '../environment/clock.ts';
import type { Environment } from '../environment/environment.ts';
import {
  type Action,
  type Dialect,
  logUnreadable,
  type Reply,
  runExchange,
} from '../environment/exchange.ts';
import { pageOf, printed } from '../environment/misprints.ts';
import type { GiftTicket, GiftVoucher } from '../environment/state.ts';
import { canonicalPhone, personByPhone } from '../people.ts';
import { COMPANY_MOBILE, linkOf, obstacle, takePart, ticketOf } from './vouchers.ts';

const HISTORY_PAGE = 200;

const envelope = (
  status: number,
  code: gift.Code | 'TOO_MANY_REQUESTS' | 'UNAVAILABLE',
  data: Static<typeof gift.Reply>['data'] = null,
): Reply => ({ status, body: { status: { code, message: code.toLowerCase().replaceAll('_', ' ') }, data } });

const dialect: Dialect = {
  refuse: () => envelope(400, 'VOUCHER_OUT_OF_STOCK'),
  tooMany: () => envelope(429, 'TOO_MANY_REQUESTS'),
  broken: () => envelope(500, 'INTERNAL_ERROR'),
  outage: () => envelope(503, 'UNAVAILABLE'),
};

const showTicket = ({ phone, name, amountMinor, atMs }: GiftTicket): Static<typeof gift.Ticket> => ({
  mobile: phone,
  update_date: atMs,
  amount_baht: minorToDecimal(amountMinor, 2),
  full_name: name,
});

function dataOf(
  environment: Environment,
  voucher: GiftVoucher,
  mobile: string,
): Static<typeof gift.Reply>['data'] {
  const taken = voucher.tickets.length;
  const available = voucher.partsMinor.length - taken;
  const mine = ticketOf(voucher, mobile);
  return {
    voucher: {
      voucher_id: voucher.code.slice(0, 18),
      amount_baht: minorToDecimal(voucher.amountMinor, 2),
      redeemed_amount_baht: minorToDecimal(
        voucher.tickets.reduce((sum, ticket) => sum + ticket.amountMinor, 0n),
        2,
      ),
      member: voucher.partsMinor.length,
      status: available === 0 ? 'redeemed' : nowMs(environment) >= voucher.expiresAtMs ? 'expired' : 'active',
      link: linkOf(voucher),
      detail: '',
      expire_date: voucher.expiresAtMs,
      type: voucher.kind,
      redeemed: taken,
      available,
    },
    owner_profile: { full_name: personByPhone(environment, voucher.ownerPhone)?.name ?? voucher.ownerPhone },
    redeemer_profile: mine ? { mobile_number: mobile } : null,
    my_ticket: mine ? showTicket(mine) : null,
    tickets: voucher.tickets.map(showTicket),
  };
}

/** Looks at a voucher or takes a part, for a wallet. */
function serve(environment: Environment, code: string, typed: string, takes: boolean): Reply {
  const mobile = canonicalPhone(typed);
  if (!mobile) return envelope(400, 'BAD_PARAM');
  const voucher = environment.state.vouchers.get(code);
  if (!voucher) return envelope(400, 'VOUCHER_NOT_FOUND');
  const name = mobile === COMPANY_MOBILE ? 'KRAPAO' : personByPhone(environment, mobile)?.name;
  if (name === undefined) return envelope(400, 'TARGET_USER_NOT_FOUND');
  const no = obstacle(environment, voucher, mobile);
  if (no) return envelope(400, no, dataOf(environment, voucher, mobile));
  if (takes) takePart(environment, voucher, mobile, name);
  return envelope(200, 'SUCCESS', dataOf(environment, voucher, mobile));
}

interface Span {
  mobile?: string;
  from?: string;
  to?: string;
  cursor?: string;
}

/** What a wallet has taken in a span of time. */
function history(environment: Environment, { mobile = '', from = '', to = '', cursor }: Span): Reply {
  const phone = canonicalPhone(mobile);
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (!phone || !(fromMs <= toMs)) return envelope(400, 'BAD_PARAM');
  const taken = [...environment.state.vouchers.values()].flatMap((voucher) => {
    const ticket = ticketOf(voucher, phone);
    return ticket && ticket.atMs >= fromMs && ticket.atMs < toMs ? { code: voucher.code, ticket } : [];
  });
  const { page, next } = pageOf(
    taken.toSorted((a, b) => a.ticket.atMs - b.ticket.atMs),
    cursor,
    HISTORY_PAGE,
  );
  const redeemed = page.flatMap(({ code, ticket }) => {
    const amountMinor = printed(environment, 'gift', code, ticket.amountMinor);
    return amountMinor === null
      ? []
      : { voucher: code, amount_baht: minorToDecimal(amountMinor, 2), update_date: ticket.atMs };
  });
  return {
    status: 200,
    body: { status: { code: 'SUCCESS', message: 'success' }, data: { redeemed, next } },
  };
}

/** Registers the calls under /outside/gift. */
export async function giftWire(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  const unreadable = (request: FastifyRequest, reply: FastifyReply) => {
    const response = logUnreadable(environment, 'gift', request, envelope(400, 'BAD_PARAM'));
    return reply.code(response.status).send(response.body);
  };
  app.setErrorHandler((_error, request, reply) => unreadable(request, reply));
  app.setNotFoundHandler((request, reply) => unreadable(request, reply));
  const run = (request: FastifyRequest, reply: FastifyReply, call: string, code: string, perform: Action) =>
    runExchange(environment, request, reply, {
      about: { party: 'gift', call, reference: code },
      dialect,
      perform,
    });

  app.get<{ Params: { code: string }; Querystring: { mobile?: string } }>(
    '/campaign/vouchers/:code/verify',
    (request, reply) => {
      const { code } = request.params;
      return run(request, reply, 'look', code, () =>
        serve(environment, code, request.query.mobile ?? '', false),
      );
    },
  );
  app.get<{ Querystring: Span }>('/campaign/redeemed', (request, reply) =>
    run(request, reply, 'redeemed', request.query.mobile ?? '', () => history(environment, request.query)),
  );
  app.post<{ Params: { code: string }; Body: Static<typeof gift.RedeemRequest> }>(
    '/campaign/vouchers/:code/redeem',
    { schema: { body: gift.RedeemRequest } },
    (request, reply) => {
      const { code } = request.params;
      const { mobile, voucher_hash: hash } = request.body;
      const perform = () =>
        hash === code ? serve(environment, code, mobile, true) : envelope(400, 'BAD_PARAM');
      return run(request, reply, 'redeem', code, perform);
    },
  );
}
