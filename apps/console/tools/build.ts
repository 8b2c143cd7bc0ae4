/** Builds the console into dist, or into OUT_DIR. */
import path from 'node:path';
import { build } from 'vite';

process.chdir(path.join(import.meta.dirname, '..'));
process.env.NODE_ENV = 'production';
await build({ logLevel: 'warn' });
