import type { Permission } from '@krapao/contract/operator';
import { useText } from '@krapao/ui/text/text.tsx';
import type { MessageId } from '@lingui/core';
import { SimpleGrid } from '@mantine/core';
import { KeyHint } from '../components/cells.tsx';
import { Dialog } from '../components/dialog.tsx';
import { labelOf } from '../platform/error-text.ts';
import type { Key } from '../platform/keys.ts';
import { type Me, may, useMe } from '../platform/me.ts';
import type { ConsolePage } from './pages.ts';

/** The action of every key; `g` precedes the letters of the pages. */
const LABELLED = {
  '/': 'keys.filter',
  j: 'keys.move',
  k: 'keys.move',
  x: 'keys.select',
  X: 'keys.selectAll',
  Enter: 'keys.open',
  c: 'keys.take',
  a: 'keys.approve',
  r: 'keys.reject',
  u: 'keys.undo',
  '[': 'keys.page',
  ']': 'keys.page',
  Escape: 'keys.back',
  h: 'keys.about',
  '?': 'keys.help',
} as const satisfies Record<Exclude<Key, 'g'>, MessageId>;

/** Keys that decide, and the permissions to decide anything. */
const DECIDING: readonly Key[] = ['x', 'X', 'c', 'a', 'r', 'u'];
const DECISIONS: readonly Permission[] = [
  'withdrawal.decide',
  'unmatched.settle',
  'slip.decide',
  'approval.money',
  'approval.access',
  'alert.close',
];

/** Keys by what they are called on a keyboard. */
const CAPS: Partial<Record<Key, readonly string[]>> = { X: ['Shift', 'X'], Escape: ['Esc'] };

/** Keys that do the same in two directions stand together. */
const linesFor = (me: Me) => {
  const mayDecide = DECISIONS.some((permission) => may(me, permission));
  const known = (Object.keys(LABELLED) as (keyof typeof LABELLED)[]).filter(
    (key) => mayDecide || !DECIDING.includes(key),
  );
  return [...new Set(known.map((key) => LABELLED[key]))].map((text) => ({
    text,
    keys: known.filter((key) => LABELLED[key] === text).flatMap((key) => CAPS[key] ?? [key]),
  }));
};

/** Every key of the console, and where `g` leads this operator. */
export function KeyHelp({ pageNames, onClose }: { pageNames: readonly ConsolePage[]; onClose: () => void }) {
  const { t } = useText();
  const lines = linesFor(useMe());
  return (
    <Dialog onClose={onClose} title={t('keys.title')} size="lg">
      <SimpleGrid cols={2} verticalSpacing="xs">
        {pageNames.map((pageName) => (
          <KeyHint key={pageName.id} keys={['g', pageName.letter]}>
            {labelOf(t, 'nav', pageName.id)}
          </KeyHint>
        ))}
        <KeyHint keys={['Ctrl', 'K']}>{t('keys.find')}</KeyHint>
        {lines.map(({ keys, text }) => (
          <KeyHint key={text} keys={keys}>
            {t(text)}
          </KeyHint>
        ))}
        <KeyHint keys={['Ctrl', 'Enter']}>{t('keys.confirm')}</KeyHint>
      </SimpleGrid>
    </Dialog>
  );
}
