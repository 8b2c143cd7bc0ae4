import { bankA } from '@krapao/contract/outside';
import { decimalToMinor, minorToDecimal, parseBillPayment } from '@krapao/contract/shared';
import type { Static, TSchema } from 'typebox';
import { callPartner, isRefusalStatus, type PartnerResponse, shaped } from '../partner.ts';
import { type QrMaker, statedPayments } from '../qr-maker.ts';
import { parseJson, signatureFits } from '../signature.ts';
import { NOT_OFFERED, readPages, soundLine } from '../statement.ts';
import type { BankPayment, PaymentInquiry, PayoutBank, PayoutNews } from './bank.ts';

export interface StyleASettings {
  bankCode: string;
  url: string;
  applicationKey: string;
  applicationSecret: string;
  webhookSecret: string;
  billerId: string;
  timeoutMs: () => number;
}

const SUCCESS = 1000;
const TOKEN_MARGIN_MS = 30_000;

function readPayment(payment: Static<typeof bankA.Payment>): BankPayment | null {
  const amountMinor = decimalToMinor(payment.amount, 2);
  const paidAt = new Date(payment.transactionDateandTime);
  if (amountMinor === null || amountMinor <= 0n || Number.isNaN(paidAt.getTime()) || !payment.transRef)
    return null;
  return {
    bankReference: payment.transRef,
    amountMinor,
    payerBank: payment.sendingBankCode,
    payerAccount: payment.payerAccountNumber,
    payerName: payment.payerAccountName,
    billerId: payment.payeeProxyId,
    reference1: payment.billPaymentRef1,
    paidAt,
  };
}

type Response<S extends TSchema> = Promise<PartnerResponse<Static<S>>>;
type SendRequest = <S extends TSchema>(
  method: 'GET' | 'POST',
  path: string,
  schema: S,
  body?: object,
  verdict?: typeof verdictOf,
) => Response<S>;

const json = { 'content-type': 'application/json' };

/** Returns the access token, fetched when needed and cached until shortly before its expiry. */
function tokenKeeper(settings: StyleASettings): { read(): Promise<string | null>; forget(): void } {
  let token: { value: string; goodUntilMs: number } | null = null;
  return {
    async read() {
      if (token && token.goodUntilMs > Date.now()) return token.value;
      const { applicationKey, applicationSecret } = settings;
      const reply = await callPartner({
        url: `${settings.url}/v1/oauth/token`,
        method: 'POST',
        headers: json,
        body: JSON.stringify({ applicationKey, applicationSecret }),
        timeoutMs: settings.timeoutMs(),
      });
      const body = reply.answered && reply.status === 200 ? shaped(bankA.TokenReply, reply.json) : null;
      if (!body) return null;
      token = {
        value: body.data.accessToken,
        goodUntilMs: Date.now() + body.data.expiresIn * 1000 - TOKEN_MARGIN_MS,
      };
      return token.value;
    },
    forget() {
      token = null;
    },
  };
}

const REFUSALS = new Set<number>(Object.values(bankA.REFUSAL));

/** What a reply about one reference proves: success, a definite no with a code of the bank's list, or nothing. */
function listedVerdict<S extends TSchema>(
  schema: S,
  status: number,
  body: unknown,
): PartnerResponse<Static<S>> {
  const verdict = verdictOf(schema, status, body);
  if (verdict.outcome !== 'rejected') return verdict;
  const code = shaped(bankA.StatusOnlyReply, body)?.status.code;
  if (code === bankA.REFUSAL.REFERENCE_USED) return { outcome: 'rejected', code: 'DUPLICATE' };
  if (code === bankA.REFUSAL.NOT_SEEN) return { outcome: 'rejected', code: 'ABSENT' };
  return code !== undefined && REFUSALS.has(code)
    ? { outcome: 'rejected', code: String(code) }
    : { outcome: 'unknown', note: `status ${status}, code ${code}` };
}

/** What a reply says: success, a refusal with the bank's code, or nothing. */
function verdictOf<S extends TSchema>(schema: S, status: number, body: unknown): PartnerResponse<Static<S>> {
  const value = shaped(schema, body);
  if (status === 200 && value && (value as { status: { code: number } }).status.code === SUCCESS)
    return { outcome: 'ok', value };
  const reported = isRefusalStatus(status) ? shaped(bankA.StatusOnlyReply, body) : null;
  if (!reported) return { outcome: 'unknown', note: `status ${status}` };
  return { outcome: 'rejected', code: status === 404 ? 'ABSENT' : String(reported.status.code) };
}

