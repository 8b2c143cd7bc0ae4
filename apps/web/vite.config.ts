import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups, entryWatcher } from './tools/chunks.ts';
import { fonts } from './tools/fonts-plugin.ts';
import { messages } from './tools/messages-plugin.ts';
import { storedSchemasDigest } from './tools/reply-schemas.ts';

const { VARIANT = 'th', API_BASE = '', SITE_HOST = '', IFRAME = '', PORT = '3000', OUT_DIR } = process.env;
const { GIFT_PASSPHRASE = 'krapao-gift-link' } = process.env;
const server = `http://127.0.0.1:${PORT}`;

/** What the environment decides at build time; the same names as the server's settings. */
const baked = { VARIANT, API_BASE, SITE_HOST, IFRAME, GIFT_PASSPHRASE };
const KEPT_SCHEMAS = storedSchemasDigest();

const out = OUT_DIR || 'dist';

/** Names a class of a CSS module by its file: without the line of its rule, which costs the first page 100 bytes. */
function scopedName(local: string, file: string): string {
  const path = relative(import.meta.dirname, file.replace(/\?.*$/, ''));
  return `${local}_${createHash('sha256').update(path).digest('hex').slice(0, 5)}`;
}

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: [react(), fonts(), messages(), entryWatcher],
  define: Object.fromEntries(
    Object.entries({ ...baked, KEPT_SCHEMAS }).map(([name, value]) => [
      `import.meta.env.${name}`,
      JSON.stringify(value),
    ]),
  ),
  // The router brings a stand-in for what React itself has had since version 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim.*/, replacement: 'react' }] },
  css: { modules: { generateScopedName: scopedName } },
  build: {
    target: 'es2022',
    outDir: `${out}/${isSsrBuild ? 'ssr' : mode === 'gallery' ? 'gallery' : 'client'}`,
    emptyOutDir: true,
    manifest: !isSsrBuild,
    modulePreload: {
      polyfill: false,
      // What every page has loaded by then need not be named beside each import.
      resolveDependencies: (_, files) => files.filter((file) => !/\/(react|rolldown-runtime)-/.test(file)),
    },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: isSsrBuild
      ? { input: 'src/entry-ssr.tsx' }
      : {
          input: mode === 'gallery' ? ['gallery.html'] : ['index.html'],
          output: {
            codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups },
          },
        },
  },
  ssr: { noExternal: true },
  server: {
    proxy: {
      '/api': server,
      '/media': server,
      '/socket.io': { target: server, ws: true },
    },
  },
}));
