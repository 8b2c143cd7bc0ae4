/** The control page: clock, scenarios, faults, settings, traffic. Its buttons call the control API and nothing else. */
import { DAY_MS, HOUR_MS } from '@krapao/contract/durations';
import type { FastifyInstance } from 'fastify';
import { iso, nowMs } from '../environment/clock.ts';
import type { Environment, LogEntry } from '../environment/environment.ts';
import { CALLS } from '../environment/faults.ts';
import { FAULT_KINDS, type Fault, type Party } from '../environment/state.ts';
import { countText, dateText, secondText } from './format.ts';
import { type Html, html, raw } from './html.ts';
import { icon } from './icons.ts';
import { page, sendPage } from './layout.ts';
import { SCENES } from './scenes.ts';
import { type View, viewOf } from './view.ts';

const SHOWN = 60;

/** A button that posts one JSON body. */
const press = (path: string, body: object, inner: Html | string, look = 'chip'): Html =>
  html`<form data-control="/control/${path}" data-body="${JSON.stringify(body)}"><button class="${look}">${inner}</button></form>`;

/** An offset as days, hours, minutes and seconds. */
function offsetText(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const [d, h, m, s] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  const clock = [h, m, s].map((part) => String(part).padStart(2, '0')).join(':');
  return `${ms < 0 ? '−' : '+'}${d ? `${d} d ` : ''}${clock}`;
}

function clock(view: View): Html {
  const now = nowMs(view.environment);
  const frozen = view.environment.state.clock.frozenAtMs !== null;
  const offset = now - Date.now();
  return html`<section class="stack s2" id="clock" data-live="clock"><h2 class="group-title">${view.say('control.clock')}
    <span class="pill ${frozen ? 'info' : 'ok'}">${icon(frozen ? 'snow' : 'play', 'xs')}${view.say(frozen ? 'control.frozen' : 'control.running')}</span></h2>
  <div class="card pad stack s3"><p class="bigclock num"><time datetime="${iso(now)}" data-clock="${now}" data-seconds ${frozen && raw('data-frozen')}>${secondText(now)}</time> <span class="caption">${dateText(now)}</span></p>
    <p class="caption">${Math.abs(offset) < 2000 ? view.say('control.realTime') : view.say('control.offset', { offset: offsetText(offset) })} · ${view.say('control.upcoming', { count: view.environment.state.tasks.length })}</p>
    <div class="presses">${press('clock', { advanceMs: 60_000 }, view.say('control.minute'))}${press('clock', { advanceMs: HOUR_MS }, view.say('control.hour'))}${press('clock', { advanceMs: DAY_MS }, view.say('control.day'))}${press('clock', { freeze: !frozen }, view.say(frozen ? 'control.thaw' : 'control.freeze'), 'chip tone')}</div></div></section>`;
}

const scenes = (
  view: View,
): Html => html`<section class="stack s2"><h2 class="group-title">${view.say('control.scenarios')}</h2>
  <p class="caption">${view.say('control.scenariosHint')}</p>
  <div class="scenes">${SCENES.map(({ label, hint, symbol, fault }) =>
    press(
      'faults',
      fault,
      html`<span class="badge-icon">${icon(symbol, 's')}</span><span class="grow"><span class="strong">${view.say(label)}</span><span class="caption">${view.say(hint)}</span></span>`,
      'card item',
    ),
  )}</div></section>`;

function faultRow(view: View, fault: Fault): Html {
  const about = [fault.agent, fault.call, fault.member, fault.reference].filter(Boolean).join(' · ');
  const left =
    fault.count === undefined
      ? view.say('fault.untilCleared')
      : view.say('fault.left', { count: fault.count });
  const extra = [
    fault.chance !== undefined && `${fault.chance * 100}%`,
    fault.ms !== undefined && `${countText(fault.ms, view.lang)} ms`,
  ]
    .filter(Boolean)
    .join(' · ');
  return html`<li class="item"><span class="badge-icon bad">${icon('bolt', 's')}</span>
    <span class="grow"><span class="strong">${view.say(`party.${fault.party}`)} · ${view.say(`kind.${fault.kind}`)}</span>
    <span class="caption wrap">${about || view.say('fault.anyCall')}${extra && ` · ${extra}`}</span>
    <span class="caption">${left} · ${view.say('fault.struck', { count: fault.struck })}</span></span>
    ${press('faults', { clear: fault.id }, html`${icon('trash', 's')}<span class="sr">${view.say('action.clear')}</span>`, 'icon-btn')}</li>`;
}

function faults(view: View): Html {
  const armed = view.environment.state.faults;
  return html`<section class="stack s2" id="faults" data-live="clock log"><div class="group-title"><h2>${view.say('control.faults')}</h2>
    ${armed.length > 0 && press('faults', { clear: true }, view.say('control.clearAll'), 'link')}</div>
  ${armed.length ? html`<ul class="card list">${armed.map((fault) => faultRow(view, fault))}</ul>` : html`<p class="card pad muted row close">${icon('check', 's')}${view.say('control.noFaults')}</p>`}</section>`;
}

const option = (value: string, text: string): Html => html`<option value="${value}">${text}</option>`;

