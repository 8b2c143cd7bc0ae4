import { Copy } from 'lucide';
import { useText } from '../text/text.tsx';
import { IconButton } from './button.tsx';
import styles from './copy-button.module.css';
import { showToast } from './toast.tsx';

/** Copies a text and says so with the text, or says that it failed. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useText();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast('ok', `${t('btn.copied')} ${text}`);
    } catch {
      showToast('bad', t('btn.copyFailed'));
    }
  };
  return (
    <IconButton
      className={styles.copy}
      icon={Copy}
      size={20}
      label={`${t('btn.copy')} ${label}`}
      onClick={copy}
    />
  );
}
