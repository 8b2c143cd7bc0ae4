/** The lobby with every provider, and a provider's own log-in page. */
import { AGENTS, type GameKind } from '../../games/agents.ts';
import { countText } from '../format.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { errorBox } from '../layout.ts';
import type { LabelId } from '../texts.ts';
import type { View } from '../view.ts';

const ART: Record<string, string> = {
  betflix: 'naga',
  areaslot: 'lantern',
  slotracha: 'lotus',
  circus: 'sail',
  imi: 'pitch',
  usun: 'court',
  huayhd: 'drum',
  pg: 'rice',
  pgslot: 'loom',
  joker2: 'table',
  askmebet: 'ticket',
};

/** The word for a kind of game. */
export const gameLabel = (kind: GameKind): LabelId => `games.${kind}`;

/** The picture of an agent's game. */
export const artOf = (agent: string): string => `/assets/art/${ART[agent]}.svg`;

const card = (view: View, agent: string): Html => {
  const { title, game } = AGENTS[agent]!;
  const players = [...view.environment.state.players.values()].filter(
    (player) => player.agent === agent,
  ).length;
  return html`<li><a class="game agent-${agent}" href="/games/${agent}/play">
    <img src="${artOf(agent)}" alt="" width="320" height="240">
    <span class="name strong">${title}</span>
    <span class="caption">${view.say(gameLabel(game))}</span>
    <span class="caption row tight">${icon('user', 'xs')}${view.say('games.players', { count: countText(players, view.lang) })}</span>
  </a></li>`;
};

/** Every provider. */
export const lobby = (view: View): Html => html`<div class="lead"><h1>${view.say('games.title')}</h1>
<p class="muted">${view.say('games.lead')}</p></div>
<ul class="lobby">${Object.keys(AGENTS).map((agent) => card(view, agent))}</ul>`;

/** A provider's log-in page. */
export const loginPage = (view: View, agent: string, problem: string | null): Html => {
  const { title, game } = AGENTS[agent]!;
  return html`<div class="table agent-${agent} narrow">
  <div class="cover"><img src="${artOf(agent)}" alt="" width="320" height="240">
    <div><h1>${title}</h1><p>${view.say(gameLabel(game))}</p></div></div>
  <form class="card pad stack" method="post" action="/games/${agent}/login">
    ${errorBox(view, problem)}
    <p class="muted">${view.say('games.loginHint')}</p>
    <label class="field"><span>${view.say('games.username')}</span><input class="input" name="username" required autocomplete="username" autocapitalize="none" spellcheck="false" value="${view.query.get('username')}"></label>
    <label class="field"><span>${view.say('games.password')}</span><input class="input" name="password" type="password" required autocomplete="current-password"></label>
    <button class="btn game-btn wide">${view.say('action.logIn')}</button>
  </form>
</div>`;
};
