/**
 * Films the how-to videos from the running product, in Thai, with captions in three languages, into the member app's
 * public folder. Usage: npm run videos [name ...] (the member app must have been built). Needs ffmpeg with libx264, by
 * its name or as FFMPEG; nothing else in the project does.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumLaunch } from '../chromium.ts';
import { call } from '../env-calls.ts';
import { newMember, playMoney, visit } from '../new-member.ts';
import { startTestEnv } from '../test-env.ts';
import { textOf } from '../texts.ts';
import { Recorder } from './recorder.ts';
import { SCENES } from './scenes.ts';

const FOLDER = join(import.meta.dirname, '../../apps/web/public/howto');
/** As wide as a common phone, and no taller than what a sheet shows at once. */
const FILM_SIZE = { width: 360, height: 640 };

const browser = await chromium.launch(await chromiumLaunch());
const env = await startTestEnv();
try {
  const names = process.argv.slice(2);
  for (const [name, { games, first, play }] of Object.entries(SCENES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const member = await newMember({ balance: 2500, env });
    for (const [game, amount] of Object.entries(games)) await playMoney(member, game, amount);
    if (first) await call(first, undefined, member.token, env);
    const page = await visit(browser, { isFine: true, isMoving: true }, member);
    await page.setViewportSize(FILM_SIZE);
    await page.goto('/user/home');
    await page.getByLabel(textOf('th', 'money.total')).waitFor();
    await page.waitForLoadState('networkidle');
    // The viewer is a member of a real service, not of the sandbox it was filmed in.
    await page.addStyleTag({ content: 'header [class*=tag] { visibility: hidden }' });
    const film = new Recorder(page);
    film.start();
    await play(page, film, member);
    const { seconds } = await film.finish(FOLDER, name);
    const kB = statSync(join(FOLDER, `${name}.mp4`)).size / 1024;
    console.log(`${name}: ${seconds.toFixed(0)} s, ${kB.toFixed(0)} kB`);
    await page.context().close();
  }
} finally {
  await browser.close();
  await env.stop();
}
