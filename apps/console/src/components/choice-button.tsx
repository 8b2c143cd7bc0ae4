import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

interface ChoiceButtonProps {
  isChosen: boolean;
  /** Whether it can be chosen. */
  isOpen?: boolean;
  onChoose: () => void;
  children: ReactNode;
}

/** One of several choices in a `radiogroup`, with all that tells it from another. */
export function ChoiceButton({ isChosen, isOpen = true, onChoose, children }: ChoiceButtonProps) {
  return (
    <UnstyledButton
      type="button"
      role="radio"
      aria-checked={isChosen}
      disabled={!isOpen}
      onClick={onChoose}
      p="xs"
      bg={isChosen ? 'var(--brand-soft)' : undefined}
      style={{
        borderRadius: 8,
        border: `1px solid ${isChosen ? 'var(--brand)' : 'var(--hairline)'}`,
        opacity: isOpen ? 1 : 0.6,
      }}
    >
      {children}
    </UnstyledButton>
  );
}
