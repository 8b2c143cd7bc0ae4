/** The gift wallet on the right phone: making envelopes, their links, and who has taken what. */
import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '@krapao/contract/durations';
import { decimalToMinor } from '@krapao/contract/shared';
import { nowMs } from '../../environment/clock.ts';
import type { Environment } from '../../environment/environment.ts';
import type { GiftVoucher, Person } from '../../environment/state.ts';
import { linkOf, makeVoucher, RECEIVERS_MAX } from '../../gift/vouchers.ts';
import { money } from '../format.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { errorBox } from '../layout.ts';
import type { View } from '../view.ts';
import type { BankScreen } from './screen.ts';

const SHOWN = 20;
const HOURS = ['72', '24', '1'] as const;

function envelope(view: View, voucher: GiftVoucher): Html {
  const { tickets, partsMinor, amountMinor } = voucher;
  const isOver = nowMs(view.environment) >= voucher.expiresAtMs && tickets.length < partsMinor.length;
  return html`<li class="item"><span class="badge-icon ${tickets.length > 0 && 'ok'}">${icon('gift', 's')}</span>
    <span class="grow"><span class="strong">${money(amountMinor, { symbol: '฿' })}</span>
    <span class="caption">${view.say('gift.taken', { count: tickets.length, of: partsMinor.length })}${isOver && ` · ${view.say('gift.expired')}`}</span>
    ${tickets.map((ticket) => html`<span class="caption clip">${ticket.name} ${money(ticket.amountMinor)}</span>`)}</span>
    <button class="btn soft small" type="button" data-copy="${linkOf(voucher)}">${icon('copy', 's')}${view.say('gift.link')}</button></li>`;
}

const form = (view: View, person: Person): Html => html`<form class="flow" method="post" action="/phone/gift">
  <input type="hidden" name="p" value="${person.id}"><input type="hidden" name="once" value="${randomUUID()}">
  ${errorBox(view, view.query.get('e'))}
  <label class="field"><span>${view.say('money.amount')}</span>
    <span class="input with-unit"><input class="num" name="amount" required inputmode="decimal" autocomplete="off" pattern="\\d{1,9}(\\.\\d{1,2})?"><span>${view.say('money.baht')}</span></span></label>
  <label class="field"><span>${view.say('gift.receivers')}</span>
    <input class="input num" name="receivers" required inputmode="numeric" pattern="[1-9]\\d{0,2}" value="1"></label>
  <label class="field"><span>${view.say('gift.parts')}</span><select class="input" name="kind">
    <option value="F">${view.say('gift.equal')}</option><option value="R">${view.say('gift.random')}</option></select></label>
  <label class="field"><span>${view.say('gift.valid')}</span><select class="input" name="hours">${HOURS.map(
    (hours) => html`<option value="${hours}">${view.say('gift.hours', { count: hours })}</option>`,
  )}</select></label>
  <button class="btn bank wide">${icon('gift', 's')}${view.say('gift.make')}</button>
</form>`;

/** Everything a person can do with gifts. */
export function giftScreen(view: View, person: Person): BankScreen {
  const own = [...view.environment.state.vouchers.values()]
    .filter(({ ownerPhone }) => ownerPhone === person.phone)
    .slice(-SHOWN)
    .reverse();
  return {
    subtitle: view.say('gift.title'),
    back: `/?p=${person.id}#bankapp`,
    body: html`<div class="flow">${form(view, person)}<div class="flow" id="gifts" data-live="bank">
    <h2 class="group-title">${view.say('gift.mine')}</h2>
    ${
      own.length
        ? html`<ul class="card list">${own.map((voucher) => envelope(view, voucher))}</ul>`
        : html`<p class="card pad muted center">${view.say('state.empty')}</p>`
    }
    <p class="caption center">${view.say('bankapp.simulated')}</p></div></div>`,
  };
}

/** Makes an envelope from the form; returns where to go next. */
export function giftFromForm(
  environment: Environment,
  form: Record<string, string | undefined>,
): Record<string, string> {
  const { p = '', amount = '', receivers = '1', kind, hours = '' } = form;
  const owner = environment.state.persons.get(p);
  const amountMinor = decimalToMinor(amount, 2);
  const count = Number(receivers);
  const isCount = Number.isInteger(count) && count >= 1 && count <= RECEIVERS_MAX;
  const validHours = Number(HOURS.find((known) => known === hours) ?? HOURS[0]);
  const voucher =
    owner &&
    amountMinor &&
    isCount &&
    makeVoucher(environment, {
      ownerPhone: owner.phone,
      amountMinor,
      receivers: count,
      kind: kind === 'R' ? 'R' : 'F',
      validMs: validHours * HOUR_MS,
    });
  return voucher ? { p, s: 'gift' } : { p, s: 'gift', e: 'AMOUNT_NEEDED' };
}
