const NAME_LENGTH_MAX = 30;

/** Whether a feature may be called so: kebab-case, beginning with a letter, at most 30 characters. */
export function isFeatureName(name: string): boolean {
  return name.length <= NAME_LENGTH_MAX && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);
}

function pascal(name: string): string {
  return name.replace(/(^|-)([a-z0-9])/g, (_, _dash, letter: string) => letter.toUpperCase());
}

const SERVER_READ = `import type { ClientBase, Pool } from 'pg';

const MEMBER_START = 'select created_at from member where id = $1';

/**
 * What other features may ask of this one.
 * @returns when the member joined; undefined when there is no such member
 */
export async function readStart(tx: ClientBase | Pool, memberId: bigint): Promise<Date | undefined> {
  const { rows } = await tx.query<{ created_at: Date }>(MEMBER_START, [memberId]);
  return rows[0]?.created_at;
}
`;

const SERVER_TEST = `import { expect, test } from 'vitest';
import { testDatabase } from '../../platform/database/testing.ts';
import { readStart } from './read.ts';

const { app } = await testDatabase();

test('a stranger has no start', async () => {
  expect(await readStart(app, 0n)).toBeUndefined();
});
`;

function webPage(feature: string): string {
  return `/** The page of this feature. \`title\` comes translated from whoever joins it. */
export default function ${feature}Page({ title }: { title: string }) {
  return (
    <main>
      <h1>{title}</h1>
    </main>
  );
}
`;
}

function webTest(feature: string, name: string): string {
  return `import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import ${feature}Page from './${name}-page.tsx';

test('the page shows its title', () => {
  const markup = renderToStaticMarkup(<${feature}Page title="ชื่อ" />);
  expect(markup).toBe('<main><h1>ชื่อ</h1></main>');
});
`;
}

/** The files of a new feature: path from the root → text. They pass every gate as they are. */
export function featureFiles(name: string): Record<string, string> {
  const feature = pascal(name);
  return {
    [`apps/server/src/features/${name}/read.ts`]: SERVER_READ,
    [`apps/server/src/features/${name}/read.test.ts`]: SERVER_TEST,
    [`apps/web/src/features/${name}/${name}-page.tsx`]: webPage(feature),
    [`apps/web/src/features/${name}/${name}-page.test.tsx`]: webTest(feature, name),
  };
}
