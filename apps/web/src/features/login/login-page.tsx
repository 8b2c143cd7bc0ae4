import { normalisePhone } from '@krapao/contract/shared';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { BrandMark } from '@krapao/ui/components/brand-mark.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { cx } from '@krapao/ui/components/class-names.ts';
import { ErrorBox } from '@krapao/ui/components/error-box.tsx';
import { CheckField, PasswordField, PhoneField } from '@krapao/ui/components/field.tsx';
import { LangSwitch } from '@krapao/ui/components/lang-switch.tsx';
import { Link } from '@krapao/ui/components/link.tsx';
import panel from '@krapao/ui/components/panel.module.css';
import { Tag } from '@krapao/ui/components/tag.tsx';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { api } from '../../platform/api.ts';
import { config } from '../../platform/config.ts';
import { chooseLanguage, wantAllMessages } from '../../platform/language.ts';
import { CHAT_PLACE } from '../../platform/places.ts';
import { leaveSession, startSession } from '../../platform/session.ts';
import { useSite } from '../../platform/site-info.ts';
import { useRequired } from '../../platform/use-required.ts';
import { useTitle } from '../../platform/use-title.ts';
import styles from './login-page.module.css';

const REQUIRED = ['username', 'password'];

/** Checks whether the service is running before the member types; when it has ended, no member can log in. */
function useServiceCheck(): void {
  useEffect(() => {
    api('GET /api/lookup/active')
      .then(({ terminated }) => terminated === 'gone' && leaveSession('/terminated'))
      .catch(() => undefined);
  }, []);
}

export default function LoginPage() {
  const { t } = useText();
  const site = useSite();
  useTitle(`${t('auth.login')} – ${site.name}`);
  useServiceCheck();
  return (
    <>
      <header className={cx(panel.panel, styles.hero)}>
        <div className={styles.bar}>
          {site.sandboxTag && <Tag text={site.sandboxTag} />}
          <span id={CHAT_PLACE} />
          <LangSwitch onChoose={chooseLanguage} />
        </div>
        <BrandMark isOnPanel />
        <h1>{site.name}</h1>
        <p>{t('login.tagline')}</p>
      </header>
      <main className={styles.lift}>
        <h2>{t('auth.login')}</h2>
        <LoginForm />
        <p className={styles.register}>
          {t('login.noAccount')}
          <Link to="/register">{t('auth.register')}</Link>
        </p>
      </main>
    </>
  );
}

/**
 * The inputs keep their own text, so what is typed before the script runs stays; `method="dialog"` outside a dialog
 * sends nothing, so an early press cannot put the password into an address.
 */
function LoginForm() {
  const { t } = useText();
  const [refusal, setRefusal] = useState<((say: Translate) => string) | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isPhoneWrong, setPhoneWrong] = useState(false);
  const { isComplete, onInput, errorOf } = useRequired(REQUIRED);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isComplete(event.currentTarget)) return;
    const form = new FormData(event.currentTarget);
    const username = String(form.get('username')).trim();
    // A Lao number has any length: only the server can tell.
    if (config.variant === 'th' && normalisePhone(username, 'th') === null) return setPhoneWrong(true);
    setBusy(true);
    setRefusal(null);
    try {
      const body = { username, password: String(form.get('password')) };
      const { token } = await api('POST /api/login', { body });
      startSession(token, form.get('remember') !== null);
      navigate('/user', { replace: true });
    } catch (problem) {
      // The first texts hold the usual refusals; a rare one waits for the others.
      const [texts] = await Promise.all([
        import('../../platform/error-text.ts').catch(() => null),
        wantAllMessages().catch(() => undefined),
      ]);
      if (codeOf(problem) !== 'gone')
        setRefusal(() => (say: Translate) => texts?.errorText(say, problem) ?? say('error.network'));
      setBusy(false);
    }
  };

  const type = (event: FormEvent<HTMLFormElement>) => {
    onInput(event);
    setPhoneWrong(false);
    setRefusal(null);
  };

  return (
    <form className={styles.form} method="dialog" noValidate onSubmit={submit} onInput={type}>
      <PhoneField
        label={t('auth.phone')}
        name="username"
        autoComplete="username"
        required
        error={isPhoneWrong ? t('valid.phone10') : errorOf('username')}
      />
      <PasswordField
        label={t('auth.password')}
        name="password"
        autoComplete="current-password"
        required
        error={errorOf('password')}
      />
      <div className={styles.extras}>
        <CheckField label={t('auth.rememberMe')} name="remember" />
        <Link to="/forgot">{t('login.forgot')}</Link>
      </div>
      {refusal && <ErrorBox>{refusal(t)}</ErrorBox>}
      <Button type="submit" isWide isBusy={isBusy}>
        {t('auth.login')}
      </Button>
    </form>
  );
}
