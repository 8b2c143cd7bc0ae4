/** The play page: what a player has, the game itself, rules and odds, history. */

import type { Player, Round } from '../../environment/state.ts';
import { AGENTS, outstandingOf, roundsOf } from '../../games/agents.ts';
import { reelsReturn, SYMBOLS, THREE_PAYS, TWO_PAYS, waysOf } from '../../games/reels.ts';
import { money, moneyText, secondText } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { icon } from '../icons.ts';
import { errorBox } from '../layout.ts';
import type { View } from '../view.ts';
import { artOf, gameLabel } from './lobby.ts';

const STAKES = [5, 10, 20, 50, 100] as const;
const SHOWN = 20;
const RETURN_SHARE = (reelsReturn() * 100).toFixed(1);

/** What was drawn or picked, in words. */
function sideText(view: View, game: Round['game'], side: string): string {
  if (game === 'match') return view.say(side === 'home' ? 'games.home' : 'games.away');
  return side;
}

const symbol = (view: View, name: string): Html =>
  html`<img class="symbol" src="/assets/art/${name}.svg" alt="${view.say(`symbol.${name as 'rice'}`)}" width="320" height="240">`;

function verdict(view: View, round: Round | undefined): Html {
  if (!round) return html`<p class="verdict">${view.say('games.ready')}</p>`;
  if (round.state === 'OPEN')
    return html`<p class="verdict wait">${icon('hourglass', 's')}${view.say('games.open')}</p>`;
  return round.payoutMinor > 0n
    ? html`<p class="verdict won">${icon('trophy', 's')}${view.say('games.won', { amount: moneyText(round.payoutMinor) })}</p>`
    : html`<p class="verdict">${view.say('games.lost')}</p>`;
}

function stage(view: View, player: Player, last: Round | undefined): Html {
  const { game } = AGENTS[player.agent]!;
  if (game === 'reels') {
    const shown = last ? last.drawn.split(',') : ['rice', 'lotus', 'naga'];
    return html`<div class="reels ${last && 'spun'}" data-round="${last?.id}">${shown.map((name) => html`<span>${symbol(view, name)}</span>`)}</div>${verdict(view, last)}`;
  }
  if (game === 'match') {
    const score = last?.state === 'SETTLED' ? (last.drawn === 'home' ? '1–0' : '0–1') : '–';
    return html`<div class="pitch"><span>${view.say('games.home')}</span><b class="num">${score}</b><span>${view.say('games.away')}</span></div>${verdict(view, last)}`;
  }
  const drawn = last?.state === 'SETTLED' ? last.drawn : '--';
  return html`<div class="balls">${[...drawn].map((digit) => html`<b class="num">${digit}</b>`)}</div>${verdict(view, last)}`;
}

const stakes = (
  view: View,
): Html => html`<fieldset class="stakes"><legend class="label">${view.say('games.stake')}</legend>
  ${STAKES.map(
    (stake) =>
      html`<label><input class="sr" type="radio" name="stake" value="${stake}" ${stake === 10 && raw('checked')}><span class="chip num">${stake}</span></label>`,
  )}</fieldset>`;

function controls(view: View, player: Player): Html {
  const { game } = AGENTS[player.agent]!;
  const form = (
    inner: Html,
    button: string,
  ) => html`<form class="card pad stack" method="post" action="/games/${player.agent}/bet" data-inplace>
    ${inner}${stakes(view)}<button class="btn game-btn wide">${button}</button></form>`;
  if (game === 'reels') return form(html``, view.say('games.spin'));
  if (game === 'match') {
    const side = (name: 'home' | 'away') =>
      html`<label><input class="sr" type="radio" name="pick" value="${name}" required><span class="choice">${view.say(
        `games.${name}`,
      )}<small>${view.say('games.pays', { times: '1.95' })}</small></span></label>`;
    return form(
      html`<fieldset class="sides"><legend class="label">${view.say('games.pickTeam')}</legend>${side('home')}${side('away')}</fieldset>`,
      view.say('games.bet'),
    );
  }
  return html`${form(
    html`<label class="field"><span>${view.say('games.number')} · ${view.say('games.pays', { times: '90' })}</span><input class="input num two" name="pick" required inputmode="numeric" pattern="\\d\\d" maxlength="2" autocomplete="off" placeholder="00"></label>`,
    view.say('games.buy'),
  )}<form class="card pad stack s2" method="post" action="/games/${player.agent}/draw" data-inplace>
    <button class="btn soft wide">${icon('ticket', 's')}${view.say('games.draw')}</button><p class="caption center">${view.say('games.drawHint')}</p></form>`;
}

