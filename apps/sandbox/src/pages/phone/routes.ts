/** The phone page and what its forms do. Every form ends in a redirect, so that reloading repeats nothing. */
import { decimalToMinor } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { payQr, readQr, transfer } from '../../bank/payments.ts';
import type { Environment } from '../../environment/environment.ts';
import type { Person } from '../../environment/state.ts';
import { admitPerson } from '../../people.ts';
import { drawSlip } from '../../slips/picture.ts';
import { paidLine, slipOf } from '../../slips/slips.ts';
import { decodeQrPicture } from '../decode.ts';
import { html } from '../html.ts';
import { page, sendPage } from '../layout.ts';
import { viewOf } from '../view.ts';
import { bankDevice } from './bank-app.ts';
import { giftFromForm } from './gift.ts';
import { inboxDevice } from './inbox.ts';
import { peopleSide } from './people.ts';
import { LATE_MINUTES } from './review.ts';

type Form = Record<string, string | undefined>;
const PICTURE_BYTES_MAX = 12_000_000;
const REMEMBERED = 500;

const chosenPerson = (environment: Environment, id: string | null): Person =>
  environment.state.persons.get(id ?? '') ?? environment.state.persons.values().next().value!;

const to = (reply: FastifyReply, query: Record<string, string>): FastifyReply =>
  reply.redirect(`/?${new URLSearchParams(query)}${query.s ? '#bankapp' : ''}`, 303);

/** Registers the phone page. */
export async function phoneRoutes(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  app.get('/', (request, reply) => {
    const view = viewOf(environment, request, reply);
    const person = chosenPerson(environment, view.query.get('p'));
    const body = html`${inboxDevice(view, person)}${bankDevice(view, person)}`;
    return sendPage(
      reply,
      page(view, { active: 'phone', title: 'phone.title', side: peopleSide(view, person), body }),
    );
  });
  app.get<{ Querystring: { tx?: string } }>('/phone/slip', async (request, reply) => {
    const line = paidLine(environment, request.query.tx ?? '');
    const slip =
      line &&
      slipOf(environment, 'good', { transRef: line.transRef, fromKey: line.accountKey, amountMinor: 0n });
    if (!slip || typeof slip === 'string') return reply.code(404).send({ error: 'UNKNOWN_TRANSFER' });
    return reply.type('image/png').send(await drawSlip(slip));
  });
  app.post<{ Body: Form }>('/phone/persons', (request, reply) =>
    addFromForm(environment, request.body, reply),
  );
  app.post<{ Body: Form }>('/phone/qr', (request, reply) => {
    const { p = '', payload = '' } = request.body;
    const read = readQr(payload);
    return to(
      reply,
      typeof read === 'string' ? { p, s: 'scan', e: read } : { p, s: 'review', qr: payload.trim() },
    );
  });
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: PICTURE_BYTES_MAX },
    (_request, body, done) => done(null, body),
  );
  app.post<{ Body: Buffer }>('/phone/decode', { bodyLimit: PICTURE_BYTES_MAX }, async (request, reply) => {
    const payload = await decodeQrPicture(request.body);
    return payload === null ? reply.code(422).send({ error: 'UNREADABLE_QR' }) : { payload };
  });
  const responses = onceOnly();
  app.post<{ Body: Form }>('/phone/pay', (request, reply) =>
    responses(request.body, reply, () => payFromForm(environment, request.body)),
  );
  app.post<{ Body: Form }>('/phone/gift', (request, reply) =>
    responses(request.body, reply, () => giftFromForm(environment, request.body)),
  );
  app.post<{ Body: Form }>('/phone/transfer', (request, reply) =>
    responses(request.body, reply, () => transferFromForm(environment, request.body)),
  );
}

/** Remembers where each form led by its `once` value, so that a double tap pays once. */
function onceOnly() {
  const seen = new Map<string, Record<string, string>>();
  return (form: Form, reply: FastifyReply, perform: () => Record<string, string>): FastifyReply => {
    const known = seen.get(form.once ?? '');
    const result = known ?? perform();
    if (form.once && !result.e) seen.set(form.once, result);
    if (seen.size > REMEMBERED) seen.delete(seen.keys().next().value!);
    return to(reply, result);
  };
}

function addFromForm(environment: Environment, form: Form, reply: FastifyReply): FastifyReply {
  const { name = '', phone = '', bankCode, accountNo } = form;
  const person = admitPerson(environment, {
    name: name.trim().slice(0, 80) || phone,
    phone,
    bankCode,
    accountNo,
  });
  return to(reply, typeof person === 'string' ? { add: person } : { p: person.id });
}

function payFromForm(environment: Environment, form: Form): Record<string, string> {
  const { p = '', payload = '', from = '', how, minutes, amount } = form;
  const again = (e: string) => ({ p, s: 'review', qr: payload, from, e });
  const bill = readQr(payload);
  if (typeof bill === 'string') return again(bill);
  // What the code fixes cannot be changed here; the control API can, for tests.
  const amountMinor = bill.amountMinor ?? decimalToMinor(amount ?? '', 2);
  if (!amountMinor) return again('AMOUNT_NEEDED');
  const late = LATE_MINUTES.find((known) => String(known) === minutes) ?? LATE_MINUTES[0];
  const result = payQr(environment, {
    payload,
    fromKey: from,
    amountMinor,
    times: how === 'twice' ? 2 : 1,
    delayMs: how === 'late' ? late * 60_000 : 0,
  });
  if (typeof result === 'string') return again(result);
  if (result.plannedForMs !== null) return { p, s: 'planned', at: String(result.plannedForMs) };
  return { p, s: 'done', tx: result.payments.at(-1)!.transRef, n: String(result.payments.length) };
}

function transferFromForm(environment: Environment, form: Form): Record<string, string> {
  const { p = '', fromKey = '', toBank = '', toAccount = '', amount = '' } = form;
  const amountMinor = decimalToMinor(amount, 2);
  const again = (e: string) => ({ p, s: 'transfer', from: fromKey, bank: toBank, to: toAccount, amount, e });
  if (!amountMinor) return again('AMOUNT_NEEDED');
  const result = transfer(environment, { fromKey, toBank, toAccount, amountMinor });
  if (typeof result === 'string') return again(result);
  return { p, s: 'done', tx: 'transRef' in result ? result.transRef : '' };
}
