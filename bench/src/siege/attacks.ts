/**
 * Every attack of the threat model at once, from many addresses, as a process of its own. Reads its targets as JSON from
 * the first argument, attacks until standard input ends, and then prints how often each attack was made and what it met.
 */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import sharp from 'sharp';
import { io } from 'socket.io-client';
import { pause } from '../server.ts';
import { attackerAddress, holdConnection, shoot } from './attacker.ts';

interface Targets {
  port: number;
  consolePort: number;
  /** Sessions of members who attack: one with a long statement. */
  exporterToken: string;
  memberToken: string;
  operator: { name: string; password: string };
}

const targets = JSON.parse(process.argv[2]!) as Targets;
const { port, consolePort } = targets;
/** A proxy knows its site by it. */
const host = `127.0.0.1:${port}`;
const tally = new Map<string, number>();
const note = (attack: string, met: string | number) => {
  const key = `${attack}: ${met}`;
  tally.set(key, (tally.get(key) ?? 0) + 1);
};
let turn = 0;
const address = (addresses: number): string => attackerAddress(++turn % addresses);
const json = { 'content-type': 'application/json', 'x-requested-with': 'wallet-user' };

/** Repeats an action, `inFlight` at once, with a pause in between. */
function repeat(inFlight: number, pauseMs: number, perform: () => Promise<void>): void {
  for (let worker = 0; worker < inFlight; worker++)
    void (async () => {
      await pause((worker * pauseMs) / inFlight);
      for (;;) {
        await perform();
        await pause(pauseMs);
      }
    })();
}

/** Exports of a long statement over connections that are never read. */
function unreadExports(): void {
  const text =
    `POST /api/statement/csv HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${targets.exporterToken}\r\n` +
    'Content-Type: application/json\r\nX-Requested-With: wallet-user\r\nContent-Length: 2\r\n\r\n{}';
  repeat(6, 5_000, async () => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      localAddress: address(6),
      readableHighWaterMark: 1024,
    } as never);
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(text);
    note('unread export', 'opened');
    await pause(20_000);
    socket.destroy();
  });
}

/** Uploads of guests that stop just before their end. */
function stalledUploads(): void {
  const head = Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n',
  );
  const most = 19 * 1024 * 1024;
  const start = Buffer.from(
    `POST /api/chat/upload-video HTTP/1.1\r\nHost: ${host}\r\nX-Requested-With: wallet-user\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${most + 1000}\r\n\r\n`,
  );
  const chunk = randomBytes(1024 * 1024);
  repeat(120, 1_000, async () => {
    await new Promise<void>((resume) => {
      const socket = holdConnection(port, address(12), Buffer.concat([start, head]), resume);
      for (let sent = 0; sent < 19; sent++) socket.write(chunk);
      setTimeout(() => socket.destroy(), 30_000).unref();
    });
    note('stalled upload', 'ended');
  });
}

/** Pictures of 40 megapixels from guests. */
async function guestPictures(): Promise<void> {
  const picture = await sharp({ create: { width: 6_300, height: 6_300, channels: 3, background: '#3a7' } })
    .jpeg({ quality: 40 })
    .toBuffer();
  const body = Buffer.concat([
    Buffer.from(
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n',
    ),
    picture,
    Buffer.from('\r\n--x--\r\n'),
  ]);
  const headers = { 'x-requested-with': 'wallet-user', 'content-type': 'multipart/form-data; boundary=x' };
  repeat(40, 500, async () => {
    const path = '/api/chat/upload-image';
    note(
      'guest picture',
      (await shoot({ port, method: 'POST', path, from: address(40), headers, body })).status,
    );
  });
}

/** Wrong second factors after the right password, and sign-ins of operators who do not exist. */
function secondFactors(): void {
  const headers = {
    ...json,
    'x-requested-with': 'console-operator',
    host: `127.0.0.1:${consolePort}`,
    origin: `http://127.0.0.1:${consolePort}`,
  };
  repeat(12, 200, async () => {
    const body = JSON.stringify({ ...targets.operator, code: String(Math.random()).slice(2, 8) });
    const path = '/api/operator/login';
    note(
      'second factor',
      (await shoot({ port: consolePort, method: 'POST', path, from: address(400), headers, body })).status,
    );
  });
}