const chance = (ways: number): string => `${((ways / 1728) * 100).toFixed(2)}%`;

function rules(view: View, player: Player): Html {
  const { game } = AGENTS[player.agent]!;
  if (game !== 'reels')
    return html`<p>${view.say(game === 'match' ? 'games.rulesMatch' : 'games.rulesDigits')}</p>`;
  const line = (name: (typeof SYMBOLS)[number], count: 2 | 3, pays: number) => html`<tr>
    <th scope="row"><span class="row close">${symbol(view, name)}${view.say(`symbol.${name}`)} × ${count}</span></th>
    <td class="num">${pays}×</td><td class="num">${chance(waysOf(name, count))}</td></tr>`;
  return html`<p>${view.say('games.rulesReels', { share: RETURN_SHARE })}</p><table>
    <thead><tr><th scope="col">${view.say('games.lineColumn')}</th><th scope="col">${view.say('games.paysColumn')}</th><th scope="col">${view.say('games.chanceColumn')}</th></tr></thead>
    <tbody>${[...SYMBOLS].reverse().map((name) => {
      const two = TWO_PAYS[name];
      return html`${line(name, 3, THREE_PAYS[name])}${two && line(name, 2, two)}`;
    })}</tbody></table>`;
}

function historyRow(view: View, round: Round): Html {
  const settled = round.state === 'SETTLED';
  const what =
    round.game === 'reels'
      ? html`<span class="row tight">${round.drawn.split(',').map((name) => symbol(view, name))}</span>`
      : html`<span class="strong">${view.say('games.picked', { pick: sideText(view, round.game, round.pick) })}${
          settled && html` · ${view.say('games.result', { drawn: sideText(view, round.game, round.drawn) })}`
        }</span>`;
  const net = round.payoutMinor - round.stakeMinor;
  const due = view.environment.state.tasks.find(
    ({ kind, subject }) => kind === 'settle-match' && subject === round.id,
  )?.dueMs;
  return html`<li class="item"><span class="grow">${what}<span class="caption num">${secondText(round.openedAtMs)}</span></span>
    <span class="right">${
      settled
        ? html`<span class="strong ${net > 0n && 'ok'}">${money(net, { sign: true })}</span>`
        : html`<span class="pill warn">${icon('hourglass', 'xs')}${view.say('games.open')}</span>`
    }<span class="caption">${due ? view.say('games.settlesIn', { time: secondText(due) }) : html`${view.say('games.stake')} ${money(round.stakeMinor)}`}</span></span></li>`;
}

/** The whole play page of a player; `problem` is a refusal of the latest bet. */
export function playPage(view: View, player: Player, returnUrl: string): Html {
  const { title, game } = AGENTS[player.agent]!;
  const rounds = roundsOf(view.environment, player);
  const last = rounds.at(-1);
  return html`<div class="table agent-${player.agent}">
  <div class="cover slim"><img src="${artOf(player.agent)}" alt="" width="320" height="240">
    <div class="grow"><h1>${title}</h1><p>${view.say(gameLabel(game))} · ${player.username}</p></div>
    <form method="post" action="/games/${player.agent}/logout"><button class="btn glass small">${view.say('action.logOut')}</button></form></div>
  <dl class="credits" id="credits" data-live="round game-transfer">
    <div><dt>${view.say('games.credits')}</dt><dd>${money(player.balanceMinor)}</dd></div>
    <div><dt>${view.say('games.outstanding')}</dt><dd>${money(outstandingOf(view.environment, player))}</dd></div></dl>
  <div id="problem">${errorBox(view, view.query.get('e'))}</div>
  <div class="stage" id="stage" data-live="round" aria-live="polite">${stage(view, player, last)}</div>
  ${controls(view, player)}
  ${returnUrl && html`<a class="btn line wide" href="${returnUrl}">${icon('back', 's')}${view.say('games.returnTo')}</a>`}
  <details class="card pad rules"><summary class="strong">${icon('info', 's')}${view.say('games.rules')}</summary>${rules(view, player)}</details>
  <section class="stack s2"><h2 class="group-title">${view.say('games.history')}</h2>
  <div id="history" data-live="round">${
    rounds.length
      ? html`<ul class="card list">${rounds
          .slice(-SHOWN)
          .reverse()
          .map((round) => historyRow(view, round))}</ul>`
      : html`<p class="card pad muted center">${view.say('state.empty')}</p>`
  }</div></section>
</div>`;
}
