/** `npm run fix`: writes generated files again, then formats and mends what Biome can. Ends with code 1 on what is left. */
import { generate } from './lib/generated.ts';
import { showNode } from './lib/programs.ts';

for (const path of await generate()) console.log(`${path} written.`);
process.exitCode = await showNode([
  'node_modules/@biomejs/biome/bin/biome',
  'check',
  '--write',
  '--error-on-warnings',
]);
