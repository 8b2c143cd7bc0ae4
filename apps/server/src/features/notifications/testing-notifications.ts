/** Helpers for tests of notifications: a browser of the sandbox's, its messages, and the member's calls. */
import type { TestEnv, TestMember } from '../../testing/test-env.ts';

/** A browser's subscription as a page hands it on. */
export interface TestBrowser {
  id: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** A push message to a browser, decrypted. */
export interface TestPush {
  id: string;
  title: string;
  body: string;
  url: string;
}

type Who = Pick<TestMember, 'token' | 'phone'>;

export function notificationHelpers(env: TestEnv) {
  const request = (who: Pick<Who, 'token'>, method: string, path: string, body?: unknown) =>
    env.call(method, path, body, { token: who.token });
  const subscribe = (who: Pick<Who, 'token'>, { endpoint, keys }: TestBrowser, language = 'en') =>
    request(who, 'POST', '/api/push/subscription', { endpoint, keys, language });
  return {
    request,
    subscribe,
    /** A browser on the member's phone, for our key alone. */
    async browser(who: Who): Promise<TestBrowser> {
      const { publicKey } = (await request(who, 'GET', '/api/push')).body;
      return env.control('push', { phone: who.phone, key: publicKey });
    },
    /** A browser that is subscribed. */
    async turnOn(who: Who, language = 'en'): Promise<TestBrowser> {
      const browser: TestBrowser = await this.browser(who);
      const { status, body } = await subscribe(who, browser, language);
      if (status !== 200) throw new Error(`subscribe: ${status} ${JSON.stringify(body)}`);
      return browser;
    },
    /** Everything that has come to the member's browsers, in order. */
    async arrived(who: Who): Promise<TestPush[]> {
      const { browsers } = await env.control(`push?phone=${who.phone}`);
      return browsers.flatMap(({ messages }: { messages: { text: string }[] }) =>
        messages.map(({ text }) => JSON.parse(text)),
      );
    },
    list: async (who: Pick<Who, 'token'>, page = 1, limit = 20) =>
      (await request(who, 'POST', '/api/notifications', { page, limit })).body,
    read: async (who: Pick<Who, 'token'>, upTo: string) =>
      (await request(who, 'POST', '/api/notifications/read', { upTo })).body,
    push: () => env.app.runJob('notifications.push'),
  };
}
