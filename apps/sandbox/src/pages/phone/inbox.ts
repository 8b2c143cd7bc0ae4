/** The phone's messages: bubbles by sender and time, one-time codes large and ready to copy. */

import { nowMs } from '../../environment/clock.ts';
import type { Message, Person } from '../../environment/state.ts';
import { inboxOf, otpIn } from '../../sms/messages.ts';
import { countText, dateText, initialOf, langOf, phoneText, timeText } from '../format.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { clockFace } from '../layout.ts';
import type { View } from '../view.ts';

const SHOWN = 30;

/** The strip at the top of a phone's screen. */
export const statusBar = (view: View): Html => html`<div class="status"><span>${clockFace(view)}</span>
<span class="row tight" aria-hidden="true">${icon('signal', 'xs')}${icon('wifi', 'xs')}${icon('battery', 'xs')}</span></div>`;

/** "Today 14:27", or the date when it was another day. */
export const stampText = (view: View, ms: number): string =>
  dateText(ms) === dateText(nowMs(view.environment))
    ? view.say('time.today', { time: timeText(ms) })
    : `${dateText(ms)} ${timeText(ms)}`;

const spaced = (code: string): string => (code.length === 6 ? `${code.slice(0, 3)} ${code.slice(3)}` : code);

function bubble(view: View, message: Message): Html {
  const otp = otpIn(message.text);
  const [before, after] = otp === null ? [message.text, ''] : splitAt(message.text, otp);
  const body = otp === null ? html`${before}` : html`${before}<b class="code num">${spaced(otp)}</b>${after}`;
  const copy =
    otp !== null &&
    html`<button class="btn soft small copier" type="button" data-copy="${otp}">${icon('copy', 's')}${view.say('action.copy')} <span class="num">${otp}</span></button>`;
  return html`<p class="bubble" lang="${langOf(message.text)}">${body}</p>${copy}`;
}

const splitAt = (text: string, part: string): [string, string] => {
  const at = text.indexOf(part);
  return [text.slice(0, at), text.slice(at + part.length)];
};

const senderRow = (view: View, sender: string): Html => html`<div class="row close sender">
  <span class="avatar">${initialOf(sender)}</span>
  <div><p class="strong">${sender}</p><p class="caption">${view.say('sms.sender')}</p></div>
</div>`;

const empty = (view: View, person: Person): Html => html`<div class="nothing">
  <span class="badge-icon">${icon('message')}</span>
  <p class="strong">${view.say('sms.empty')}</p>
  <p class="caption">${view.say('sms.emptyHint', { phone: phoneText(person.phone) })}</p>
</div>`;

/** The left phone. */
export function inboxDevice(view: View, person: Person): Html {
  const arrivals = inboxOf(view.environment, person.phone);
  const parts = [...new Set(arrivals.map(({ message }) => message))].reduce(
    (sum, message) => sum + message.parts,
    0,
  );
  let sender = '';
  const rows = arrivals.slice(-SHOWN).map(({ message, atMs }) => {
    const head = message.sender === sender ? null : senderRow(view, message.sender);
    sender = message.sender;
    return html`${head}<p class="stamp">${stampText(view, atMs)}</p>${bubble(view, message)}`;
  });
  return html`<section class="device" aria-label="${view.say('sms.title')}"><div class="screen">
  ${statusBar(view)}
  <div class="row apphead"><h1 class="grow">${view.say('sms.title')}</h1><span class="pill info">${icon('tag', 'xs')}SMS</span></div>
  <div class="messages" id="inbox" data-live="sms" data-end tabindex="0">${rows.length ? rows : empty(view, person)}</div>
  <div class="row close under" id="inbox-sum" data-live="sms">${icon('checks', 's')}
    <span class="grow">${view.say('sms.delivered', { count: countText(arrivals.length, view.lang) })}</span>
    <span>${view.say('sms.credits', { count: countText(parts, view.lang) })}</span></div>
</div></section>`;
}
