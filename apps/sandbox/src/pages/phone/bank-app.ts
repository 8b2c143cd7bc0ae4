/** The bank app on the right phone: home, scan, review, transfer, success and receipt. */
import { accountKey, findAccount } from '../../bank/accounts.ts';
import { groupAccount } from '../../environment/banks.ts';
import type { Account, BankLine, Person } from '../../environment/state.ts';
import { accountsOf } from '../../people.ts';
import { langOf, money, symbolOf } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { icon } from '../icons.ts';
import { errorBox } from '../layout.ts';
import type { View } from '../view.ts';
import { giftScreen } from './gift.ts';
import { stampText, statusBar } from './inbox.ts';
import { bankSelect } from './people.ts';
import { plannedScreen, receiptScreen } from './receipt.ts';
import { reviewScreen, transferReviewScreen } from './review.ts';
import type { BankScreen } from './screen.ts';

const SHOWN = 40;

/** Accounts to pay from, as radio cards; the first is chosen unless `?from=` says otherwise. */
export function fromAccounts(view: View, person: Person): Html {
  const accounts = accountsOf(view.environment, person.id);
  const wanted = view.query.get('from');
  const chosen = accounts.find((account) => accountKey(account) === wanted) ?? accounts[0];
  return html`<fieldset class="froms"><legend class="sr">${view.say('bankapp.from')}</legend>${accounts.map(
    (account) => html`<label class="card item from">
      <input class="sr" type="radio" name="from" value="${accountKey(account)}" ${account === chosen && raw('checked')}>
      <span class="initial bank-${account.bankCode}">${account.bankCode.slice(0, 2)}</span>
      <span class="grow"><span class="caption">${view.say('bankapp.from')}</span><span class="strong num clip">${groupAccount(account.accountNo)}</span></span>
      <span class="right"><span class="caption">${view.say('money.balance')}</span><span class="strong">${money(account.balanceMinor)}</span></span>
    </label>`,
  )}</fieldset>`;
}

const accountCard = (account: Account): Html => html`<li class="account bank-${account.bankCode}">
  <p class="row between"><span class="strong">${account.bankCode}</span>
    <button class="ghost num" type="button" data-copy="${account.accountNo}">${groupAccount(account.accountNo)}${icon('copy', 'xs')}</button></p>
  <p class="clip" lang="${langOf(account.name)}">${account.name}</p>
  <p class="figure">${money(account.balanceMinor, { symbol: symbolOf(account) })}</p>
</li>`;

function lineRow(view: View, person: Person, line: BankLine): Html {
  const incoming = line.amountMinor > 0n;
  const title =
    line.kind === 'bill-payment' ? 'bankapp.billPayment' : incoming ? 'bankapp.payout' : 'bankapp.transfer';
  return html`<li><a class="item" href="/?p=${person.id}&amp;s=receipt&amp;tx=${line.transRef}#bankapp">
    <span class="badge-icon ${incoming && 'ok'}">${icon(incoming ? 'in' : 'out', 's')}</span>
    <span class="grow"><span class="strong">${view.say(title)}</span><span class="caption clip">${line.counterName}</span></span>
    <span class="right"><span class="strong ${incoming && 'ok'}">${money(line.amountMinor, { sign: true })}</span><span class="caption">${stampText(view, line.atMs)}</span></span>
  </a></li>`;
}

function homeScreen(view: View, person: Person): BankScreen {
  const accounts = accountsOf(view.environment, person.id);
  const keys = new Set(accounts.map(accountKey));
  const lines = view.environment.state.lines
    .filter((line) => keys.has(line.accountKey))
    .slice(-SHOWN)
    .reverse();
  return {
    subtitle: view.say('bankapp.home'),
    body: html`<div class="flow" id="bank-home" data-live="bank">
    <ul class="accounts">${accounts.map((account) => accountCard(account))}</ul>
    <div class="pair">
      <a class="btn bank" href="/?p=${person.id}&amp;s=scan#bankapp">${icon('scan', 's')}${view.say('bankapp.scan')}</a>
      <a class="btn line" href="/?p=${person.id}&amp;s=transfer#bankapp">${icon('transfer', 's')}${view.say('bankapp.transfer')}</a>
    </div>
    <h2 class="group-title">${view.say('bankapp.history')}</h2>
    ${
      lines.length
        ? html`<ul class="card list">${lines.map((line) => lineRow(view, person, line))}</ul>`
        : html`<p class="card pad muted center">${view.say('state.empty')}</p>`
    }
    </div>`,
  };
}

