import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './prompt.module.css';

/** Where prompts stand: above the menu, one over the other, moving nothing on the page. */
export function Prompts({ children }: { children: ReactNode }) {
  return <div className={styles.prompts}>{children}</div>;
}

interface PromptProps {
  icon: IconNode;
  text: string;
  action: string;
  onPress: () => void;
}

/** Something that came up by itself, in a few words, with the one thing to do about it. Stays until it is done. */
export function Prompt({ icon, text, action, onPress }: PromptProps) {
  return (
    <div className={styles.prompt} role="status">
      <Icon of={icon} size={20} />
      <span>{text}</span>
      <Button isSmall tone="soft" onClick={onPress}>
        {action}
      </Button>
    </div>
  );
}
