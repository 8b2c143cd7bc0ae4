/**
 * Builds the member app and the console with the settings of the environment and starts nothing: for the image and for
 * the systemd units, whose processes serve what was built.
 */
import { ensureWebBuilt } from './lib/web-build.ts';

await ensureWebBuilt();
