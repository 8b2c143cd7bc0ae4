import type { MemberApi } from '@krapao/contract/member';
import { Button } from '@krapao/ui/components/button.tsx';
import { CheckField, Field, PasswordField } from '@krapao/ui/components/field.tsx';
import { Link } from '@krapao/ui/components/link.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { SelectField } from '@krapao/ui/components/select-field.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { User, UserPlus } from 'lucide';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { config } from '../../platform/config.ts';
import { NewPasswordField } from '../../platform/new-password-field.tsx';
import { useSite } from '../../platform/site-info.ts';
import styles from '../../platform/steps.module.css';
import { useLoad } from '../../platform/use-load.ts';
import { useRequired } from '../../platform/use-required.ts';
import { personOf } from './draft.ts';
import { inviteCode } from './invite-code.ts';
import { ListFailed } from './list-failed.tsx';
import type { Wizard } from './use-wizard.ts';

const loadSources = () => api('GET /api/lookup/sources');
/** As long as the contract allows. */
const NAME_MAX = 200;
const PASSWORD_MAX = 200;
const REQUIRED = ['name', 'password', 'again', 'sourceCode'] as const;

/** What the step checks before the server does. */
function useProfileStep({ draft, keep, go, fail, isAt }: Wizard) {
  const { isComplete, onInput, errorOf } = useRequired(REQUIRED);
  const known = useSite().registerAge;
  const [readAge, setReadAge] = useState<number | null>(null);
  const registerAge = known ?? readAge;
  const [isAgeMissing, setAgeMissing] = useState(false);
  const [isMismatch, setMismatch] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    keep(event);
    if (!isComplete(event.currentTarget)) return;
    if (draft.password !== draft.again) return setMismatch(true);
    setBusy(true);
    try {
      // What was read with the page may have been lost: without the age to confirm nothing goes on.
      const age = registerAge ?? (await api('GET /api/lookup/info')).registerAge;
      setReadAge(age);
      if (age && draft.age === null) {
        setAgeMissing(true);
        return setBusy(false);
      }
      await api('POST /api/account/validate', { body: personOf(draft, config.variant === 'la') });
      if (isAt('profile')) go('bank');
    } catch (error) {
      if (isAt('profile')) fail(error);
    }
    setBusy(false);
  };
  const type = (event: FormEvent<HTMLFormElement>) => {
    keep(event);
    onInput(event);
    setMismatch(false);
  };
  const confirmAge = (isConfirmed: boolean) => {
    draft.age = isConfirmed ? registerAge : null;
    setAgeMissing(false);
  };
  return { errorOf, isMismatch, isBusy, submit, type, registerAge, isAgeMissing, confirmAge };
}

/** The age to confirm, and where help is to be had. Empty without a required age. */
function Age({ step, isConfirmed }: { step: ReturnType<typeof useProfileStep>; isConfirmed: boolean }) {
  const { t } = useText();
  if (!step.registerAge) return null;
  return (
    <div className={`${layout.stack} ${layout.close}`}>
      <CheckField
        label={t('register.age', { age: step.registerAge })}
        defaultChecked={isConfirmed}
        aria-invalid={step.isAgeMissing || undefined}
        onChange={(event) => step.confirmAge(event.currentTarget.checked)}
      />
      <p className={layout.caption}>
        {t('register.playSafely')}{' '}
        <Link to="/contact" className={styles.change}>
          {t('limit.help')}
        </Link>
      </p>
      {step.isAgeMissing && <MessageBox tone="bad">{t('register.ageNeeded')}</MessageBox>}
    </div>
  );
}

interface SourceFieldProps {
  sources: MemberApi['GET /api/lookup/sources']['reply'] | undefined;
  chosen: string;
  error: string | null;
}

/** The member's source. While the list loads, what was chosen before stays chosen, without its text. */
function SourceField({ sources, chosen, error }: SourceFieldProps) {
  const { t } = useText();
  return (
    <SelectField
      key={sources ? 'loaded' : 'loading'}
      label={t('register.source')}
      placeholder={t('register.chooseSource')}
      name="sourceCode"
      defaultValue={chosen}
      error={error}
    >
      {!sources && chosen && <option value={chosen} />}
      {sources?.map(({ code, description }) => (
        <option key={code} value={code}>
          {description}
        </option>
      ))}
    </SelectField>
  );
}

/** Name, password, and the member's source. */
export function ProfileStep({ wizard }: { wizard: Wizard }) {
  const { t } = useText();
  const { draft } = wizard;
  const sources = useLoad(loadSources);
  const [invite] = useState(() => inviteCode(location.search));
  const step = useProfileStep(wizard);
  const { errorOf, isMismatch, isBusy, submit, type } = step;
  return (
    <form className={styles.form} noValidate onSubmit={submit} onInput={type}>
      <h1>{t('register.profileTitle')}</h1>
      <Field
        label={t('auth.name')}
        name="name"
        icon={User}
        autoComplete="name"
        maxLength={NAME_MAX}
        defaultValue={draft.name}
        error={errorOf('name')}
      />
      <NewPasswordField
        label={t('auth.password')}
        name="password"
        maxLength={PASSWORD_MAX}
        defaultValue={draft.password}
        error={errorOf('password')}
      />
      <PasswordField
        label={t('auth.confirmPassword')}
        name="again"
        autoComplete="new-password"
        defaultValue={draft.again}
        error={isMismatch ? t('valid.passwordMismatch') : errorOf('again')}
      />
      {sources.error ? (
        <ListFailed label={t('register.source')} error={sources.error} onRetry={sources.retry} />
      ) : (
        <SourceField sources={sources.data} chosen={draft.sourceCode} error={errorOf('sourceCode')} />
      )}
      <Field
        label={t('invite.code')}
        name="inviteCode"
        icon={UserPlus}
        autoComplete="off"
        autoCapitalize="off"
        readOnly={invite.isLocked}
        defaultValue={invite.isLocked ? invite.code : draft.inviteCode || invite.code}
      />
      <Age step={step} isConfirmed={draft.age !== null} />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('btn.next')}
      </Button>
    </form>
  );
}
