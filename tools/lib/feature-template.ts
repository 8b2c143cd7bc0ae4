/** Whether a feature may be called so: kebab-case, beginning with a letter. */
export function isFeatureName(name: string): boolean {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);
}

function pascal(name: string): string {
  return name.replace(/(^|-)([a-z0-9])/g, (_, _dash, letter: string) => letter.toUpperCase());
}

function serverRead(feature: string): string {
  return `import type { ClientBase, Pool } from 'pg';

/**
 * What other features may ask of this one.
 * @returns when the member joined; undefined when there is no such member
 */
export async function read${feature}Start(tx: ClientBase | Pool, memberId: bigint): Promise<Date | undefined> {
  const { rows } = await tx.query<{ created_at: Date }>('select created_at from member where id = $1', [memberId]);
  return rows[0]?.created_at;
}
`;
}

function serverTest(feature: string): string {
  return `import { expect, test } from 'vitest';
import { testDatabase } from '../../platform/database/testing.ts';
import { read${feature}Start } from './read.ts';

const { app } = await testDatabase();

test('a stranger has no start', async () => {
  expect(await read${feature}Start(app, 0n)).toBeUndefined();
});
`;
}

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
  expect(renderToStaticMarkup(<${feature}Page title="ชื่อ" />)).toBe('<main><h1>ชื่อ</h1></main>');
});
`;
}

/** The files of a new feature: path from the root → text. They pass every gate as they are. */
export function featureFiles(name: string): Record<string, string> {
  const feature = pascal(name);
  return {
    [`apps/server/src/features/${name}/read.ts`]: serverRead(feature),
    [`apps/server/src/features/${name}/read.test.ts`]: serverTest(feature),
    [`apps/web/src/features/${name}/${name}-page.tsx`]: webPage(feature),
    [`apps/web/src/features/${name}/${name}-page.test.tsx`]: webTest(feature, name),
  };
}
