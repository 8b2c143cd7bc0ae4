/** Left of the phones: who the phone belongs to, adding people, pasting a QR text. */
import { COMPANY } from '../../bank/accounts.ts';
import { BANKS, groupAccount } from '../../environment/banks.ts';
import type { Person } from '../../environment/state.ts';
import { initialOf, langOf, phoneText } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { icon } from '../icons.ts';
import { errorBox } from '../layout.ts';
import type { View } from '../view.ts';

const personRow = (person: Person, chosen: boolean): Html => html`<li>
  <a class="item ${chosen && 'chosen'}" href="/?p=${person.id}" ${chosen && raw('aria-current="true"')}>
    <span class="avatar">${initialOf(person.name)}</span>
    <span class="grow"><span class="strong clip" lang="${langOf(person.name)}">${person.name}</span>
    <span class="caption num">${phoneText(person.phone)}</span></span>
    ${chosen && icon('check', 's')}
  </a></li>`;

/** A bank to choose, Thai banks first. */
export const bankSelect = (
  view: View,
  name: string,
  chosen = 'KBANK',
): Html => html`<select class="input" name="${name}" required>
  ${BANKS.map(
    (bank) =>
      html`<option value="${bank.code}" ${bank.code === chosen && raw('selected')}>${bank.code} · ${
        view.lang === 'en' || (view.lang === 'la') !== (bank.bot === undefined) ? bank.nameEn : bank.nameTh
      }</option>`,
  )}
</select>`;

const addForm = (
  view: View,
): Html => html`<details class="adder" ${view.query.get('add') !== null && raw('open')}>
  <summary class="link">${icon('plus', 'xs')}${view.say('action.add')}</summary>
  <form class="card pad stack s3" method="post" action="/phone/persons">
    ${errorBox(view, view.query.get('add') || null)}
    <label class="field"><span>${view.say('person.name')}</span><input class="input" name="name" required maxlength="80" autocomplete="off"></label>
    <label class="field"><span>${view.say('person.phone')}</span><input class="input num" name="phone" required inputmode="tel" maxlength="20" autocomplete="off"></label>
    <label class="field"><span>${view.say('bank.bank')}</span>${bankSelect(view, 'bankCode')}</label>
    <label class="field"><span>${view.say('bank.accountNo')}</span><input class="input num" name="accountNo" inputmode="numeric" maxlength="24" autocomplete="off"><span class="hint">${view.say('phone.accountHint')}</span></label>
    <button class="btn soft small wide">${view.say('phone.addPerson')}</button>
  </form>
</details>`;

/** The side column of the phone page. */
export function peopleSide(view: View, person: Person): Html {
  const people = [...view.environment.state.persons.values()];
  return html`<section class="people">
  <div class="group-title"><h2>${view.say('phone.people')}</h2>${addForm(view)}</div>
  <ul class="card list" id="people" data-live="sms">${people.map((other) => personRow(other, other === person))}</ul>
</section>
<section class="paste">
  <h2 class="group-title">${view.say('phone.pasteQr')}</h2>
  <form class="card pad stack s3" method="post" action="/phone/qr">
    <input type="hidden" name="p" value="${person.id}">
    <textarea class="input mono" name="payload" rows="3" required spellcheck="false" aria-label="${view.say('phone.qrText')}" placeholder="000201010212…"></textarea>
    <button class="btn soft small wide">${icon('scan', 's')}${view.say('phone.openInBank')}</button>
  </form>
</section>
<a class="card item shortcut" href="/?p=${person.id}&amp;s=transfer&amp;bank=${COMPANY.bankCode}&amp;to=${COMPANY.accountNo}#bankapp">
  <span class="badge-icon">${icon('transfer', 's')}</span>
  <span class="grow"><span class="strong">${view.say('phone.toCompany')}</span>
  <span class="caption num">${COMPANY.bankCode} ${groupAccount(COMPANY.accountNo)}</span></span>
</a>
<a class="card item shortcut" href="/?p=${person.id}&amp;s=gift#bankapp">
  <span class="badge-icon">${icon('gift', 's')}</span>
  <span class="grow"><span class="strong">${view.say('gift.title')}</span>
  <span class="caption">${view.say('gift.hint')}</span></span>
</a>`;
}
