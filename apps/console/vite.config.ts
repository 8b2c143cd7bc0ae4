import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { messages } from './tools/messages-plugin.ts';

const { CONSOLE_PORT = '3001', OUT_DIR } = process.env;

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
    // What changes with a library's release, apart from what changes with ours.
    rollupOptions: { output: { codeSplitting: { groups: [{ name: 'libraries', test: /node_modules/ }] } } },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${CONSOLE_PORT}` } },
});