/** Credential stuffing from many addresses, and one-time codes for many phones. */
function logins(): void {
  repeat(100, 100, async () => {
    const username = `09${String(Math.random()).slice(2, 10)}`;
    const body = JSON.stringify({ username, password: 'password1' });
    note(
      'login',
      (await shoot({ port, method: 'POST', path: '/api/login', from: address(300), headers: json, body }))
        .status,
    );
  });
  repeat(4, 250, async () => {
    const body = JSON.stringify({ phoneNumber: `09${String(Math.random()).slice(2, 10)}` });
    note(
      'otp',
      (await shoot({ port, method: 'POST', path: '/api/otp/send', from: address(100), headers: json, body }))
        .status,
    );
  });
}

/** Holds connections: unknown upgrades, incomplete headers, silent websockets. */
function heldConnections(): void {
  const upgrade = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`;
  const kinds: [string, number, number, string][] = [
    ['upgrade at the console', 150, consolePort, upgrade('/')],
    ['upgrade at the app', 150, port, upgrade('/api/x')],
    ['silent websocket', 600, port, upgrade('/socket.io/?EIO=4&transport=websocket')],
    ['half a header', 150, port, `GET / HTTP/1.1\r\nHost: ${host}\r\nX-`],
    [
      'half a body',
      50,
      port,
      `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"us`,
    ],
  ];
  for (const [kind, count, to, text] of kinds)
    repeat(count, 1_000, async () => {
      await new Promise<void>((resume) => holdConnection(to, address(60), text, resume));
      note(kind, 'ended by the server');
    });
}

/** Socket events that fit no schema, from guests. */
function hostileEvents(): void {
  repeat(4, 500, async () => {
    const socket = io(`http://127.0.0.1:${port}`, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      localAddress: address(50),
    } as never);
    await new Promise<void>((resume) => {
      socket.once('connect', resume);
      socket.once('connect_error', () => resume());
    });
    for (const argument of [{ toString: 1 }, null, [], 'x'.repeat(10_000), { a: { b: {} } }])
      socket.emit('join', argument);
    socket.emit('no such event', 1);
    note('hostile event', socket.connected ? 'connected' : 'refused');
    await pause(200);
    socket.disconnect();
  });
}

/** New conversations of guests, amounts that are none, and reads as fast as they go. */
function floods(): void {
  repeat(4, 100, async () => {
    const message = { message_type: 'text', payload: { message: 'hello' } };
    const body = JSON.stringify({ guestId: randomBytes(20).toString('hex'), message });
    const path = '/api/chat/send-message';
    note(
      'guest conversation',
      (await shoot({ port, method: 'POST', path, from: address(20), headers: json, body })).status,
    );
  });
  const headers = { ...json, authorization: `Bearer ${targets.memberToken}` };
  const amounts = ['-1', '1e308', '"5"', 'null', '[1]', '0.001', '{"__proto__":1}'];
  repeat(4, 50, async () => {
    const body = `{"amount":${amounts[++turn % amounts.length]}}`;
    const path = '/api/wallet/withdraw';
    note(
      'hostile amount',
      (await shoot({ port, method: 'POST', path, from: address(10), headers, body })).status,
    );
  });
  repeat(8, 20, async () => {
    note(
      'page',
      (await shoot({ port, method: 'GET', path: '/api/lookup/banks', from: address(200) })).status,
    );
  });
}

unreadExports();
stalledUploads();
await guestPictures();
secondFactors();
logins();
heldConnections();
hostileEvents();
floods();
process.stdin.resume().on('end', () => {
  for (const [what, times] of [...tally].sort()) console.log(`  ${String(times).padStart(7)}  ${what}`);
  process.exit(0);
});
