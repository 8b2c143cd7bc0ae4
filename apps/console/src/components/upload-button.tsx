import { Button, type ButtonProps, FileButton } from '@mantine/core';
import { type IconNode, ImageUp } from 'lucide';
import { useState } from 'react';
import { Icon } from './icons.tsx';
import { useNotice } from './notice.tsx';

interface UploadButtonProps extends ButtonProps {
  label: string;
  accept: string;
  icon?: IconNode;
  /** Uploads the chosen file; an error is shown as a notice. */
  onFile: (file: File) => Promise<void>;
}

/** Chooses a file and uploads it; busy until that has ended. */
export function UploadButton({ label, accept, icon = ImageUp, onFile, ...button }: UploadButtonProps) {
  const notice = useNotice();
  const [isBusy, setBusy] = useState(false);
  const send = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    await onFile(file).catch(notice.complain);
    setBusy(false);
  };
  return (
    <FileButton accept={accept} onChange={send}>
      {(props) => (
        <Button {...props} {...button} variant="default" loading={isBusy} leftSection={<Icon of={icon} />}>
          {label}
        </Button>
      )}
    </FileButton>
  );
}
