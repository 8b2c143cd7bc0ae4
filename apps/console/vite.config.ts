import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { messages } from './tools/messages-plugin.ts';

const { CONSOLE_PORT = '3001', OUT_DIR } = process.env;

/** Mantine Charts and what only it needs. */
const CHARTS =
  /node_modules\/(@mantine\/charts|recharts|victory-vendor|d3-|@reduxjs|react-redux|redux|reselect|immer|decimal\.js-light|es-toolkit|eventemitter3|internmap|tiny-invariant)/;

export default defineConfig({
  plugins: [react(), messages()],
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    outDir: OUT_DIR || 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Libraries change apart from our code. Those of the charts are fetched with the first chart.
    rollupOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'charts', test: CHARTS, priority: 3 },
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            { name: 'libraries', test: /node_modules/, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${CONSOLE_PORT}` } },
});
