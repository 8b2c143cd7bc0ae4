/** Review screens: everything a payer should see before money moves. */
import { randomUUID } from 'node:crypto';
import { decimalToMinor } from '@krapao/contract/shared';
import { payeeOf, readQr, readTransfer } from '../../bank/payments.ts';
import { findBank, groupAccount } from '../../environment/banks.ts';
import type { Account, Person } from '../../environment/state.ts';
import { langOf, money, moneyText, symbolOf } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { errorBox } from '../layout.ts';
import type { View } from '../view.ts';
import type { BankScreen } from './screen.ts';

/** How many minutes "pay late" can wait. */
export const LATE_MINUTES = [1, 5, 20, 60] as const;

const row = (name: string, value: string | Html): Html =>
  html`<div class="kv"><dt>${name}</dt><dd class="num">${value}</dd></div>`;

const how = (
  view: View,
): Html => html`<fieldset class="seg"><legend class="sr">${view.say('bankapp.how')}</legend>
  ${(['once', 'twice', 'late'] as const).map(
    (way) =>
      html`<label><input class="sr" type="radio" name="how" value="${way}" ${way === 'once' && raw('checked')}><span>${view.say(
        way === 'once' ? 'bankapp.payOnce' : way === 'twice' ? 'bankapp.payTwice' : 'bankapp.payLate',
      )}</span></label>`,
  )}
</fieldset>
<label class="row between lateness"><span class="label">${view.say('bankapp.lateBy')}</span>
  <select class="input" name="minutes">${LATE_MINUTES.map(
    (count) => html`<option value="${count}">${view.say('bankapp.minutes', { count })}</option>`,
  )}</select></label>`;

const amountField = (
  view: View,
): Html => html`<label class="field open-amount"><span class="caption">${view.say('bankapp.amountHint')}</span>
  <span class="input with-unit"><input class="num" name="amount" required inputmode="decimal" autocomplete="off" pattern="\\d{1,9}(\\.\\d{1,2})?" aria-label="${view.say('money.amount')}"><span>${view.say('money.baht')}</span></span></label>`;

/** Reviewing a QR; null when the text cannot be paid, so the caller shows the scanner again. */
export function reviewScreen(view: View, person: Person, froms: Html): BankScreen | null {
  const payload = view.query.get('qr') ?? '';
  const bill = readQr(payload);
  if (typeof bill === 'string') {
    view.query.set('e', bill);
    return null;
  }
  const { amountMinor, reference1, reference2 } = bill;
  return {
    subtitle: view.say('bankapp.review'),
    back: `/?p=${person.id}&s=scan#bankapp`,
    pill: ['qr', view.say('bankapp.qr')],
    body: html`<form class="flow" method="post" action="/phone/pay">
    <input type="hidden" name="p" value="${person.id}"><input type="hidden" name="payload" value="${payload}">
    <input type="hidden" name="once" value="${randomUUID()}">
    ${errorBox(view, view.query.get('e'))}
    <div class="ticket"><div class="payee"><p class="caption">${view.say('bankapp.payTo')}</p><p class="strong" lang="th">${payeeOf(bill)?.name}</p>
      ${amountMinor === undefined ? amountField(view) : html`<p class="big">${money(amountMinor, { symbol: symbolOf(payeeOf(bill)!) })}</p>`}</div>
      <div class="tear"></div>
      <dl>${row(view.say('bankapp.ref1'), reference1)}${reference2 ? row(view.say('bankapp.ref2'), reference2) : null}${row(view.say('bankapp.fee'), '0.00')}</dl></div>
    ${froms}
    ${how(view)}
    <span class="grow"></span>
    <button class="btn bank wide">${
      amountMinor === undefined
        ? view.say('bankapp.confirmPayOpen')
        : view.say('bankapp.confirmPay', { amount: `฿${moneyText(amountMinor)}` })
    }</button>
    <p class="caption center">${view.say('bankapp.simulated')}</p>
  </form>`,
  };
}

/** Reviewing a transfer; null when it cannot be made, with the reason left in `?e=`. */
export function transferReviewScreen(view: View, person: Person, from?: Account): BankScreen | null {
  const { query } = view;
  const amountMinor = decimalToMinor(query.get('amount') ?? '', 2);
  const order = {
    fromKey: query.get('from') ?? '',
    toBank: query.get('bank') ?? '',
    toAccount: query.get('to') ?? '',
  };
  const read = amountMinor ? readTransfer(view.environment, { ...order, amountMinor }) : 'AMOUNT_NEEDED';
  if (typeof read === 'string' || !from || !amountMinor) {
    query.set('e', typeof read === 'string' ? read : 'UNKNOWN_ACCOUNT');
    return null;
  }
  const { to } = read;
  const hidden = { ...order, amount: query.get('amount') ?? '', p: person.id, once: randomUUID() };
  const bank = findBank(to.bankCode)!;
  return {
    subtitle: view.say('bankapp.reviewTransfer'),
    back: `/?p=${person.id}&s=transfer#bankapp`,
    body: html`<form class="flow" method="post" action="/phone/transfer">
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
    <div class="ticket"><div class="payee"><p class="caption">${view.say('bankapp.transferTo')}</p>
      <p class="strong" lang="${langOf(to.name)}">${to.name}</p><p class="caption num">${bank.code} ${groupAccount(to.accountNo)}</p>
      <p class="big">${money(amountMinor, { symbol: '฿' })}</p></div><div class="tear"></div>
      <dl>${row(view.say('bankapp.from'), `${from.bankCode} ${groupAccount(from.accountNo)}`)}${row(view.say('bankapp.fee'), '0.00')}</dl></div>
    <span class="grow"></span>
    <button class="btn bank wide">${view.say('bankapp.confirmTransfer', { amount: `฿${moneyText(amountMinor)}` })}</button>
    <p class="caption center">${view.say('bankapp.simulated')}</p>
  </form>`,
  };
}