const faultForm = (
  view: View,
): Html => html`<details class="card pad"><summary class="strong">${icon('plus', 's')}${view.say('control.addFault')}</summary>
<form class="grid2" data-control="/control/faults">
  <label class="field"><span>${view.say('fault.party')}</span><select class="input" name="party">${Object.keys(CALLS).map((party) => option(party, view.say(`party.${party as Party}`)))}</select></label>
  <label class="field"><span>${view.say('fault.call')}</span><select class="input" name="call"><option value="">${view.say('fault.anyCall')}</option>${Object.entries(
    CALLS,
  ).map(
    ([party, calls]) =>
      html`<optgroup label="${view.say(`party.${party as Party}`)}">${calls.map((call) => option(call, call))}</optgroup>`,
  )}</select></label>
  <label class="field"><span>${view.say('fault.kind')}</span><select class="input" name="kind">${FAULT_KINDS.map((kind) => option(kind, view.say(`kind.${kind}`)))}</select></label>
  <label class="field"><span>${view.say('fault.count')}</span><input class="input num" name="count" data-number inputmode="numeric" pattern="[1-9]\\d*" value="1"></label>
  <label class="field"><span>${view.say('fault.member')}</span><input class="input" name="member" autocomplete="off"></label>
  <label class="field"><span>${view.say('fault.reference')}</span><input class="input" name="reference" autocomplete="off"></label>
  <label class="field"><span>${view.say('fault.chance')}</span><input class="input num" name="chance" data-number inputmode="decimal" pattern="0(\\.\\d+)?|1"></label>
  <label class="field"><span>${view.say('fault.ms')}</span><input class="input num" name="ms" data-number inputmode="numeric" pattern="\\d*"></label>
  <button class="btn soft wide">${view.say('action.add')}</button></form></details>`;

function settings(view: View): Html {
  const { settings: now, smsCredit } = view.environment.state;
  const field = (
    label: 'payoutDelay' | 'confirmEvery' | 'matchMs' | 'smsCredit',
    name: string,
    value: number,
  ) =>
    html`<label class="field"><span>${view.say(`control.${label}`)}</span><input class="input num" name="${name}" data-number required inputmode="numeric" pattern="\\d{1,9}" value="${value}"></label>`;
  return html`<details class="card pad"><summary class="strong">${icon('sliders', 's')}${view.say('control.settings')}</summary>
  <form class="grid2" data-control="/control/settings">${field('payoutDelay', 'payoutDelayMs', now.payoutDelayMs)}${field('confirmEvery', 'confirmationIntervalMs', now.confirmationIntervalMs)}${field('matchMs', 'matchMs', now.matchMs)}${field('smsCredit', 'smsCredit', smsCredit)}
  <button class="btn soft wide">${view.say('action.save')}</button></form></details>`;
}

const environment = (
  view: View,
): Html => html`<details class="card pad"><summary class="strong">${icon('refresh', 's')}${view.say('control.environment')} · ${view.say('control.seed')} <span class="num">${view.environment.state.seed ?? view.say('control.seedNone')}</span></summary>
  <form class="row close" data-control="/control/seed"><input class="input num grow" name="seed" data-number required inputmode="numeric" pattern="\\d{1,9}" aria-label="${view.say('control.seed')}" value="${view.environment.state.seed}"><button class="btn soft">${view.say('action.save')}</button></form>
  <p class="caption">${view.say('control.resetHint')}</p>${press('reset', {}, view.say('control.reset'), 'btn danger wide')}</details>`;

function logRow(view: View, entry: LogEntry): Html {
  const good = entry.status !== null && entry.status < 400;
  const about = [entry.agent, entry.member, entry.reference].filter(Boolean).join(' · ');
  return html`<li><details data-keep="log-${entry.seq}"><summary>
    <span class="num caption">${secondText(Date.parse(entry.at))}</span>
    <span class="badge-icon tiny">${icon(entry.direction === 'in' ? 'in' : 'out', 'xs')}</span>
    <span class="grow"><span class="strong">${view.say(`party.${entry.party}`)} ${entry.call}</span><span class="caption wrap">${about}</span></span>
    ${entry.fault && html`<span class="pill warn">${icon('bolt', 'xs')}${view.say(`kind.${entry.fault}`)}</span>`}
    <span class="pill ${good ? 'ok' : 'bad'} num">${entry.status ?? view.say('control.cut')}</span></summary>
    <p class="caption num wrap">${entry.method} ${entry.path} · ${entry.durationMs} ms</p>
    <p class="label">${view.say('control.request')}</p><pre>${JSON.stringify(entry.request, null, 1)}</pre>
    <p class="label">${view.say('control.reply')}</p><pre>${JSON.stringify(entry.reply, null, 1)}</pre></details></li>`;
}

function log(view: View): Html {
  const entries = view.environment.log.slice(-SHOWN).reverse();
  return html`<section class="stack s2" id="log" data-live="log clock"><h2 class="group-title">${view.say('control.log')}</h2>
  ${entries.length ? html`<ul class="card list log">${entries.map((entry) => logRow(view, entry))}</ul>` : html`<p class="card pad muted center">${view.say('state.empty')}</p>`}</section>`;
}

/** Registers the control page. GET /control is the page; everything below it is the control API. */
export async function controlPages(
  app: FastifyInstance,
  { environment: inEnvironment }: { environment: Environment },
): Promise<void> {
  app.get('/control', (request, reply) => {
    const view = viewOf(inEnvironment, request, reply);
    const side = html`${clock(view)}${faults(view)}${faultForm(view)}${settings(view)}${environment(view)}`;
    const body = html`<h1 class="sr">${view.say('control.title')}</h1><div class="stack s6">${scenes(view)}${log(view)}</div>`;
    return sendPage(reply, page(view, { active: 'control', title: 'control.title', side, body }));
  });
}
