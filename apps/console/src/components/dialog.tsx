import { useText } from '@krapao/ui/text/text.tsx';
import { Modal, type ModalProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogProps extends Pick<ModalProps, 'size' | 'centered' | 'yOffset'> {
  title: ReactNode;
  /** Whether it cannot be closed: what is being sent must be seen to its end, and a secret shown once is in the answer. */
  isLocked?: boolean;
  onClose(): void;
  children: ReactNode;
}

/** An open dialog with its title and a button that closes it, as Escape and a press outside do. */
export function Dialog({ title, isLocked = false, onClose, children, ...frame }: DialogProps) {
  const { t } = useText();
  return (
    <Modal
      opened
      onClose={() => isLocked || onClose()}
      title={<Text fw={700}>{title}</Text>}
      closeButtonProps={{ 'aria-label': t('btn.close'), disabled: isLocked }}
      {...frame}
    >
      {children}
    </Modal>
  );
}
