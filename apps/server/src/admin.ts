/** The operators' command line: `npm run admin -- <command> …`. Works without the server and beside it. */
import { runCommand } from './admin/run.ts';

process.exitCode = await runCommand(process.argv.slice(2));
