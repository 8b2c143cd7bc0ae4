import { MessageCircle } from 'lucide';
import { useText } from '../text/text.tsx';
import { Button } from './button.tsx';
import styles from './error-reference.module.css';

/** An error's own reference, or that of a slip, as texts contain them. */
const REFERENCE = /\b(?:ER-[0-9A-Z]{7}|SL[0-9A-Z]{12,})\b/;

/** Returns the reference that a text contains, or null. */
export const referenceIn = (text: string): string | null => REFERENCE.exec(text)?.[0] ?? null;

/** The way to support, about a reference. */
export function ErrorReference({
  reference,
  onContact,
}: {
  reference: string;
  onContact: (reference: string) => void;
}) {
  const { t } = useText();
  return (
    <span className={styles.contact}>
      <Button tone="line" isSmall icon={MessageCircle} onClick={() => onContact(reference)}>
        {t('chat.aboutThis')}
      </Button>
    </span>
  );
}
