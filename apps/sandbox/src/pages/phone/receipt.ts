/** What the bank app shows once money has moved, or will. */
import { accountKey } from '../../bank/accounts.ts';
import { groupAccount } from '../../environment/banks.ts';
import { iso } from '../../environment/clock.ts';
import type { BankLine, Person } from '../../environment/state.ts';
import { accountsOf } from '../../people.ts';
import { dateText, langOf, money, secondText, symbolOf, timeText } from '../format.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import type { LabelId } from '../texts.ts';
import type { View } from '../view.ts';
import type { BankScreen } from './screen.ts';

const row = (name: string, value: string | Html): Html =>
  html`<div class="kv"><dt>${name}</dt><dd class="num">${value}</dd></div>`;

/** "KBANK 111-222-3334" */
const accountText = (key: string): string =>
  key.replace(/^(\w+):(\d+)$/, (_all, bank, no) => `${bank} ${groupAccount(no)}`);

const headline = (line: BankLine, twice: boolean): LabelId => {
  if (line.amountMinor > 0n) return 'bankapp.received';
  if (line.kind !== 'bill-payment') return 'bankapp.transferred';
  return twice ? 'bankapp.paidTwice' : 'bankapp.paid';
};

/** A movement's receipt from this person's side; null when it is not theirs. */
export function receiptScreen(view: View, person: Person): BankScreen | null {
  const keys = new Set(accountsOf(view.environment, person.id).map(accountKey));
  const transRef = view.query.get('tx');
  const line = view.environment.state.lines.find(
    (known) => known.transRef === transRef && keys.has(known.accountKey),
  );
  if (!line) return null;
  const back = `/?p=${person.id}#bankapp`;
  const twice = view.query.get('n') === '2';
  return {
    subtitle: view.say('bankapp.receipt'),
    back,
    body: html`<div class="flow">
    <div class="ticket"><div class="payee"><span class="seal">${icon('check')}</span><p class="strong">${view.say(headline(line, twice))}</p>
      <p class="big">${money(line.amountMinor < 0n ? -line.amountMinor : line.amountMinor, { symbol: symbolOf({ bankCode: line.accountKey.split(':')[0]! }) })}</p>
      <p class="caption" lang="${langOf(line.counterName)}">${line.counterName}</p></div><div class="tear"></div>
      <dl>${row(view.say(line.amountMinor > 0n ? 'bankapp.from' : 'bankapp.toAccount'), accountText(line.counterKey))}
      ${line.reference !== line.transRef ? row(view.say('bankapp.ref1'), line.reference) : null}
      ${row(view.say('bankapp.transRef'), line.transRef)}
      ${row(view.say('bankapp.when'), html`<time datetime="${iso(line.atMs)}">${dateText(line.atMs)} ${secondText(line.atMs)}</time>`)}
      ${row(view.say('bankapp.fee'), '0.00')}
      ${row(view.say('money.balance'), money(line.balanceMinor))}</dl></div>
    ${line.amountMinor < 0n && html`<a class="btn line wide" href="/phone/slip?tx=${line.transRef}" download="slip-${line.transRef}.png">${icon('image', 's')}${view.say('bankapp.saveSlip')}</a>`}
    <span class="grow"></span>
    <a class="btn bank wide" href="${back}">${view.say('bankapp.backHome')}</a>
    <p class="caption center">${view.say('bankapp.simulated')}</p></div>`,
  };
}

/** A payment that was put off. */
export const plannedScreen = (view: View, back: string): Html => {
  const atMs = Number(view.query.get('at'));
  return html`<div class="flow"><div class="ticket"><div class="payee tall"><span class="seal wait">${icon('clock')}</span>
    <p class="strong">${view.say('bankapp.planned')}</p>
    <p>${view.say('bankapp.plannedFor', { time: timeText(Number.isFinite(atMs) ? atMs : 0) })}</p>
    <p class="caption">${view.say('bankapp.plannedHint')}</p></div></div>
    <span class="grow"></span><a class="btn bank wide" href="${back}">${view.say('bankapp.backHome')}</a></div>`;
};
