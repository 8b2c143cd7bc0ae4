import { ApiError } from '@krapao/ui/api/api-error.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { Field, PasswordField } from '@krapao/ui/components/field.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { leaveSession } from '../../platform/session.ts';
import { backSheet, closeSheet } from '../../platform/sheet-state.ts';

const OPEN_TEXTS = {
  wallet: 'close.wallet',
  games: 'close.games',
  entries: 'close.entries',
  qr: 'close.qr',
  refund: 'close.refund',
} as const;
type OpenItem = keyof typeof OPEN_TEXTS;

/** The obstacles that the server names; empty when the refusal is another. */
function openItems(error: unknown): OpenItem[] {
  const open: unknown = error instanceof ApiError ? error.data.open : undefined;
  return Array.isArray(open) ? open.filter((one): one is OpenItem => one in OPEN_TEXTS) : [];
}

/** Closes the account for good: a word has to be typed, and the password. */
export default function CloseSheet() {
  const { t } = useText();
  const [word, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isSure = word.trim().toLowerCase() === t('close.word').toLowerCase() && password !== '';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isSure) return;
    setBusy(true);
    try {
      await api('POST /api/account/close', { body: { password } });
      leaveSession('/terminated');
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  const foot = (
    <Button type="submit" form="close-form" tone="danger" isWide isBusy={isBusy} disabled={!isSure}>
      {t('close.now')}
    </Button>
  );
  return (
    <Sheet title={t('close.title')} onClose={closeSheet} onBack={backSheet} footer={foot}>
      <MessageBox tone="warn">{t('close.forever')}</MessageBox>
      <p className={layout.label}>{t('close.before')}</p>
      <p className={layout.caption}>{t('close.retained')}</p>
      <form
        id="close-form"
        className={layout.stack}
        noValidate
        onSubmit={submit}
        onInput={() => setError(null)}
      >
        <Field
          label={t('limit.typeWord', { word: t('close.word') })}
          name="word"
          autoComplete="off"
          value={word}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <PasswordField
          label={t('auth.password')}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </form>
      {error !== null && <Problem error={error} />}
    </Sheet>
  );
}

function Problem({ error }: { error: unknown }) {
  const { t } = useText();
  const open = openItems(error);
  if (open.length === 0) return <MessageBox tone="bad">{errorText(t, error)}</MessageBox>;
  return (
    <MessageBox tone="bad" title={t('close.notYet')}>
      {open.map((one) => (
        <p key={one}>{t(OPEN_TEXTS[one])}</p>
      ))}
    </MessageBox>
  );
}
