import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const open: Socket[] = [];
afterAll(() => {
  for (const socket of open) socket.disconnect();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A connected socket of a member, or the code it was refused with; `begin` may listen to it before. */
function connect(
  token: string,
  begin: (socket: Socket) => void = () => {},
  url = env.url,
): Promise<Socket | string> {
  const socket = io(url, { transports: ['websocket'], auth: { token }, reconnection: false });
  open.push(socket);
  begin(socket);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('connect_error', (error) =>
      resolve((error as unknown as { data: { code: string } }).data.code),
    );
  });
}

const nextEvent = (socket: Socket, event: string) => new Promise((resolve) => socket.once(event, resolve));

test('a socket without a good token is refused with its code', async () => {
  expect(await connect('nonsense')).toBe('invalid-token');
});

test('notifies a suspended member on the socket and disconnects it', async () => {
  const member = await env.member();
  const socket = (await connect(member.token)) as Socket;
  const ended = nextEvent(socket, 'ended');
  const gone = nextEvent(socket, 'disconnect');
  await env.owner.query("update member set status = 'SUSPENDED' where id = $1", [member.id]);
  expect(await ended).toEqual({ message: 'INACTIVE_USER' });
  expect(await gone).toBe('io server disconnect');
});

test('a logout ends the sockets of that session and of no other member', async () => {
  const [member, other] = [await env.member(), await env.member()];
  const socket = (await connect(member.token)) as Socket;
  const bystander = (await connect(other.token)) as Socket;
  const ended = nextEvent(socket, 'ended');
  await env.call('POST', '/api/logout', undefined, { token: member.token });
  expect(await ended).toEqual({ message: 'INVALID_USER_2' });
  expect(bystander.connected).toBe(true);
});

test('closes the sockets of a member whose ended session cannot be read', async () => {
  const member = await env.member();
  const socket = (await connect(member.token)) as Socket;
  const gone = nextEvent(socket, 'disconnect');
  vi.spyOn(env.app.deps.sessions, 'refusal').mockRejectedValueOnce(new Error('no connection'));
  await env.call('POST', '/api/logout', undefined, { token: member.token });
  expect(await gone).toBe('transport close');
  expect(await connect(member.token)).toBe('INVALID_USER_2');
});

test.each([
  ['past its time', 'expires_at = now()'],
  ['unused for the idle days', "last_seen_at = now() - interval '30 days'"],
])('a session that is %s ends on its socket as on its calls, within a minute', async (_what, change) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const short = await startTestEnv({ jobs: false });
  const [member, other] = [await short.member(), await short.member()];
  const [socket, bystander] = [
    (await connect(member.token, undefined, short.url)) as Socket,
    (await connect(other.token, undefined, short.url)) as Socket,
  ];
  const ended = nextEvent(socket, 'ended');
  await short.owner.query(`update session set ${change} where member_id = $1`, [member.id]);
  vi.advanceTimersByTime(60_000);
  expect(await ended).toEqual({ message: 'invalid-token' });
  expect(bystander.connected).toBe(true);
});

test('a socket whose session ends between its check and its entry is refused', async () => {
  const { sessions } = env.app.deps;
  const member = await env.member();
  const there = (await connect(member.token)) as Socket;
  const check = sessions.member;
  vi.spyOn(sessions, 'member').mockImplementationOnce(async (refuse, token) => {
    const found = await check(refuse, token);
    const ended = nextEvent(there, 'ended');
    await env.call('POST', '/api/logout', undefined, { token });
    await ended;
    return found;
  });
  expect(await connect(member.token)).toBe('INVALID_USER_2');
});

test('a withdrawal on one screen moves the balance on the other', async () => {
  const member = await env.member({ amountMinor: 100_000n });
  const socket = (await connect(member.token)) as Socket;
  // The money the member starts with may still be on its way to the screen, so it is not the first that counts.
  const amounts: number[] = [];
  socket.on('wallet', (wallet: { amount: number }) => amounts.push(wallet.amount));
  await env.call('POST', '/api/wallet/withdraw', { amount: 400 }, { token: member.token });
  await expect.poll(() => amounts.at(-1)).toBe(600);
});

test('a socket opened within a minute of a change of the site is notified of it, later ones are not', async () => {
  const member = await env.member();
  const there = (await connect(member.token)) as Socket;
  const changed = new Promise<void>((resolve) => {
    there.on('site', ({ mark }) => mark && resolve());
  });
  // In the form of the database's notice of a setting, marked, since the start of the test environment notifies too.
  const sent = [{ memberId: '*', event: 'site', payload: { part: 'settings', mark: true } }];
  await env.pool.query("select pg_notify('member_event', $1)", [JSON.stringify(sent)]);
  await changed;
  /** What a new connection receives of the site before the withdrawal that is made after it. */
  const newsOnConnection = async () => {
    const rich = await env.member({ amountMinor: 100_000n });
    const news: object[] = [];
    const amounts: number[] = [];
    await connect(rich.token, (line) => {
      line.on('site', (one) => news.push(one));
      line.on('wallet', ({ amount }) => amounts.push(amount));
    });
    await env.call('POST', '/api/wallet/withdraw', { amount: 300 }, { token: rich.token });
    await expect.poll(() => amounts.at(-1)).toBe(700);
    return news;
  };
  expect(await newsOnConnection()).toContainEqual(sent[0]!.payload);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect(await newsOnConnection()).toEqual([]);
});

test('closes the sockets of a conversation whose message could not be read, so that they read it again', async () => {
  const [member, other] = [await env.member(), await env.member()];
  const screens = [(await connect(member.token)) as Socket, (await connect(member.token)) as Socket];
  const bystander = (await connect(other.token)) as Socket;
  const closed = Promise.all(screens.map((screen) => nextEvent(screen, 'disconnect')));
  const query = env.pool.query.bind(env.pool) as (...parts: unknown[]) => Promise<unknown>;
  let failures = 0;
  vi.spyOn(env.pool, 'query').mockImplementation(((...parts: unknown[]) => {
    if (failures > 0 || !String(parts[0]).includes('chat_room(c) = $2')) return query(...parts);
    failures++;
    return Promise.reject(new Error('no connection'));
  }) as never);
  const say = (token: string, text: string) => {
    const message = { message_type: 'text', payload: { message: text } };
    return env.call('POST', '/api/chat/send-message', { message }, { token });
  };
  await say(member.token, 'lost on the way');
  // A client reconnects by itself after this reason, and not after 'io server disconnect'.
  expect(await closed).toEqual(['transport close', 'transport close']);
  expect(failures).toBe(1);
  const received = nextEvent(bystander, 'messaging');
  await say(other.token, 'arrives');
  expect(await received).toMatchObject({ message: { payload: { message: 'arrives' } } });
  // The room works again for those who reconnect.
  const again = (await connect(member.token)) as Socket;
  const next = nextEvent(again, 'messaging');
  await say(member.token, 'arrives too');
  expect(await next).toMatchObject({ message: { payload: { message: 'arrives too' } } });
});
