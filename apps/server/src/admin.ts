/** The command line of an installation: `npm run admin -- <command> …`. Runs whether or not the server runs. */
import { runCommand } from './admin/run.ts';

process.exitCode = await runCommand(process.argv.slice(2));
