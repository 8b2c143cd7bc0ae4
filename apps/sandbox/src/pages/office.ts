/** The bank's back office: the company's accounts, payouts to settle, the statement. */
import { encodeBillPayment } from '@krapao/contract/shared';
import type { FastifyInstance } from 'fastify';
import { renderSVG } from 'uqr';
import { accountKey, COMPANY } from '../bank/accounts.ts';
import { settlePayout } from '../bank/payouts.ts';
import { groupAccount } from '../environment/banks.ts';
import { changed, type Environment } from '../environment/environment.ts';
import { type BankLine, COMPANY_OWNER, type Payout } from '../environment/state.ts';
import { dateTimeText, langOf, money, moneyText, symbolOf } from './format.ts';
import { type Html, html, raw } from './html.ts';
import { type IconName, icon } from './icons.ts';
import { page, sendPage } from './layout.ts';
import { isTextId } from './texts.ts';
import { type View, viewOf } from './view.ts';

const SHOWN = 100;

/** A bill without an amount that belongs to no deposit. */
const STATIC_QR = encodeBillPayment({ billerId: COMPANY.billerId, reference1: 'WALKIN' });

function accounts(view: View): Html {
  const accounts = [...view.environment.state.accounts.values()].filter(
    ({ ownerId }) => ownerId === COMPANY_OWNER,
  );
  return html`<section class="stack s2"><h2 class="group-title">${view.say('office.accounts')}</h2>
  <div id="accounts" data-live="bank" class="stack s3">${accounts.map(
    (account) => html`<div class="account bank-${account.bankCode}">
      <p class="row between"><span class="strong">${account.bankCode}</span>
        <button class="ghost num" type="button" data-copy="${account.accountNo}">${groupAccount(account.accountNo)}${icon('copy', 'xs')}</button></p>
      <p lang="th">${account.name}</p>
      <p class="figure">${money(account.balanceMinor, { symbol: symbolOf(account) })}</p>
      <p class="label">${view.say('office.opening', { amount: moneyText(account.openingMinor) })}</p></div>`,
  )}</div></section>`;
}

const staticQr = (
  view: View,
): Html => html`<section class="stack s2"><h2 class="group-title">${view.say('office.staticQr')}</h2>
  <div class="card pad stack s3 center qr">${raw(renderSVG(STATIC_QR, { border: 1, ecc: 'M' }))}
    <p class="caption">${view.say('office.biller')} <span class="num">${COMPANY.billerId}</span></p>
    <p class="caption">${view.say('office.staticHint')}</p>
    <button class="btn soft small wide" type="button" data-copy="${STATIC_QR}">${icon('copy', 's')}${view.say('phone.qrText')}</button></div></section>`;

const PILLS: Record<Payout['state'], [string, IconName]> = {
  ACCEPTED: ['warn', 'hourglass'],
  PAID: ['ok', 'check'],
  REJECTED: ['bad', 'x'],
};

const verdictForm = (
  view: View,
  payout: Payout,
  state: 'PAID' | 'REJECTED',
): Html => html`<form method="post" action="/bank/payout" data-inplace>
  <input type="hidden" name="reference" value="${payout.reference}"><input type="hidden" name="state" value="${state}">
  <button class="btn small ${state === 'PAID' ? 'soft' : 'danger'}">${view.say(state === 'PAID' ? 'office.pay' : 'office.reject')}</button></form>`;

function payoutRow(view: View, payout: Payout): Html {
  const [tone, symbol] = PILLS[payout.state];
  const { reason } = payout;
  return html`<li class="item payout"><span class="grow"><span class="strong" lang="${langOf(payout.accountName)}">${payout.accountName}</span>
    <span class="caption num">${payout.bankCode} ${groupAccount(payout.accountNo)}</span><span class="caption num wrap">${payout.reference}</span>
    <span class="caption">${dateTimeText(payout.acceptedAtMs)}</span></span>
    <span class="right"><span class="strong">${money(payout.amountMinor)}</span>
    <span class="pill ${tone}">${icon(symbol, 'xs')}${view.say(`payout.${payout.state}`)}</span>
    </span>
    ${reason && html`<span class="caption why">${isTextId(reason) ? view.say(reason) : reason}</span>`}
    ${payout.state === 'ACCEPTED' && html`<span class="row close verdicts">${verdictForm(view, payout, 'PAID')}${verdictForm(view, payout, 'REJECTED')}</span>`}
  </li>`;
}

