/** Names generated files that are out of date, and ends with code 1 when there are any. */
import { staleFiles } from './lib/generated.ts';

const stale = await staleFiles();
for (const { path } of stale) console.log(`${path} is out of date.`);
process.exitCode = stale.length > 0 ? 1 : 0;
