/** Browsers that have subscribed to the push service, and what has come to each. */
import { createECDH, randomBytes } from 'node:crypto';
import { nowMs } from '../world/clock.ts';
import { happen } from '../world/happenings.ts';
import type { PushBrowser } from '../world/state.ts';
import { changed, type World } from '../world/world.ts';
import { readPush } from './decrypt.ts';

/** A new browser on somebody's phone. With a sender's key it takes messages from them alone. */
export function openBrowser(world: World, phone: string, senderKey: string | null): PushBrowser {
  const ecdh = createECDH('prime256v1');
  const p256dh = ecdh.generateKeys('base64url');
  const browser: PushBrowser = {
    id: randomBytes(24).toString('base64url'),
    phone,
    senderKey,
    p256dh,
    auth: randomBytes(16).toString('base64url'),
    privateKey: ecdh.getPrivateKey('base64url'),
    isGone: false,
    arrivals: [],
  };
  world.state.browsers.set(browser.id, browser);
  changed(world);
  return browser;
}

/** What a page is told when it subscribes. */
export const subscriptionOf = (world: World, { id, p256dh, auth }: PushBrowser) => ({
  id,
  endpoint: `${world.publicUrl}/outside/push/${id}`,
  keys: { p256dh, auth },
});

/** Brings a message; one that is not for this browser arrives unreadable, as a real one drops it. */
export function arriveAt(world: World, browser: PushBrowser, body: Buffer, topic: string | null): void {
  const text = readPush(browser, body);
  browser.arrivals.push({ atMs: nowMs(world), topic, text });
  changed(world);
  happen(world, 'push', { phone: browser.phone, reference: browser.id, facts: { text, topic } });
}