/** Calls with the access token; a token the bank no longer knows is replaced once. */
function requester(settings: StyleASettings): SendRequest {
  const token = tokenKeeper(settings);
  return async (method, path, schema, body, verdict = verdictOf) => {
    for (let attempt = 0; ; attempt++) {
      const bearer = await token.read();
      // Without a token no request was sent; the outcome is still reported as unknown, never as a refusal.
      if (!bearer) return { outcome: 'unknown', note: 'no access token' };
      const reply = await callPartner({
        url: settings.url + path,
        method,
        headers: { authorization: `Bearer ${bearer}`, ...(body ? json : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
        timeoutMs: settings.timeoutMs(),
      });
      if (!reply.answered) return { outcome: 'unknown', note: reply.note };
      if (reply.status !== 401 || attempt > 0) return verdict(schema, reply.status, reply.json);
      token.forget();
    }
  };
}

function qrCalls(
  settings: StyleASettings,
  request: SendRequest,
): Pick<QrMaker & PaymentInquiry, 'createQr' | 'paymentsFor' | 'paymentBy'> {
  const { billerId } = settings;
  return {
    async createQr({ reference, amountMinor }) {
      const order = {
        qrType: 'PP',
        ppType: 'BILLERID',
        ppId: billerId,
        amount: minorToDecimal(amountMinor, 2),
        ref1: reference,
        ref2: 'KRAPAO',
      };
      const response = await request('POST', '/v1/payment/qrcode/create', bankA.CreateQrReply, order);
      if (response.outcome !== 'ok') return response;
      const payload = response.value.data.qrRawData;
      const payment = parseBillPayment(payload);
      // A code for another amount, payee or reference must never reach a member.
      const fits =
        payment?.billerId === billerId &&
        payment.reference1 === reference &&
        payment.amountMinor === amountMinor;
      return fits
        ? { outcome: 'ok', value: payload }
        : { outcome: 'unknown', note: 'QR does not contain the requested fields' };
    },
    async paymentsFor(reference) {
      const query = new URLSearchParams({ billerId, reference1: reference });
      const path = `/v1/payment/billpayment/inquiry?${query}`;
      const response = await request('GET', path, bankA.InquiryReply, undefined, listedVerdict);
      if (response.outcome !== 'ok') return response;
      return { outcome: 'ok', value: statedPayments(response.value.data.map(readPayment)) };
    },
    async paymentBy(bankReference) {
      const path = `/v1/payment/transactions/${encodeURIComponent(bankReference)}`;
      const response = await request('GET', path, bankA.TransactionReply);
      if (response.outcome !== 'ok') return response;
      const payment = readPayment(response.value.data);
      return payment?.bankReference === bankReference && payment.billerId === billerId
        ? { outcome: 'ok', value: payment }
        : { outcome: 'unknown', note: 'answer about another payment' };
    },
  };
}

function payoutCalls(request: SendRequest): Pick<PayoutBank, 'payout' | 'payoutState'> {
  type PayoutResponse = PartnerResponse<Static<typeof bankA.PayoutReply>>;
  const newsIn = (response: PayoutResponse, reference: string): PartnerResponse<PayoutNews> => {
    if (response.outcome !== 'ok') return response;
    const { data } = response.value;
    const amountMinor = decimalToMinor(data.amount, 2);
    if (data.reference !== reference || amountMinor === null)
      return { outcome: 'unknown', note: 'answer about another payout' };
    return { outcome: 'ok', value: { state: data.state, amountMinor, reason: data.reason ?? null } };
  };
  return {
    async payout({ reference, amountMinor, bankCode, accountNo, accountName }) {
      const body = { reference, amount: minorToDecimal(amountMinor, 2), bankCode, accountNo, accountName };
      return newsIn(await request('POST', '/v1/payout', bankA.PayoutReply, body, listedVerdict), reference);
    },
    async payoutState(reference) {
      const path = `/v1/payout/${encodeURIComponent(reference)}`;
      return newsIn(await request('GET', path, bankA.PayoutReply, undefined, listedVerdict), reference);
    },
  };
}

function statementCall({ billerId }: StyleASettings, request: SendRequest): QrMaker['statement'] {
  return ({ from, to }) =>
    readPages(async (cursor) => {
      const query = new URLSearchParams({ billerId, from: from.toISOString(), to: to.toISOString() });
      if (cursor !== null) query.set('cursor', cursor);
      const response = await request('GET', `/v1/account/statement?${query}`, bankA.StatementReply);
      if (response.outcome === 'rejected' && response.code === 'ABSENT')
        return { outcome: 'rejected', code: NOT_OFFERED };
      if (response.outcome !== 'ok') return response;
      const { lines, next } = response.value.data;
      const read = lines.map((line) =>
        soundLine({
          reference: line.transRef,
          ours: line.reference || null,
          direction: line.type === 'CREDIT' ? 'IN' : 'OUT',
          amountMinor: decimalToMinor(line.amount, 2),
          at: new Date(line.bookedAt),
          account: line.counterAccount,
        }),
      );
      return { outcome: 'ok', value: { lines: read, next } };
    });
}

/** The bank of style A over HTTP: it makes QR codes, finds payments and pays out. */
export function styleABank(settings: StyleASettings): QrMaker & PaymentInquiry & PayoutBank {
  const request = requester(settings);
  return {
    code: settings.bankCode,
    currency: 'BAHT',
    minimum: 'qr.minimum',
    ...qrCalls(settings, request),
    ...payoutCalls(request),
    statement: statementCall(settings, request),
    hook: {
      path: '/hooks/bank-a/confirmation',
      signatureHeader: bankA.SIGNATURE_HEADER,
      refusal: { resCode: '99', resDesc: 'refused', transactionId: '' },
      read(rawBody, signature, now) {
        if (!signatureFits(rawBody, signature, settings.webhookSecret, now)) return null;
        const body = shaped(bankA.Payment, parseJson(rawBody));
        const payment = body && readPayment(body);
        if (!payment || payment.billerId !== settings.billerId) return null;
        const { transactionId } = body;
        return { payment, response: { resCode: '00', resDesc: 'success', transactionId } };
      },
    },
  };
}
