import { heldText } from '@krapao/ui/text/held-text.ts';
import { holdWords } from './whole-words.ts';

/** More texts than any screen has; then they are held anew. */
const MOST = 500;

/** From now on words in operators' texts and names are held together as those of the catalogues are at build. */
export function holdServerTexts(): void {
  const known = new Map<string, string>();
  heldText.hold = (text, language) => {
    const key = `${language}${text}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= MOST) known.clear();
    const held = holdWords(text, language);
    known.set(key, held);
    return held;
  };
}
