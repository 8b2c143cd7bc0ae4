import { languageTag } from '@krapao/ui/text/languages.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useEffect, useRef } from 'react';
import styles from './howto.module.css';

const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A guide's film with captions in the reader's language. It has no sound, and ends with the sheet it is in. */
export function GuideVideo({ name, title }: { name: string; title: string }) {
  const { language } = useText();
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    return () => element?.pause();
  }, []);
  const file = `/howto/${name}`;
  return (
    <video
      ref={video}
      className={styles.video}
      aria-label={title}
      controls
      tabIndex={0}
      playsInline
      muted
      autoPlay={!isStill()}
      preload="none"
      poster={`${file}.jpg`}
      src={`${file}.mp4`}
      width={360}
      height={640}
    >
      <track
        key={language}
        kind="captions"
        default
        src={`${file}.${language}.vtt`}
        srcLang={languageTag(language)}
        label={title}
      />
    </video>
  );
}
