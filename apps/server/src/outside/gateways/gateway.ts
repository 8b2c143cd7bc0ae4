import { gateway } from '@krapao/contract/outside';
import { decimalToMinor, minorToDecimal, parseBillPayment } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { callPartner, isRefusalStatus, type PartnerResponse, shaped } from '../partner.ts';
import { type BankPayment, QR_REFUSAL, type QrMaker, statedPayments } from '../qr-maker.ts';
import { parseJson, signatureFits } from '../signature.ts';
import { NOT_OFFERED, readPages, soundLine } from '../statement.ts';

export interface GatewaySettings {
  /** What members and rows call it: WW or ZAPMAN. */
  code: string;
  url: string;
  key: string;
  callbackSecret: string;
  /** Where this server is reached, without a path. */
  hooksUrl: string;
  timeoutMs: () => number;
}

type Payment = Static<typeof gateway.PaymentReply>;
type SendRequest = (path: string, body?: object) => Promise<PartnerResponse<Payment>>;

function readTransfer(
  reference: string,
  paymentId: string,
  transfer: Static<typeof gateway.Transfer>,
): BankPayment | null {
  const amountMinor = decimalToMinor(transfer.amount, 2);
  const paidAt = new Date(transfer.paidAt);
  if (!amountMinor || Number.isNaN(paidAt.getTime()) || !transfer.transferId) return null;
  return {
    bankReference: transfer.transferId,
    amountMinor,
    payerBank: transfer.payer.bankCode,
    payerAccount: transfer.payer.accountNo,
    payerName: transfer.payer.name,
    billerId: paymentId,
    reference1: reference,
    paidAt,
  };
}

/** What a reply proves: the payment, a definite no with the gateway's code, or nothing. */
function verdictOf(status: number, json: unknown): PartnerResponse<Payment> {
  const payment = status === 200 ? shaped(gateway.PaymentReply, json) : null;
  return payment ? { outcome: 'ok', value: payment } : refusalOf(status, json);
}

/** The gateway's words about one QR, in ours. */
const QR_CODES: Record<string, string> = {
  [gateway.CODE.NOT_FOUND]: QR_REFUSAL.ABSENT,
  [gateway.CODE.ALREADY_PAID]: QR_REFUSAL.PAID,
};

function refusalOf(status: number, json: unknown): PartnerResponse<never> {
  const reported = isRefusalStatus(status) ? shaped(gateway.ErrorReply, json) : null;
  return reported
    ? { outcome: 'rejected', code: QR_CODES[reported.code] ?? reported.code }
    : { outcome: 'unknown', note: `status ${status}` };
}

function requester(settings: GatewaySettings): SendRequest {
  return async (path, body) => {
    const reply = await callPartner({
      url: `${settings.url}/v1/payments${path}`,
      method: body ? 'POST' : 'GET',
      headers: {
        [gateway.KEY_HEADER]: settings.key,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      timeoutMs: settings.timeoutMs(),
    });
    return reply.answered ? verdictOf(reply.status, reply.json) : { outcome: 'unknown', note: reply.note };
  };
}

/** A response about another payment proves nothing about this one. */
const about = (response: PartnerResponse<Payment>, reference: string): PartnerResponse<Payment> =>
  response.outcome === 'ok' && response.value.reference !== reference
    ? { outcome: 'unknown', note: 'answer about another payment' }
    : response;

function paymentCalls(
  { hooksUrl }: GatewaySettings,
  hookPath: string,
  request: SendRequest,
): Pick<QrMaker, 'createQr' | 'paymentsFor' | 'cancelQr'> {
  return {
    async createQr({ reference, amountMinor, expiresAt }) {
      const order = {
        reference,
        amount: minorToDecimal(amountMinor, 2),
        currency: 'THB',
        expiresAt: expiresAt.toISOString(),
        callbackUrl: hooksUrl + hookPath,
      };
      const response = about(await request('', order), reference);
      if (response.outcome !== 'ok') return response;
      const { qrText, amount, status } = response.value;
      // A code for another amount must never reach a member.
      const fits =
        parseBillPayment(qrText)?.amountMinor === amountMinor && decimalToMinor(amount, 2) === amountMinor;
      return fits && status === 'OPEN'
        ? { outcome: 'ok', value: qrText }
        : { outcome: 'unknown', note: 'QR does not contain the requested fields' };
    },
    async paymentsFor(reference) {
      const response = about(await request(`/${encodeURIComponent(reference)}`), reference);
      if (response.outcome !== 'ok') return response;
      const { paymentId, transfers } = response.value;
      const read = transfers.map((transfer) => readTransfer(reference, paymentId, transfer));
      return { outcome: 'ok', value: statedPayments(read) };
    },
    async cancelQr(reference) {
      const response = about(await request(`/${encodeURIComponent(reference)}/cancel`, {}), reference);
      return response.outcome === 'ok' ? { outcome: 'ok', value: null } : response;
    },
  };
}

function statementCall(settings: GatewaySettings): QrMaker['statement'] {
  return ({ from, to }) =>
    readPages(async (cursor) => {
      const query = new URLSearchParams({ from: from.toISOString(), to: to.toISOString() });
      if (cursor !== null) query.set('cursor', cursor);
      const reply = await callPartner({
        url: `${settings.url}/v1/transfers?${query}`,
        method: 'GET',
        headers: { [gateway.KEY_HEADER]: settings.key },
        timeoutMs: settings.timeoutMs(),
      });
      if (!reply.answered) return { outcome: 'unknown', note: reply.note };
      if (reply.status === 404) return { outcome: 'rejected', code: NOT_OFFERED };
      const body = reply.status === 200 ? shaped(gateway.TransfersReply, reply.json) : null;
      if (!body) return refusalOf(reply.status, reply.json);
      const lines = body.transfers.map((transfer) =>
        soundLine({
          reference: transfer.transferId,
          ours: transfer.reference,
          direction: 'IN',
          amountMinor: decimalToMinor(transfer.amount, 2),
          at: new Date(transfer.paidAt),
          account: transfer.payer.accountNo,
        }),
      );
      return { outcome: 'ok', value: { lines, next: body.next } };
    });
}

/** A payment gateway of the dialect that WW and ZAPMAN share, over HTTP. */
export function paymentGateway(settings: GatewaySettings): QrMaker {
  const path = `/hooks/gateways/${settings.code.toLowerCase()}`;
  return {
    code: settings.code,
    currency: 'BAHT',
    minimum: 'qr.gatewayMinimum',
    ...paymentCalls(settings, path, requester(settings)),
    statement: statementCall(settings),
    hook: {
      path,
      signatureHeader: gateway.SIGNATURE_HEADER,
      refusal: { code: 'REFUSED', message: 'refused' },
      read(rawBody, signature, now) {
        if (!signatureFits(rawBody, signature, settings.callbackSecret, now)) return null;
        const reported = shaped(gateway.Callback, parseJson(rawBody));
        const payment = reported && readTransfer(reported.reference, reported.paymentId, reported.transfer);
        return payment && { payment, response: { received: true } };
      },
    },
  };
}
