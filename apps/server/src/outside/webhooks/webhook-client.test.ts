import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { isPublicAddress, webhookClient } from './webhook-client.ts';

const requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(request.url ?? '');
  if (request.url === '/redirect') response.writeHead(302, { location: '/inside' }).end();
  else if (request.url === '/endless') {
    response.writeHead(200);
    const pour = () => {
      while (response.writable && response.write('x'.repeat(65_536)));
    };
    response.on('drain', pour);
    pour();
  } else if (request.url === '/silent') response.writeHead(200).write('part');
  else response.end('thanks\u0000');
});
await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const none = () => false;
const local = (address: string) => address === '127.0.0.1';
const client = (change: Partial<Parameters<typeof webhookClient>[0]> = {}) =>
  webhookClient({ isAllowed: none, allowsHttp: true, timeoutMs: 500, ...change });

/** A name server that knows every name as 127.0.0.1 until it falls silent; `asked` resolves at a query after that. */
async function nameServer() {
  const socket = createSocket('udp4');
  let isSilent = false;
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  socket.on('message', (query, { address, port: from }) => {
    if (isSilent) return resolve();
    // The question ends after the name's last label with type and class.
    const end = query.indexOf(0, 12) + 5;
    const isIpv4 = query.readUInt16BE(end - 4) === 1;
    const header = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
    const question = query.subarray(12, end);
    socket.send(Buffer.concat([header, question, ...(isIpv4 ? [record] : [])]), from, address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  onTestFinished(() => void socket.close());
  const fallSilent = () => {
    isSilent = true;
  };
  return { nameServers: [`127.0.0.1:${socket.address().port}`], asked, fallSilent };
}

describe('addresses', () => {
  test.each([
    ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ['224.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1', '240.0.0.1'],
    ['::1', '::', 'fe80::1', 'fd00:ec2::254', 'ff02::1', '::ffff:127.0.0.1', '::ffff:a00:1', '::7f00:1'],
    ['64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', '2001:db8::1', 'localhost', ''],
  ])('%s and the like are not public', (...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  test('ordinary ones are', () => {
    expect(['8.8.8.8', '203.150.1.1', '2606:4700::1111'].filter(isPublicAddress)).toHaveLength(3);
  });

  test('an endpoint needs HTTPS, no password, no fragment and no internal address, however it is written', () => {
    const { accepts } = client({ allowsHttp: false });
    expect(accepts('https://hooks.example/krapao?key=1')).toBe(true);
    const refused = [
      'http://hooks.example',
      'https://u:p@hooks.example',
      'https://hooks.example/#x',
      'ftp://x',
      'no',
    ];
    const internal = ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:10.0.0.1]', '169.254.169.254'];
    for (const url of [...refused, ...internal.map((host) => `https://${host}/`)])
      expect([url, accepts(url)]).toEqual([url, false]);
    expect(client({ isAllowed: local, allowsHttp: false }).accepts('https://127.0.0.1:8443/')).toBe(true);
  });
});

describe('connections', () => {
  const refusedInside = { status: null, failure: 'INTERNAL_ADDRESS', response: '' };

  test('an internal address is refused when it is named, resolved or one of several', async () => {
    expect(await client().send(`http://127.0.0.1:${port}/`, {}, '')).toMatchObject(refusedInside);
    const { nameServers } = await nameServer();
    expect(await client({ nameServers }).send(`http://inside.example:${port}/`, {}, '')).toMatchObject(
      refusedInside,
    );
    const resolve = (_name: string, _options: unknown, done: (error: null, all: never[]) => void) =>
      done(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ] as never[]);
    expect(await client({ resolve }).send(`http://two.example:${port}/`, {}, '')).toMatchObject(
      refusedInside,
    );
    expect(requests).toEqual([]);
  });

  test('the connection goes to the address that was checked: a name is resolved once', async () => {
    const found = ['127.0.0.1', '10.0.0.1'];
    const resolve = (_name: string, _options: unknown, done: (error: null, all: never[]) => void) =>
      done(null, [{ address: found.shift(), family: 4 }] as never[]);
    const rebinding = client({ isAllowed: local, resolve });
    expect(await rebinding.send(`http://re.example:${port}/`, {}, '{}')).toMatchObject({ status: 200 });
    expect(found).toEqual(['10.0.0.1']);
    expect(await rebinding.send(`http://re.example:${port}/`, {}, '{}')).toMatchObject(refusedInside);
  });

  test('names are queried at the name servers; while these are silent no thread of the lookups of others waits', async () => {
    const names = await nameServer();
    const { nameServers } = names;
    const allowed = client({ isAllowed: local, nameServers });
    expect(await allowed.send(`http://hook.example:${port}/`, {}, '{}')).toMatchObject({ status: 200 });
    expect(await client({ nameServers }).send(`http://hook.example:${port}/`, {}, '{}')).toMatchObject(
      refusedInside,
    );
    names.fallSilent();
    const attempts = Array.from({ length: 8 }, () => allowed.send(`http://hook.example:${port}/`, {}, '{}'));
    await names.asked;
    expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap');
    for (const attempt of await Promise.all(attempts)) expect(attempt).toMatchObject({ status: null });
  });

  test('a redirect is a response, not a way; a response is read to its first bytes; silence ends', async () => {
    const allowed = client({ isAllowed: local });
    const at = (path: string) => allowed.send(`http://127.0.0.1:${port}${path}`, {}, '{}');
    expect(await at('/')).toMatchObject({ status: 200, failure: null, response: 'thanks\ufffd' });
    expect(await at('/redirect')).toMatchObject({ status: 302 });
    expect(requests).not.toContain('/inside');
    const endless = await at('/endless');
    expect(endless).toMatchObject({ status: 200 });
    expect(endless.response).toHaveLength(512);
    expect(await at('/silent')).toMatchObject({ status: null, failure: 'TIMEOUT' });
    expect(await allowed.send('http://127.0.0.1:1/', {}, '')).toMatchObject({ failure: 'ECONNREFUSED' });
  });
});
