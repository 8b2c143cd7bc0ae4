/** `npm run new -- feature <name>`: a feature's folders on the server and in the member app, ready to fill. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { featureFiles, isFeatureName } from './lib/feature-template.ts';
import { ROOT } from './lib/files.ts';

function main([kind, name = '']: string[]): number {
  if (kind !== 'feature' || !isFeatureName(name)) {
    console.error('npm run new -- feature <name>, the name in kebab-case as it stands in docs/glossary.md.');
    return 1;
  }
  const files = Object.entries(featureFiles(name));
  const taken = files.find(([path]) => existsSync(join(ROOT, path)));
  if (taken) {
    console.error(`${taken[0]} is there already.`);
    return 1;
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
  console.log(
    'Next: declare its calls in packages/contract/src/member, and join it in app.ts and apps/web/src/app.',
  );
  return 0;
}

process.exitCode = main(process.argv.slice(2));
