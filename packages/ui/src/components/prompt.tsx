import { type IconNode, X } from 'lucide';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useText } from '../text/text.tsx';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { enter, leave } from './leave.ts';
import styles from './prompt.module.css';

/** Where prompts stand: above the menu, one over the other, moving nothing on the page; its end can be scrolled clear of them. */
export function Prompts({ children }: { children: ReactNode }) {
  return <div className={styles.prompts}>{children}</div>;
}

interface PromptProps {
  icon: IconNode;
  text: string;
  action: string;
  onPress: () => void;
  onDismiss: () => void;
}

/** Something that came up by itself, in a few words, with the one thing to do about it. It stays until that, or until it is put away. */
export function Prompt({ icon, text, action, onPress, onDismiss }: PromptProps) {
  const { t } = useText();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    enter('prompt');
    return () => leave(element, 'prompt');
  }, []);
  return (
    <div ref={box} className={styles.prompt} role="status">
      <Icon of={icon} size={20} />
      <span>{text}</span>
      <Button isSmall tone="soft" onClick={onPress}>
        {action}
      </Button>
      <IconButton icon={X} size={20} label={t('btn.close')} onClick={onDismiss} />
    </div>
  );
}
