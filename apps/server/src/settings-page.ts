import { ENVIRONMENT } from './platform/config.ts';
import { SETTING_DEFAULTS } from './platform/settings.ts';

/** Returns the text of docs/settings.md: every environment variable and every setting with its default. */
export function settingsPage(): string {
  const environment = Object.entries(ENVIRONMENT).map(
    ([name, { about, fallback }]) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : '–'} | ${about} |`,
  );
  const settings = Object.entries(SETTING_DEFAULTS).map(
    ([key, value]) => `| \`${key}\` | \`${JSON.stringify(value)}\` |`,
  );
  return [
    '# Settings',
    '',
    'Generated from the code by `npm run fix`.',
    '',
    '## Environment',
    '',
    'Read once at the start.',
    '',
    '| Name | Default | What it is for |',
    '|---|---|---|',
    ...environment,
    '',
    '## While it runs',
    '',
    'Changed in the console (*Settings*) or with `npm run admin -- setting set <key> <JSON>`; every server follows within two seconds.',
    '',
    '| Key | Default |',
    '|---|---|',
    ...settings,
    '',
  ].join('\n');
}
