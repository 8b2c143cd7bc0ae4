import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '@krapao/contract/durations';
import type { PoolClient } from 'pg';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { createApp } from '../../app.ts';
import { createPool } from '../../platform/database/pool.ts';
import { WITHOUT_JOBS } from '../../platform/process-roles.ts';
import { LOCKS_AWAITED } from '../../testing/locks.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { madeFilm } from '../content/testing-files.ts';
import { pass, pushedClock } from '../testing.ts';
import { chatHelpers } from './testing-chat.ts';
import { hashGuestId } from './who.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const { guest, call, say, send, history, unread, read, upload, listen, closeSockets } = chatHelpers(env);
// All callers here have one address.
await env.set('chat.guestAddressHourMax', 10_000);
afterAll(closeSockets);

const { PREFIX } = (await env.call('GET', '/api/chat/config')).body;
const texts = (items: { message: { payload: { message: string } } }[]) =>
  items.map((item) => item.message.payload.message);
const png = (side = 40) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#0b5d4e' } })
    .png()
    .toBuffer();

/** An agent's word, as the console will send it. */
async function reply(who: Parameters<typeof say>[0], text: string): Promise<void> {
  const { _id } = (await history(who))[0];
  await env.owner.query(
    `select chat_say(m.conversation_id, 'agent', (select min(id) from operator), jsonb_build_object('message_type', 'text', 'payload', jsonb_build_object('message', $2::text)),
       $2, md5($2), $3, interval '60 minutes') from chat_message m where m.id = $1`,
    [_id, text, clock.now()],
  );
}

/** Begins the work while the conversation of a member or guest is locked, and releases it once the work waits for it. */
async function held(
  who: Parameters<typeof say>[0],
  work: () => Promise<unknown>,
  meanwhile: (tx: PoolClient) => Promise<void>,
): Promise<void> {
  const { _id } = (await history(who))[0];
  const tx = await env.owner.connect();
  try {
    await tx.query('begin');
    await tx.query(
      'select 1 from chat_conversation c join chat_message m on m.conversation_id = c.id where m.id = $1 for update of c',
      [_id],
    );
    const working = work();
    await until(async () => (await env.owner.query(LOCKS_AWAITED)).rows.length > 0);
    await meanwhile(tx);
    await tx.query('commit');
    await working;
  } finally {
    tx.release();
  }
}

describe('identity of the customer', () => {
  test('a member under their token, a guest under their secret; each reads only their own', async () => {
    const [member, otherMember, visitor] = [await env.member(), await env.member(), guest()];
    expect((await say(member, 'สวัสดี')).status).toBe(200);
    expect((await say(visitor, 'hello')).status).toBe(200);
    expect(texts(await history(member))).toEqual(['สวัสดี']);
    expect(texts(await history(visitor))).toEqual(['hello']);
    expect(await history(otherMember)).toEqual([]);
    expect(await history(guest())).toEqual([]);
    const [item] = await history(member);
    expect(item).toMatchObject({ sender: 'customer', userId: String(member.id), guestId: null });
    expect((await history(visitor))[0]).toMatchObject({ userId: null, guestId: visitor.guestId });
  });

  test('rejects another guest’s id, a guess, a member’s id as a secret, and no identity', async () => {
    const [member, other] = [await env.member(), await env.member()];
    await say(other, 'mine');
    const as = async (body: object, token?: string) => {
      const reply = await env.call(
        'POST',
        '/api/chat/history',
        { limit: 10, skip: 0, ...body },
        token ? { token } : {},
      );
      return [reply.status, reply.body.message];
    };
    expect(await as({ userId: String(other.id) }, member.token)).toEqual([403, 'UNAUTHORIZED']);
    expect(await as({ userId: String(other.id) })).toEqual([403, 'UNAUTHORIZED']);
    expect(await as({ guestId: String(other.id) })).toEqual([400, 'INVALID_USER_INFO']);
    expect(await as({ guestId: 'short' })).toEqual([400, 'INVALID_USER_INFO']);
    expect(await as({})).toEqual([400, 'INVALID_USER_INFO']);
    expect(await as({ guestId: guest().guestId }, 'nonsense')).toEqual([401, 'invalid-token']);
    expect(await as({ userId: String(member.id) }, member.token)).toEqual([200, undefined]);
  });

  test('a guest’s conversation joins the member they turn out to be, once and for good', async () => {
    const [member, other, visitor] = [await env.member(), await env.member(), guest()];
    await say(visitor, 'first');
    await say(member, 'second');
    const both = { limit: 10, skip: 0, guestId: visitor.guestId };
    const merged = await env.call('POST', '/api/chat/history', both, { token: member.token });
    expect(texts(merged.body)).toEqual(['second', 'first']);
    expect((await say(visitor, 'third')).body.message).toBe('INVALID_USER_INFO');
    expect((await call(visitor, 'POST', 'history', { limit: 10, skip: 0 })).body.message).toBe(
      'INVALID_USER_INFO',
    );
    const stolen = await env.call('POST', '/api/chat/history', both, { token: other.token });
    expect(stolen.body).toEqual([]);
    expect(texts(await history(member))).toEqual(['second', 'first']);
  });

  test('a guest’s word on its way while their conversation joins a member’s arrives there', async () => {
    const [member, visitor] = [await env.member(), guest()];
    await say(visitor, 'first');
    await held(
      visitor,
      () => say(visitor, 'on its way'),
      async (tx) => {
        await tx.query('select chat_merge($1, guest_hash, $2) from chat_conversation where guest_hash = $3', [
          member.id,
          clock.now(),
          hashGuestId(visitor.guestId),
        ]);
      },
    );
    expect(texts(await history(member))).toEqual(['on its way', 'first']);
  });
});

