import { LANGUAGE_NAMES, LANGUAGES, type Language, languageTag } from '@krapao/contract/shared';
import { Check, ChevronDown, Globe } from 'lucide';
import { useId, useRef } from 'react';
import { useText } from '../text/text.tsx';
import { Icon } from './icon.tsx';
import styles from './lang-switch.module.css';

/** The three languages, each in its own script; the one in use cannot be chosen. */
export function LangSwitch({ onChoose }: { onChoose: (language: Language) => void }) {
  const { t, language } = useText();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const choose = (code: Language) => {
    menu.current?.hidePopover();
    onChoose(code);
  };
  return (
    <div className={styles.switch}>
      <button type="button" className={styles.button} popoverTarget={id}>
        <Icon of={Globe} size={20} />
        <span className={styles.hidden}>{t('nav.language')}</span>
        {LANGUAGE_NAMES[language]}
        <Icon of={ChevronDown} size={16} />
      </button>
      <div className={styles.menu} id={id} ref={menu} popover="auto">
        {LANGUAGES.map((code) => (
          <button
            key={code}
            type="button"
            lang={languageTag(code)}
            disabled={code === language}
            onClick={() => choose(code)}
          >
            {LANGUAGE_NAMES[code]}
            {code === language && <Icon of={Check} size={20} />}
          </button>
        ))}
      </div>
    </div>
  );
}
