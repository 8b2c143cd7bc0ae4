import { normaliseAccountNo } from '@krapao/contract/account-numbers';
import { isEnglishName, RECOMMENDED_BANKS_TH } from '@krapao/contract/shared';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { BankSelect } from '@krapao/ui/components/bank-select.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { Field } from '@krapao/ui/components/field.tsx';
import { Segmented } from '@krapao/ui/components/segmented.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { config } from '../../platform/config.ts';
import { sendOnce } from '../../platform/once-only.ts';
import styles from '../../platform/steps.module.css';
import { toUpper } from '../../platform/to-upper.ts';
import { isUnanswered } from '../../platform/unanswered.ts';
import { useLoad } from '../../platform/use-load.ts';
import { useRequired } from '../../platform/use-required.ts';
import { type Draft, isNameRefused, registrationOf } from './draft.ts';
import { ListFailed } from './list-failed.tsx';
import type { Wizard } from './use-wizard.ts';

const loadBanks = () => api('GET /api/lookup/banks');
const REQUIRED = ['bankCode', 'accountNo', 'firstName', 'lastName'] as const;
const RECOMMENDED = config.variant === 'th' ? RECOMMENDED_BANKS_TH : [];

/** The state of the step and its registration. */
function useBankStep({ draft, keep, finish, setUnanswered, fail }: Wizard) {
  const { t } = useText();
  const { isComplete, onInput, errorOf } = useRequired(REQUIRED);
  const [bankCode, setBank] = useState(draft.bankCode);
  const [currency, setCurrency] = useState(draft.currency);
  const [isNameWrong, setNameWrong] = useState(false);
  const [isNumberWrong, setNumberWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const register = async () => {
    setBusy(true);
    try {
      await sendOnce('POST /api/account', registrationOf(draft, config.variant === 'la'));
      finish();
      showToast('ok', t('register.success'));
    } catch (error) {
      if (isUnanswered(error)) setUnanswered();
      if (codeOf(error) === 'unknownResult') showToast('bad', t('register.unknown'));
      else fail(error);
      setBusy(false);
    }
  };
  return {
    bankCode,
    currency,
    chooseCurrency: (chosen: typeof currency) => {
      draft.currency = chosen;
      setCurrency(chosen);
    },
    isNameWrong,
    isNumberWrong,
    isBusy,
    errorOf,
    type: (event: FormEvent<HTMLFormElement>) => {
      keep(event);
      onInput(event);
      setNameWrong(false);
      setNumberWrong(false);
    },
    chooseBank: (code: string) => {
      draft.bankCode = code;
      setNameWrong(false);
      setBank(code);
    },
    submit: async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      keep(event);
      Object.assign(draft, { bankCode, currency });
      if (!isComplete(event.currentTarget)) return;
      if (normaliseAccountNo(draft.accountNo) === null) {
        (event.currentTarget.elements.namedItem('accountNo') as HTMLInputElement).focus();
        return setNumberWrong(true);
      }
      if (isNameRefused(draft)) return setNameWrong(true);
      await register();
    },
  };
}

/** The bank account money will be paid to, and the registration itself. */
export function BankStep({ wizard }: { wizard: Wizard }) {
  const { t } = useText();
  const { draft } = wizard;
  const banks = useLoad(loadBanks);
  const step = useBankStep(wizard);
  return (
    <form className={styles.form} noValidate onSubmit={step.submit} onInput={step.type}>
      <div>
        <h1>{t('register.bankTitle')}</h1>
        <p className={styles.lead}>{t('register.bankLead')}</p>
      </div>
      {banks.error ? (
        <ListFailed label={t('bank.bank')} error={banks.error} onRetry={banks.retry} />
      ) : (
        <BankSelect
          label={t('bank.bank')}
          name="bankCode"
          banks={banks.data ?? []}
          recommended={RECOMMENDED}
          value={step.bankCode}
          error={step.errorOf('bankCode')}
          onChange={step.chooseBank}
        />
      )}
      <AccountFields draft={draft} step={step} />
      {config.variant === 'la' && (
        <Segmented
          label={t('currency.label')}
          options={[
            { value: 'LAK', label: t('currency.kipName') },
            { value: 'BAHT', label: t('currency.bahtName') },
          ]}
          value={step.currency}
          onChange={step.chooseCurrency}
        />
      )}
      <Button type="submit" isWide isBusy={step.isBusy}>
        {t('auth.register')}
      </Button>
    </form>
  );
}

function AccountFields({ draft, step }: { draft: Draft; step: ReturnType<typeof useBankStep> }) {
  const { t } = useText();
  const { isNameWrong, isNumberWrong, errorOf } = step;
  const nameError = isNameWrong ? t('valid.bankNameEnglish') : null;
  return (
    <>
      <Field
        label={t('bank.accountNo')}
        name="accountNo"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={draft.accountNo}
        error={isNumberWrong ? t('valid.accountNo') : errorOf('accountNo')}
      />
      <Field
        label={t('bank.firstName')}
        name="firstName"
        autoComplete="given-name"
        autoCapitalize="characters"
        defaultValue={draft.firstName}
        onInput={toUpper}
        error={nameError && !isEnglishName(draft.firstName) ? nameError : errorOf('firstName')}
      />
      <Field
        label={t('bank.lastName')}
        name="lastName"
        autoComplete="family-name"
        autoCapitalize="characters"
        defaultValue={draft.lastName}
        onInput={toUpper}
        error={
          nameError && (!isEnglishName(draft.lastName) || isEnglishName(draft.firstName))
            ? nameError
            : errorOf('lastName')
        }
      />
    </>
  );
}
