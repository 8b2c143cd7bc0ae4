import { languageTag } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { useEffect, useRef } from 'react';
import { fileAddress } from '../../platform/file-address.ts';
import styles from './howto.module.css';

const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

interface GuideVideoProps {
  name: string;
  title: string;
  /** The film operators put in place of the app's own, as a path on the server. */
  own: string | null;
}

/** A guide's film, that of the app with captions in the reader's language. It is muted, and ends with its sheet. */
export function GuideVideo({ name, title, own }: GuideVideoProps) {
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
      className={own ? styles.own : styles.video}
      aria-label={title}
      controls
      tabIndex={0}
      playsInline
      muted
      autoPlay={!isStill()}
      preload="none"
      poster={own ? undefined : `${file}.jpg`}
      src={own ? fileAddress(own) : `${file}.mp4`}
      width={360}
      height={640}
    >
      {own === null && (
        <track
          key={language}
          kind="captions"
          default
          src={`${file}.${language}.vtt`}
          srcLang={languageTag(language)}
          label={title}
        />
      )}
    </video>
  );
}
