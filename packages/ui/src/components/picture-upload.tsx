import { ImagePlus, X } from 'lucide';
import { type DragEvent, useId } from 'react';
import { useText } from '../text/text.tsx';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './picture-upload.module.css';

/** A chosen picture. */
export interface ChosenPicture {
  name: string;
  bytes: number;
  /** Address of the picture on this device. */
  url: string;
}

interface PictureUploadProps {
  /** What the picture shows. */
  name: string;
  /** The text of the place where one is chosen. */
  prompt: string;
  /** The formats, as the file picker wants them. */
  accept: string;
  hint: string;
  picture: ChosenPicture | null;
  /** How much has left this device, 0 to 1; null while nothing is being sent. */
  progress: number | null;
  /** What is happening while it is sent. */
  doing: string;
  onChoose: (file: File) => void;
  onRemove: () => void;
}

/** One picture to hand in: a place to choose or drop it, then its preview and how far it has come. */
export function PictureUpload({
  name,
  prompt,
  accept,
  hint,
  picture,
  progress,
  doing,
  onChoose,
  onRemove,
}: PictureUploadProps) {
  const { t } = useText();
  const hintId = useId();
  if (picture)
    return (
      <div className={styles.chosen}>
        <img className={styles.preview} src={picture.url} alt={name} />
        <div className={styles.texts}>
          <p className={styles.name}>{picture.name}</p>
          <p className={styles.size}>{sizeText(picture.bytes)}</p>
          {progress !== null && <Progress share={progress} doing={doing} />}
        </div>
        {progress === null && <IconButton icon={X} size={20} label={t('slip.remove')} onClick={onRemove} />}
      </div>
    );
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) onChoose(file);
  };
  return (
    <label className={styles.place} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <input
        className={styles.input}
        type="file"
        accept={accept}
        aria-describedby={hintId}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onChoose(file);
        }}
      />
      <span className={styles.icon}>
        <Icon of={ImagePlus} size={28} />
      </span>
      <span className={styles.choose}>{prompt}</span>
      <span id={hintId} className={styles.size}>
        {hint}
      </span>
    </label>
  );
}

function Progress({ share, doing }: { share: number; doing: string }) {
  const percent = Math.floor(share * 100);
  return (
    <>
      <progress className={styles.bar} max={100} value={percent} aria-label={doing} />
      <p className={styles.doing} aria-live="polite">
        <span>{doing}</span>
        {percent < 100 && <b>{`${percent}%`}</b>}
      </p>
    </>
  );
}

/** "640 kB", "1.2 MB". */
function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000
    ? `${Math.max(1, Math.round(kilobytes))} kB`
    : `${(kilobytes / 1024).toFixed(1)} MB`;
}
