import { Button } from '@krapao/ui/components/button.tsx';
import { Field } from '@krapao/ui/components/field.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Search } from 'lucide';
import { type FormEvent, useState } from 'react';
import { openSheet } from '../../platform/sheet-state.ts';
import styles from './bonus.module.css';

const LONGEST = 40;

/** Looks a promotion up by its code, which is written in capitals however it is typed. */
export function CodeSearch() {
  const { t } = useText();
  const [code, setCode] = useState('');
  const wanted = code.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted) openSheet('promotion', wanted);
  };
  return (
    <form className={styles.search} onSubmit={submit}>
      <Field
        label={t('promo.prompt')}
        name="code"
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={LONGEST}
        placeholder={t('promo.enter')}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.toUpperCase())}
      />
      <Button type="submit" icon={Search} disabled={!wanted}>
        {t('promo.search')}
      </Button>
    </form>
  );
}
