/** Browsers that have subscribed to the push service, and what has come to each. */
import { createECDH, randomBytes } from 'node:crypto';
import { nowMs } from '../environment/clock.ts';
import { changed, type Environment } from '../environment/environment.ts';
import { happen } from '../environment/happenings.ts';
import type { PushBrowser } from '../environment/state.ts';
import { readPush } from './decrypt.ts';

/** A new browser on somebody's phone. With a sender's key it takes messages from them alone. */
export function openBrowser(environment: Environment, phone: string, senderKey: string | null): PushBrowser {
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
  environment.state.browsers.set(browser.id, browser);
  changed(environment);
  return browser;
}

/** The response to a page that subscribes. */
export const subscriptionOf = (environment: Environment, { id, p256dh, auth }: PushBrowser) => ({
  id,
  endpoint: `${environment.publicUrl}/outside/push/${id}`,
  keys: { p256dh, auth },
});

/** Brings a message; one that is not for this browser arrives unreadable, as a real one drops it. */
export function arriveAt(
  environment: Environment,
  browser: PushBrowser,
  body: Buffer,
  topic: string | null,
): void {
  const text = readPush(browser, body);
  browser.arrivals.push({ atMs: nowMs(environment), topic, text });
  changed(environment);
  happen(environment, 'push', { phone: browser.phone, reference: browser.id, facts: { text, topic } });
}
