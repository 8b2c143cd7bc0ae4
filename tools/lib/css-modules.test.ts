import { expect, test } from 'vitest';
import { classBreaches } from './css-modules.ts';

const SHEETS: Record<string, string> = {
  'apps/console/src/chat.module.css':
    '/* .old { } */\n.lines { color: red; }\n.bubble[data-side] { background: url(/a.b); }',
  'packages/ui/src/style/layout.module.css': '.row-wide:hover > .cell { }',
};
const find = (text: string) => classBreaches('apps/console/src/chat.tsx', text, (path) => SHEETS[path]!);
const CHAT = "import styles from './chat.module.css';\n";

test('a class of a CSS module without a rule is found, also one that only a comment or an address names', () => {
  const breach = (name: string) =>
    `apps/console/src/chat.tsx: apps/console/src/chat.module.css has no class ${name}; write its rule, or name the one that is meant.`;
  expect(find(`${CHAT}<div className={styles.rows}><p className={styles.bubble} /></div>`)).toEqual([
    breach('rows'),
  ]);
  expect(find(`${CHAT}<i className={cx(styles.old, styles.b, styles.lines)} />`)).toEqual([
    breach('old'),
    breach('b'),
  ]);
});

test('classes with rules are fine, by either notation and from the shared package', () => {
  const layout = "import layout from '@krapao/ui/style/layout.module.css';\n";
  const other = "import '@mantine/charts/layout.css';\n";
  expect(
    find(`${other}${layout}<div className={layout['row-wide']}><p className={layout.cell} /></div>`),
  ).toEqual([]);
});