const scanScreen = (view: View, person: Person): BankScreen => ({
  subtitle: view.say('bankapp.scan'),
  back: `/?p=${person.id}#bankapp`,
  body: html`<form class="flow" method="post" action="/phone/qr">
    <input type="hidden" name="p" value="${person.id}">
    ${errorBox(view, view.query.get('e'))}
    <label class="drop" data-decode="/phone/decode">
      <input class="sr" type="file" accept="image/*">
      <span class="badge-icon">${icon('image')}</span>
      <span class="strong">${view.say('bankapp.picture')}</span>
      <span class="caption">${view.say('bankapp.pictureHint')}</span>
    </label>
    <p class="or"><span>${view.say('bankapp.or')}</span></p>
    <label class="field"><span>${view.say('phone.qrText')}</span>
      <textarea class="input mono" name="payload" rows="5" required spellcheck="false" placeholder="000201010212…"></textarea></label>
    <span class="grow"></span>
    <button class="btn bank wide">${view.say('action.next')}</button>
  </form>`,
});

const transferScreen = (view: View, person: Person): BankScreen => ({
  subtitle: view.say('bankapp.transfer'),
  back: `/?p=${person.id}#bankapp`,
  body: html`<form class="flow" method="get" action="/#bankapp">
    <input type="hidden" name="p" value="${person.id}"><input type="hidden" name="s" value="transfer-review">
    ${errorBox(view, view.query.get('e'))}
    ${fromAccounts(view, person)}
    <label class="field"><span>${view.say('bank.bank')}</span>${bankSelect(view, 'bank', view.query.get('bank') ?? 'KBANK')}</label>
    <label class="field"><span>${view.say('bank.accountNo')}</span>
      <input class="input num" name="to" required inputmode="numeric" autocomplete="off" maxlength="24" value="${view.query.get('to')}"></label>
    <label class="field"><span>${view.say('money.amount')}</span>
      <span class="input with-unit"><input class="num" name="amount" required inputmode="decimal" autocomplete="off" pattern="\\d{1,9}(\\.\\d{1,2})?" value="${view.query.get('amount')}"><span>${view.say('money.baht')}</span></span></label>
    <span class="grow"></span>
    <button class="btn bank wide">${view.say('action.next')}</button>
  </form>`,
});

function screenOf(view: View, person: Person): BankScreen {
  const back = `/?p=${person.id}#bankapp`;
  switch (view.query.get('s')) {
    case 'scan':
      return scanScreen(view, person);
    case 'review':
      return reviewScreen(view, person, fromAccounts(view, person)) ?? scanScreen(view, person);
    case 'gift':
      return giftScreen(view, person);
    case 'transfer':
      return transferScreen(view, person);
    case 'transfer-review': {
      const from = findAccount(view.environment, view.query.get('from') ?? '');
      return transferReviewScreen(view, person, from) ?? transferScreen(view, person);
    }
    case 'done':
    case 'receipt':
      return receiptScreen(view, person) ?? homeScreen(view, person);
    case 'planned':
      return { subtitle: view.say('bankapp.planned'), back, body: plannedScreen(view, back) };
    default:
      return homeScreen(view, person);
  }
}

/** The right phone. */
export function bankDevice(view: View, person: Person): Html {
  const { subtitle, back, pill, body } = screenOf(view, person);
  return html`<section class="device bankapp" aria-label="${view.say('bankapp.name')}" id="bankapp"><div class="screen">
  <div class="bankhead">${statusBar(view)}<div class="row">
    ${back && html`<a class="icon-btn" href="${back}" aria-label="${view.say('action.back')}">${icon('back')}</a>`}
    <div class="grow ${!back && 'flush'}"><p class="strong">${view.say('bankapp.name')}</p><h1 class="sub">${subtitle}</h1></div>
    ${pill && html`<span class="pill glass">${icon(pill[0], 'xs')}${pill[1]}</span>`}
  </div></div>
  <div class="bankbody">${body}</div>
</div></section>`;
}
