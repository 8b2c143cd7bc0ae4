/** What each how-to video shows. The sentences are the steps that stand under the video on the how-to page. */
import type { Locator, Page } from '@playwright/test';
import { call, control } from '../env-calls.ts';
import type { Member } from '../new-member.ts';
import { textOf } from '../texts.ts';
import type { Recorder } from './recorder.ts';

const th = (id: string, values?: Record<string, string>) => textOf('th', id, values);
const button = (place: Page | Locator, id: string) =>
  place.getByRole('button', { name: th(id), exact: true });
const sheet = (page: Page) => page.getByRole('dialog').last();
const submit = (page: Page) => sheet(page).locator('button[type=submit]');

type Scene = (page: Page, film: Recorder, member: Member) => Promise<void>;

async function payIn(page: Page, film: Recorder, member: Member): Promise<void> {
  await film.say('howto.wallet1');
  await film.tap(button(page, 'deposit.tile'));
  await film.tap(
    sheet(page)
      .getByRole('button')
      .filter({ hasText: th('deposit.anyBankApp') }),
  );
  await film.say('howto.wallet2');
  await film.tap(page.getByRole('button', { name: '500', exact: true }));
  const made = page.waitForResponse(
    (reply) => reply.url().includes('/api/qrcode/') && reply.request().method() === 'POST',
  );
  await film.tap(submit(page));
  const { payload } = await (await made).json();
  await page.getByRole('timer').waitFor();
  film.keepPoster();
  await film.linger();
  await control('pay-qr', { payload, phone: member.phone }, member.env);
  await page.getByText(th('qr.paid')).waitFor();
  // It turns into the receipt by itself.
  await page.getByText(th('deposit.done')).waitFor();
  await film.rest();
  await film.tap(button(page, 'btn.close'));
}

const wallet: Scene = async (page, film, member) => {
  await payIn(page, film, member);
  await film.say('howto.wallet3');
  await film.tap(button(page, 'transfer.title'));
  await film.choose(page.getByRole('combobox', { name: th('transfer.source') }), 'wallet');
  await film.choose(page.getByRole('combobox', { name: th('transfer.destination') }), 'betflix');
  await film.type(sheet(page).getByRole('textbox'), '200');
  await film.tap(submit(page));
  await page.getByText(th('transfer.success')).waitFor();
  await film.tap(button(page, 'btn.ok'));
  await film.say('howto.wallet4');
  await film.tap(button(page, 'withdraw.tile'));
  await film.type(sheet(page).getByRole('textbox'), '300');
  await film.tap(submit(page));
  await page.getByText(th('withdraw.waiting')).waitFor();
  await film.rest();
  await film.tap(button(page, 'btn.ok'));
};

const enterGame: Scene = async (page, film) => {
  const game = page.getByRole('button', { name: 'Naga Tales' });
  await film.say('howto.enterGame1');
  await film.tap(game);
  await button(sheet(page), 'game.play').waitFor();
  film.keepPoster();
  await film.say('howto.enterGame2');
  await film.tap(sheet(page).getByRole('button', { name: '500', exact: true }));
  await film.say('howto.enterGame3');
  const opened = page.waitForEvent('popup');
  await film.tap(sheet(page).getByRole('button', { name: th('game.playWith', { amount: '' }) }));
  const window = await opened;
  await window.waitForLoadState();
  film.turnTo(window);
  await film.linger(3000);
  film.turnTo(page);
  await window.close();
  await film.say('howto.enterGame4');
  await film.point(
    sheet(page)
      .locator('dt', { hasText: th('game.username') })
      .locator('xpath=..'),
  );
  await film.linger(400);
  await film.point(
    sheet(page)
      .locator('dt', { hasText: th('game.password') })
      .locator('xpath=..'),
  );
};

const checkBalance: Scene = async (page, film) => {
  await film.say('howto.checkBalance1');
  await film.point(page.getByLabel(th('money.total')).locator('p').first());
  await film.say('howto.checkBalance2');
  await film.tap(button(page, 'money.refresh'));
  await film.say('howto.checkBalance3');
  await film.tap(page.getByRole('link', { name: th('statement.nav') }));
  film.keepPoster();
  await film.tap(page.getByRole('main').locator('section').getByRole('button').first());
};

const openBonuses = (page: Page, film: Recorder, isInUse = false) =>
  film.tap(button(page, isInUse ? 'bonus.inUseTile' : 'bonus.bonus'));
const receiveBonus: Scene = async (page, film) => {
  await film.say('howto.receiveBonus1');
  await openBonuses(page, film);
  const card = page.getByRole('listitem').first();
  await card.waitFor();
  await film.linger(900);
  await film.say('howto.receiveBonus2');
  await film.tap(card.getByRole('button'));
  await film.linger(1200);
  film.keepPoster();
  await film.point(sheet(page).getByText(th('bonus.lock')));
  await film.say('howto.receiveBonus3');
  await film.tap(
    sheet(page).getByRole('button', { name: new RegExp(textOf('th', 'bonus.receiveSum', { amount: '' })) }),
  );
  await page.getByText(th('bonus.saved')).waitFor();
  await film.tap(button(page, 'btn.ok'));
  await page.getByText(th('bonus.active')).waitFor();
  await film.linger();
};

const send = ({ token, env }: Member, name: string) => call(name, undefined, token, env);

/** The member wins so much in their game that the bonus may end. */
async function winThrough(member: Member): Promise<void> {
  const { username } = await send(member, 'GET /api/wallet/account/betflix');
  const round = { agent: 'betflix', username, stake: 1000, rounds: 4, result: 'win' };
  await control('play', round, member.env);
}

const endBonus: Scene = async (page, film, member) => {
  const home = page.getByRole('link', { name: th('nav.home') });
  await film.say('howto.endBonus1');
  await openBonuses(page, film, true);
  await film.point(page.getByRole('progressbar').first());
  await film.linger();
  await film.tap(home);
  await winThrough(member);
  await film.tap(button(page, 'money.refresh'));
  await film.say('howto.endBonus2');
  await openBonuses(page, film, true);
  await page.getByText(th('bonus.mayEnd')).waitFor();
  film.keepPoster();
  await film.linger(1200);
  await film.tap(button(page, 'bonus.finish'));
  await page.getByText(th('bonus.finishedLead')).waitFor();
  await film.linger();
  await film.tap(button(page, 'btn.ok'));
  await film.linger();
  await film.say('howto.endBonus3');
  await film.tap(home);
  await film.tap(button(page, 'withdraw.tile'));
  await film.type(sheet(page).getByRole('textbox'), '500');
  await film.tap(submit(page));
  await page.getByText(th('withdraw.waiting')).waitFor();
  await film.rest();
  await film.tap(button(page, 'btn.ok'));
};

interface Film {
  /** Games opened beforehand, with the money that lies in them. */
  games: Record<string, number>;
  /** A call made beforehand. */
  first?: string;
  play: Scene;
}

/** The videos by the names of their guides. */
export const SCENES: Record<string, Film> = {
  wallet: { games: { betflix: 0 }, play: wallet },
  'enter-game': { games: {}, play: enterGame },
  'check-balance': { games: { betflix: 1200, areaslot: 300 }, play: checkBalance },
  'receive-bonus': { games: {}, play: receiveBonus },
  'end-bonus': { games: { betflix: 2000 }, first: 'GET /api/bonus/activate/DAILY10', play: endBonus },
};