describe('messages', () => {
  test('bears the server’s names, whatever a customer calls themselves; they send neither cards nor foreign files', async () => {
    const [member, visitor] = [await env.member(), guest()];
    const evil = '<img src=x onerror=alert(1)>';
    for (const who of [member, visitor]) {
      const message = { message_type: 'text', payload: { message: evil } };
      const body = { message, name: evil, username: evil, sender: 'agent' };
      expect((await call(who, 'POST', 'send-message', body)).status).toBe(200);
      const [item] = await history(who);
      expect(item).toMatchObject({ sender: 'customer', message });
      expect(JSON.stringify([item.name, item.username])).not.toContain('<');
      const button = { title: evil, type: 'web', payload: 'javascript:alert(1)' };
      const media = (filePath: string) => ({
        message_type: 'media',
        payload: { message: evil, url: true, fileType: 'image', filePath },
      });
      for (const refused of [
        { message_type: 'buttons', payload: { message: evil, buttons: [button] } },
        { message_type: 'generic', payloads: [{ image_url: '', title: evil, subtitle: '', buttons: [] }] },
        media('javascript:alert(1)'),
        media('https://evil.example/x.png'),
      ])
        expect((await send(who, refused)).status).toBe(400);
      expect(await history(who)).toHaveLength(1);
    }
  });

  test('is trimmed, at most 2000 characters, and never blank', async () => {
    const member = await env.member();
    expect((await say(member, '   ')).status).toBe(400);
    expect((await say(member, 'x'.repeat(2001))).status).toBe(400);
    expect((await say(member, `  ${'ก'.repeat(1998)}  `)).status).toBe(200);
    expect(texts(await history(member))[0]).toHaveLength(1998);
    for (const message of [
      { message_type: 'buttons', payload: { message: 'x', buttons: [] } },
      { message_type: 'text', payload: { message: 'x', html: '<b>' } },
      {
        message_type: 'media',
        payload: { message: 'a.png', url: true, fileType: 'image', filePath: '/etc/passwd' },
      },
    ])
      expect((await send(member, message)).status).toBe(400);
  });

  test('a retry is the same message, and forty at once keep one order', async () => {
    const member = await env.member();
    const first = await say(member, 'once', 'c-1');
    const again = await say(member, 'once more', 'c-1');
    expect(again.body).toEqual(first.body);
    expect(texts(await history(member))).toEqual(['once']);
    const visitor = guest();
    await Promise.all(Array.from({ length: 25 }, (_, n) => say(visitor, `word ${n}`, `w-${n % 20}`)));
    const items = await history(visitor);
    expect(items).toHaveLength(20);
    const ids = items.map((item: { _id: string }) => Number(item._id));
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
    const times = items.map((item: { createdAt: string }) => item.createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('refuses messages above the rate limit for a minute, without affecting others', async () => {
    const visitor = guest();
    const responses = await Promise.all(Array.from({ length: 40 }, (_, n) => say(visitor, `flood ${n}`)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(responses.filter(({ body }) => body.message === 'REQUEST_LIMIT')).toHaveLength(10);
    expect((await say(guest(), 'calm')).status).toBe(200);
  });

  test('of 35 messages four loads show all, none twice', async () => {
    const member = await env.member();
    for (let n = 0; n < 30; n++) await say(member, `n${n}`);
    clock.push(2 * MINUTE_MS);
    for (let n = 30; n < 35; n++) await say(member, `n${n}`);
    const pages = [];
    for (const skip of [0, 10, 20, 30]) pages.push(...texts(await history(member, 10, skip)));
    expect(pages).toEqual(Array.from({ length: 35 }, (_, n) => `n${34 - n}`));
  });
});

describe('sessions', () => {
  test('open with a message, and end an hour after an agent’s last one', async () => {
    const member = await env.member();
    const first = (await say(member, 'one')).body.session_id;
    expect((await say(member, 'two')).body.session_id).toBe(first);
    await pass(env, clock, 61 * MINUTE_MS);
    // Only an agent's word starts the hour.
    expect((await say(member, 'three')).body.session_id).toBe(first);
    await reply(member, 'answered');
    expect(await unread(member)).toMatchObject({ unread: 1, isOpen: true });
    expect((await read(member)).body).toEqual({ message: 'OK' });
    expect((await unread(member)).unread).toBe(0);
    await pass(env, clock, 61 * MINUTE_MS);
    await env.app.runJob('chat.sweep');
    expect((await unread(member)).isOpen).toBe(false);
    const next = (await say(member, 'four')).body.session_id;
    expect(next).not.toBe(first);
    expect(new Set((await history(member)).map((item: { session_id: string }) => item.session_id)).size).toBe(
      2,
    );
  });

  test('outside opening hours an automatic message is sent once per session', async () => {
    const visitor = guest();
    const at = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Bangkok',
      hour: '2-digit',
      minute: '2-digit',
    });
    const later = (minutes: number) => at.format(new Date(clock.now().getTime() + minutes * MINUTE_MS));
    await env.set('chat.hours', [{ from: later(120), to: later(180) }]);
    expect((await env.call('GET', '/api/chat/config')).body.isOnline).toBe(false);
    await say(visitor, 'is anybody there');
    // A question with only an automatic reply still waits for an agent.
    await pass(env, clock, 61 * MINUTE_MS);
    await env.app.runJob('chat.sweep');
    expect((await unread(visitor)).isOpen).toBe(true);
    await say(visitor, 'hello');
    const items = await history(visitor);
    expect(items.map((item: { sender: string }) => item.sender)).toEqual(['customer', 'agent', 'customer']);
    await env.set('chat.hours', []);
    expect((await env.call('GET', '/api/chat/config')).body.isOnline).toBe(true);
  });

  test('continue for a message that arrives while idle ones are ended', async () => {
    const member = await env.member();
    await say(member, 'one');
    await reply(member, 'answered');
    await pass(env, clock, 61 * MINUTE_MS);
    const tx = await env.owner.connect();
    await tx.query('begin');
    await tx.query(
      "select chat_say(id, 'customer', null, $2, 'still here', 'late', $3, interval '60 minutes') from chat_conversation where member_id = $1",
      [member.id, { message_type: 'text', payload: { message: 'still here' } }, clock.now()],
    );
    // It takes no locks and skips rows that it cannot see.
    await env.app.runJob('chat.sweep');
    await tx.query('commit');
    tx.release();
    await env.app.runJob('chat.sweep');
    expect((await unread(member)).isOpen).toBe(true);
  });
});

describe('files', () => {
  test('a picture is drawn again and opens by its link, once a message names it for good', async () => {
    const member = await env.member();
    const { status, body } = await upload('photo.PNG', await png());
    expect(status).toBe(200);
    const payload = { message: 'photo.PNG', url: true, fileType: 'image', filePath: body.path };
    expect((await send(member, { message_type: 'media', payload })).status).toBe(200);
    expect((await send(await env.member(), { message_type: 'media', payload })).status).toBe(400);
    const [item] = await history(member);
    const picture = await fetch(env.url + item.message.payload.filePath);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
    const unused = (await upload('other.jpg', await png())).body.path;
    await pass(env, clock, 61 * MINUTE_MS);
    await env.app.runJob('chat.sweep');
    expect((await fetch(env.url + unused)).status).toBe(404);
    const stored = (await history(member)).at(-1);
    expect((await fetch(env.url + stored.message.payload.filePath)).status).toBe(200);
  });

  test('detects a film by its content, and serves it in ranges', async () => {
    const long = madeFilm(1_300_000);
    // No two ranges are alike.
    for (let at = 1_000; at < long.length; at += 997) long[at] = at % 251;
    const { path } = (await upload('long.mp4', long, 'video')).body;
    const of = async (range?: string) => {
      const reply = await fetch(env.url + path, range ? { headers: { range } } : {});
      return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
    };
    expect((await of()).bytes.equals(long)).toBe(true);
    const across = await of('bytes=524200-');
    expect(across.reply.headers.get('content-range')).toBe(`bytes 524200-524287/${long.length}`);
    expect(across.bytes.equals(long.subarray(524_200, 524_288))).toBe(true);
    expect((await of('bytes=-10')).bytes.equals(long.subarray(-10))).toBe(true);
    expect((await of('bytes=9999999-')).reply.status).toBe(416);
    const { body } = await upload('film.mp4', madeFilm(4_000), 'video');
    const film = await fetch(env.url + body.path, { headers: { range: 'bytes=0-99' } });
    expect([film.status, film.headers.get('content-type'), (await film.arrayBuffer()).byteLength]).toEqual([
      206,
      'video/mp4',
      100,
    ]);
  });

  test('a conversation keeps so much, a guest’s for so long; an address sends so much', async () => {
    const [visitor, joining] = [guest(), guest()];
    const film = madeFilm(400 * 1024);
    const name = async (who: Parameters<typeof say>[0], path: string) => {
      const payload = { message: 'film.mp4', url: true, fileType: 'video', filePath: path };
      return (await send(who, { message_type: 'media', payload })).body.message ?? 'taken';
    };
    const films = (count: number) =>
      Promise.all(
        Array.from({ length: count }, async () => (await upload('film.mp4', film, 'video')).body.path),
      );
    await env.set('chat.dayMegabytes', 1);
    // Named concurrently, no more of them are stored than the limit.
    const intents = await films(6);
    const named = await Promise.all(intents.map((path) => name(visitor, path)));
    expect(named.toSorted()).toEqual([
      'CHAT_FILES_FULL',
      'CHAT_FILES_FULL',
      'CHAT_FILES_FULL',
      'CHAT_FILES_FULL',
      'taken',
      'taken',
    ]);
    expect(await history(visitor)).toHaveLength(2);
    expect((await say(visitor, 'words always fit')).status).toBe(200);
    clock.push(24 * 60 * MINUTE_MS);
    await env.set('chat.guestMegabytes', 1);
    const member = await env.member();
    const [late, forMember, forJoining] = await films(3);
    expect(await name(visitor, late)).toBe('CHAT_FILES_FULL');
    expect(await name(member, forMember)).toBe('taken');
    expect(await name(joining, forJoining)).toBe('taken');
    await call(member, 'POST', 'history', { limit: 1, skip: 0, guestId: joining.guestId });
    await pass(env, clock, 91 * 24 * 60 * MINUTE_MS);
    await env.app.runJob('chat.sweep');
    const paths = (await history(visitor)).flatMap(
      (item: { message: { payload: { filePath?: string } } }) => item.message.payload.filePath ?? [],
    );
    expect(paths).toHaveLength(2);
    for (const path of paths) expect((await fetch(env.url + path)).status).toBe(404);
    // What a member sent stays, also what they sent as a guest.
    const { rows } = await env.owner.query(
      'select c.member_id from chat_file f join chat_message m on m.id = f.message_id join chat_conversation c on c.id = m.conversation_id where f.bytes = $1',
      [film.length],
    );
    expect(rows.map(({ member_id }) => member_id)).toEqual([member.id, member.id]);

    await env.set('chat.addressMegabytes', 1);
    const sent = await Promise.all(Array.from({ length: 4 }, () => upload('film.mp4', film, 'video')));
    expect(sent.map(({ body }) => body.message ?? 'taken').toSorted()).toEqual([
      'CHAT_FILES_FULL',
      'CHAT_FILES_FULL',
      'taken',
      'taken',
    ]);
    expect((await upload('small.png', await png())).status).toBe(200);
    await env.set('chat.addressMegabytes', 500);
  });

  test('anything else is refused with its text, by name and by content', async () => {
    const uploadResult = async (name: string, bytes: Uint8Array, kind?: 'video') => {
      const { status, body } = await upload(name, bytes, kind);
      return [status, body.message, body.data?.limit];
    };
    const unsupported = [400, 'CHAT_FILE_UNSUPPORTED', undefined];
    expect(await uploadResult('paper.pdf', await png())).toEqual(unsupported);
    expect(await uploadResult('noextension', await png())).toEqual(unsupported);
    expect(await uploadResult('art.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual(
      unsupported,
    );
    expect(await uploadResult('film.mp4', await png(), 'video')).toEqual(unsupported);
    expect(await uploadResult('film.mp4', madeFilm(100))).toEqual(unsupported);
    expect(await uploadResult('photo.png', randomBytes(11 * 1024 * 1024))).toEqual([
      400,
      'CHAT_FILE_TOO_LARGE',
      10,
    ]);
    expect(await uploadResult('film.mov', randomBytes(21 * 1024 * 1024), 'video')).toEqual([
      400,
      'CHAT_FILE_TOO_LARGE',
      20,
    ]);
    const huge = sharp({ create: { width: 6_500, height: 6_500, channels: 3, background: '#fff' } }).png();
    expect(await uploadResult('huge.png', await huge.toBuffer())).toEqual(unsupported);
    const form = new FormData();
    const reply = await fetch(`${env.url}/api/chat/upload-image`, { method: 'POST', body: form });
    expect(reply.status).toBe(400);
  });
});

/** Another instance of the server on the same database. */
async function startSecond(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { options } = env.pool;
  const config = { ...options, password: options.password };
  const pool = createPool(config, { max: 10, applicationName: 'second', statementTimeoutMs: 5_000 });
  const { config: settings } = env.app.deps;
  const second = await createApp({
    config: settings,
    clock,
    pool,
    backgroundPool: pool,
    roles: WITHOUT_JOBS,
  });
  const { port } = await second.http.listen({ port: 0, host: '127.0.0.1' }).then((url) => new URL(url));
  const stop = async () => {
    await second.close();
    await pool.end();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

describe('live', () => {
  test('500 sockets at two instances each receive every message of their conversation once, and none of another', async () => {
    const second = await startSecond();
    const urls = [env.url, second.url];
    const members = await Promise.all(Array.from({ length: 20 }, () => env.member()));
    const conversations = [...members, ...Array.from({ length: 200 }, () => guest())].map((who, at) => {
      const isMember = 'token' in who;
      const room = `${PREFIX}-${isMember ? who.id : who.guestId}`;
      const screens = Array.from({ length: isMember ? 5 : 2 }, (_, n) =>
        listen([room], isMember ? who.token : undefined, urls[(at + n) % 2]),
      );
      return { who, at, screens };
    });
    const open = await Promise.all(
      conversations.map(async ({ screens, ...conversation }) => ({
        ...conversation,
        screens: await Promise.all(screens),
      })),
    );
    expect(open.flatMap(({ screens }) => screens)).toHaveLength(500);
    for (const text of ['one', 'two']) {
      const sent = await Promise.all(open.map(({ who, at }) => say(who, `${text} of ${at}`)));
      expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
      // All callers here have one address, with its limit a minute.
      clock.push(2 * MINUTE_MS);
    }
    const receivedBy = (screen: { received: unknown[] }) => texts(screen.received as never);
    await expect
      .poll(() => open.flatMap(({ screens }) => screens).filter(({ received }) => received.length < 2).length)
      .toBe(0);
    for (const { at, screens } of open)
      for (const screen of screens) expect(receivedBy(screen)).toEqual([`one of ${at}`, `two of ${at}`]);
    closeSockets();
    await second.stop();
  });

  test('a word reaches the room it belongs to, and no other, on every instance', async () => {
    const [member, visitor, other] = [await env.member(), guest(), await env.member()];
    const { url, stop } = await startSecond();
    const own = await listen([`${PREFIX}-${member.id}`], member.token, url);
    const guests = await listen([`${PREFIX}-${visitor.guestId}`]);
    const nosy = await listen([`${PREFIX}-${member.id}`, `member-${member.id}`, `${PREFIX}-short`]);
    const rival = await listen([`${PREFIX}-${member.id}`, `${PREFIX}-${visitor.guestId}`], other.token);
    for (const text of ['one', 'two', 'three']) {
      await say(member, text);
      await say(visitor, text);
    }
    await expect.poll(() => texts(own.received as never)).toEqual(['one', 'two', 'three']);
    await expect.poll(() => texts(guests.received as never)).toEqual(['one', 'two', 'three']);
    expect([nosy.received, rival.received]).toEqual([[], []]);
    // Users of the other instance are visible from here too.
    const { sockets } = env.app.deps;
    expect(await sockets.isThere(`member-${member.id}`)).toBe(true);
    expect(await sockets.isThere('member-1')).toBe(false);
    own.socket.disconnect();
    await stop();
  });
});
