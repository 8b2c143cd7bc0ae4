import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { serveConsole } from './console-pages.ts';
import { inlineScripts, requireSameSettings, servePages } from './pages.ts';
import { createHttpServer } from './server.ts';

const folder = join(mkdtempSync(join(tmpdir(), 'krapao-pages-')), 'client');
const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};
write('index.html', '<html lang="th" data-theme="system">index');
write('prerendered/la/login.html', '<html lang="lo" data-theme="system">ເຂົ້າສູ່ລະບົບ');
write('prerendered/la/shell.html', '<html lang="lo" data-theme="system">shell');
write('assets/app-1a2b.js', 'export {}');
const config = readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent', IFRAME: 'https://parent.example' });
const app = await createHttpServer(config);
await servePages(app, folder, config);
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test('a public page comes in the language and theme the visitor has chosen', async () => {
  const reply = await get('/login', { cookie: 'language=LA; theme=dark' });
  expect(reply.body).toBe('<html lang="lo" data-theme="dark">ເຂົ້າສູ່ລະບົບ');
  expect(reply.headers['cache-control']).toBe('no-cache');
});

test('every other address gets the shell of that language, and an unwritten one the index', async () => {
  expect((await get('/user/home', { cookie: 'language=LA' })).body).toContain('shell');
  expect((await get('/user/home')).body).toContain('index');
});

test('pages are compressed for those who take it', async () => {
  const reply = await get('/login', { cookie: 'language=LA', 'accept-encoding': 'gzip, br' });
  expect(reply.headers).toMatchObject({ 'content-encoding': 'br', vary: 'cookie, accept-encoding' });
  expect(brotliDecompressSync(reply.rawPayload).toString()).toContain('ເຂົ້າສູ່ລະບົບ');
});

test('hashed files are cached forever; missing files and calls are not pages', async () => {
  expect((await get('/assets/app-1a2b.js')).headers['cache-control']).toContain('immutable');
  for (const url of ['/assets/gone.js', '/api/nothing', '/hooks/nothing', '/picture.png']) {
    expect((await get(url)).statusCode).toBe(404);
  }
});

test('only the named parent may frame a page, and no script but ours may run', async () => {
  const policy = String((await get('/login')).headers['content-security-policy']);
  expect(policy).toContain('frame-ancestors https://parent.example');
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe-eval');
});

test('of inline scripts only those of the built pages may run, each by the hash of its text', async () => {
  const built = join(mkdtempSync(join(tmpdir(), 'krapao-scripts-')), 'client');
  mkdirSync(join(built, 'prerendered/th'), { recursive: true });
  writeFileSync(
    join(built, 'index.html'),
    '<script src="/app.js"></script><script data-a="b">first()</script>',
  );
  writeFileSync(join(built, 'prerendered/th/login.html'), '<script>\n  second();\n</script>');
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const scripts = inlineScripts(built);
  expect(scripts.toSorted()).toEqual([hashOf('first()'), hashOf('\n  second();\n')].toSorted());
  const site = await createHttpServer(config, { scripts });
  await servePages(site, built, config);
  // The worker stores index.html as the shell; its policy comes with it.
  for (const url of ['/login', '/user/home', '/index.html']) {
    const policy = String((await site.inject({ url })).headers['content-security-policy']);
    expect(policy).toContain(`script-src 'self' ${scripts.join(' ')};`);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  }
  expect((await site.inject({ url: '/api/x' })).headers['content-security-policy']).not.toContain('sha256');
  await site.close();
});

test('the console has the pictures of the member app, and nothing else of it', async () => {
  write('art/kite.svg', '<svg/>');
  write('secret.html', 'member');
  const operators = mkdtempSync(join(tmpdir(), 'krapao-console-pages-'));
  writeFileSync(join(operators, 'index.html'), 'console');
  const site = await createHttpServer(config);
  await serveConsole(site, operators, folder);
  const look = async (url: string) => {
    const { statusCode, body } = await site.inject({ url });
    return `${statusCode} ${statusCode === 200 ? body : ''}`;
  };
  expect(await look('/art/kite.svg')).toBe('200 <svg/>');
  expect(await look('/bonuses')).toBe('200 console');
  for (const url of ['/art/gone.svg', '/secret.html', '/art/%2e%2e/secret.html', '/art/..%2fsecret.html'])
    expect(await look(url)).toMatch(/^40[34] /);
  await site.close();
});

test('an address that leads nowhere gets the app’s page for it, as not found', async () => {
  for (const url of ['/', '/user', '/user/statement/', '/terminated', '/login/'])
    expect((await get(url)).statusCode, url).toBe(200);
  const lost = await get('/nope');
  expect(lost.statusCode).toBe(404);
  expect(lost.headers['content-type']).toContain('text/html');
});

test('a HEAD request learns of a page what a GET does, without its text', async () => {
  for (const url of ['/', '/login', '/nope']) {
    const [head, whole] = [await app.inject({ url, method: 'HEAD' }), await get(url)];
    expect([head.statusCode, head.headers['content-type']]).toEqual([
      whole.statusCode,
      whole.headers['content-type'],
    ]);
    expect(head.body).toBe('');
  }
});

test('pages built with other settings than those that are set are refused', () => {
  expect(() => requireSameSettings(folder, config)).not.toThrow();
  writeFileSync(join(folder, '../built-with.json'), '{"VARIANT":"th","SITE_HOST":"play.example"}');
  expect(() => requireSameSettings(folder, { ...config, SITE_HOST: 'play.example' })).not.toThrow();
  expect(() => requireSameSettings(folder, config)).toThrow(
    'The member app was built with SITE_HOST=play.example, and SITE_HOST= is set: build it again with what is set.',
  );
});
