import { gift } from '@krapao/contract/outside';
import { decimalToMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { callPartner, type PartnerResponse, shaped } from '../partner.ts';
import { NOT_OFFERED, readPages, soundLine } from '../statement.ts';
import type { GiftState, GiftWallet } from './gift-wallet.ts';

export interface EnvelopeSettings {
  url: string;
  /** Our wallet's number, ten digits. */
  mobile: string;
  name: string;
  timeoutMs: () => number;
}

type Data = NonNullable<Static<typeof gift.Reply>['data']>;

/** With these there is nothing for us to take. INTERNAL_ERROR is not among them: it says nothing of what was taken. */
const CLOSED: readonly string[] = [
  'BAD_PARAM',
  'VOUCHER_NOT_FOUND',
  'VOUCHER_EXPIRED',
  'VOUCHER_OUT_OF_STOCK',
  'TARGET_USER_NOT_FOUND',
  'CANNOT_GET_OWN_VOUCHER',
] satisfies gift.Code[];

const unknown = (note: string): PartnerResponse<never> => ({ outcome: 'unknown', note });

/** What our wallet has taken; only this is ever credited, not what the envelope holds or all have taken. */
function ourTicket(data: Data, mobile: string): Data['my_ticket'] {
  return data.my_ticket ?? data.tickets.find((ticket) => ticket.mobile === mobile) ?? null;
}

function openPart({ voucher }: Data): bigint | null {
  const whole = decimalToMinor(voucher.amount_baht, 2);
  const taken = decimalToMinor(voucher.redeemed_amount_baht, 2);
  if (whole === null || taken === null || voucher.member < 1) return null;
  return voucher.type === 'F' ? whole / BigInt(voucher.member) : whole - taken;
}

/** Whether the list of takers is complete, with full numbers. */
const isComplete = ({ voucher, tickets }: Data): boolean =>
  tickets.length === voucher.redeemed && tickets.every(({ mobile }) => /^\d{10}$/.test(mobile));

function stateOf({ status, data }: Static<typeof gift.Reply>, mobile: string): PartnerResponse<GiftState> {
  const ticket = data && ourTicket(data, mobile);
  if (ticket) {
    const amountMinor = decimalToMinor(ticket.amount_baht, 2);
    const wholeMinor = decimalToMinor(data.voucher.amount_baht, 2);
    const isSound = amountMinor && wholeMinor && amountMinor <= wholeMinor && ticket.mobile === mobile;
    return isSound ? { outcome: 'ok', value: { state: 'OURS', amountMinor } } : unknown('odd ticket');
  }
  if (CLOSED.includes(status.code)) {
    const isProven = data !== null && isComplete(data);
    return { outcome: 'ok', value: { state: 'CLOSED', reason: status.code, isProven } };
  }
  const partMinor = status.code === 'SUCCESS' && data ? openPart(data) : null;
  return partMinor
    ? { outcome: 'ok', value: { state: 'OPEN', partMinor } }
    : unknown(`said ${status.code.slice(0, 40)}`);
}

function statementCall({ url, mobile, timeoutMs }: EnvelopeSettings): GiftWallet['statement'] {
  return ({ from, to }) =>
    readPages(async (cursor) => {
      const query = new URLSearchParams({ mobile, from: from.toISOString(), to: to.toISOString() });
      if (cursor !== null) query.set('cursor', cursor);
      const reply = await callPartner({
        url: `${url}/campaign/redeemed?${query}`,
        method: 'GET',
        timeoutMs: timeoutMs(),
      });
      if (!reply.answered) return unknown(reply.note);
      if (reply.status === 404) return { outcome: 'rejected', code: NOT_OFFERED };
      const shape = reply.status === 200 ? shaped(gift.RedeemedReply, reply.json) : null;
      if (!shape) return unknown(`status ${reply.status}`);
      const lines = shape.data.redeemed.map((taken) =>
        soundLine({
          reference: taken.voucher,
          ours: null,
          direction: 'IN',
          amountMinor: decimalToMinor(taken.amount_baht, 2),
          at: new Date(taken.update_date),
          account: '',
        }),
      );
      return { outcome: 'ok', value: { lines, next: shape.data.next } };
    });
}

/** Gift envelopes of a mobile wallet over HTTP, in the shape public clients of TrueMoney gift links read. */
export function giftEnvelopes(settings: EnvelopeSettings): GiftWallet {
  const { url, mobile, name, timeoutMs } = settings;
  const request = async (path: string, body?: object): Promise<PartnerResponse<GiftState>> => {
    const reply = await callPartner({
      url: `${url}/campaign/vouchers/${path}`,
      method: body ? 'POST' : 'GET',
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
      timeoutMs: timeoutMs(),
    });
    if (!reply.answered) return unknown(reply.note);
    // The service is behind bot protection: a page or any other status proves nothing.
    if (reply.status !== 200 && reply.status !== 400) return unknown(`status ${reply.status}`);
    const shape = shaped(gift.Reply, reply.json);
    return shape ? stateOf(shape, mobile) : unknown('out of shape');
  };
  return {
    name,
    statement: statementCall(settings),
    look: (code) => request(`${encodeURIComponent(code)}/verify?mobile=${encodeURIComponent(mobile)}`),
    async redeem(code) {
      const response = await request(`${encodeURIComponent(code)}/redeem`, { mobile, voucher_hash: code });
      // A redemption must end in a ticket or a refusal; "still open" is neither.
      return response.outcome === 'ok' && response.value.state === 'OPEN' ? unknown('no ticket') : response;
    },
  };
}