function payouts(view: View): Html {
  const { payoutMode } = view.environment.state.settings;
  const mode = (value: 'auto' | 'manual') =>
    html`<button name="mode" value="${value}" aria-pressed="${String(value === payoutMode)}">${view.say(`office.${value}`)}</button>`;
  const rows = [...view.environment.state.payouts.values()].reverse().slice(0, SHOWN);
  return html`<section class="stack s2" id="payouts" data-live="payout">
  <div class="group-title wraprow"><h2>${view.say('office.payouts')}</h2>
    <form class="seg small" method="post" action="/bank/mode" data-inplace aria-label="${view.say('office.mode')}">${mode('auto')}${mode('manual')}</form></div>
  ${rows.length ? html`<ul class="card list">${rows.map((payout) => payoutRow(view, payout))}</ul>` : html`<p class="card pad muted center">${view.say('office.noPayouts')}</p>`}
</section>`;
}

function noticePill(view: View, line: BankLine): Html | null {
  const notice = view.environment.state.confirmations.get(line.transRef);
  if (!notice) return null;
  return notice.acknowledged
    ? html`<span class="pill ok">${icon('checks', 'xs')}${view.say('office.confirmed')}</span>`
    : html`<span class="pill warn">${icon('hourglass', 'xs')}${view.say('office.unconfirmed', { count: notice.tries.length })}</span>`;
}

function statement(view: View): Html {
  const keys = new Set(
    [...view.environment.state.accounts.values()]
      .filter(({ ownerId }) => ownerId === COMPANY_OWNER)
      .map(accountKey),
  );
  const lines = view.environment.state.lines
    .filter((line) => keys.has(line.accountKey))
    .slice(-SHOWN)
    .reverse();
  return html`<section class="stack s2" id="statement" data-live="bank confirmation"><h2 class="group-title">${view.say('office.statement')}</h2>
  ${
    lines.length
      ? html`<ul class="card list">${lines.map(
          (
            line,
          ) => html`<li class="item"><span class="badge-icon ${line.amountMinor > 0n && 'ok'}">${icon(line.amountMinor > 0n ? 'in' : 'out', 's')}</span>
          <span class="grow"><span class="strong">${view.say(`line.${line.kind}`)}</span>
          <span class="caption" lang="${langOf(line.counterName)}">${line.counterName}</span><span class="caption num wrap">${line.reference}</span>${noticePill(view, line)}</span>
          <span class="right"><span class="strong ${line.amountMinor > 0n && 'ok'}">${money(line.amountMinor, { sign: true })}</span>
          <span class="caption">${money(line.balanceMinor)}</span><span class="caption">${dateTimeText(line.atMs)}</span></span></li>`,
        )}</ul>`
      : html`<p class="card pad muted center">${view.say('state.empty')}</p>`
  }</section>`;
}

/** Registers the bank's back office page. */
export async function officePages(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  app.get('/bank', (request, reply) => {
    const view = viewOf(environment, request, reply);
    const body = html`<h1 class="sr">${view.say('office.title')}</h1><div class="cols"><div class="stack s6">${payouts(view)}${statement(view)}</div></div>`;
    const side = html`${accounts(view)}${staticQr(view)}`;
    return sendPage(reply, page(view, { active: 'bank', title: 'office.title', side, body }));
  });
  app.post<{ Body: Record<string, string | undefined> }>('/bank/payout', (request, reply) => {
    const { reference = '', state } = request.body;
    if (state === 'PAID' || state === 'REJECTED') settlePayout(environment, reference, state);
    return reply.redirect('/bank', 303);
  });
  app.post<{ Body: Record<string, string | undefined> }>('/bank/mode', (request, reply) => {
    const { mode } = request.body;
    if (mode === 'auto' || mode === 'manual') environment.state.settings.payoutMode = mode;
    changed(environment);
    return reply.redirect('/bank', 303);
  });
}
