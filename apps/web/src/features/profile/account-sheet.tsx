import { normaliseAccountNo } from '@krapao/contract/account-numbers';
import type { MemberApi } from '@krapao/contract/member';
import {
  ENGLISH_NAME_BANKS,
  isEnglishName,
  joinAccountName,
  RECOMMENDED_BANKS_TH,
} from '@krapao/contract/shared';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { BankSelect } from '@krapao/ui/components/bank-select.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { Field } from '@krapao/ui/components/field.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { config } from '../../platform/config.ts';
import { errorText } from '../../platform/error-text.ts';
import { banksQuery, profileQuery, queryClient } from '../../platform/member/queries.ts';
import { useOwnSheet } from '../../platform/own-sheet.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { useRequired } from '../../platform/use-required.ts';
import { WithdrawRequest } from './withdraw-request.tsx';

const RECOMMENDED = config.variant === 'th' ? RECOMMENDED_BANKS_TH : [];
const FIELDS = ['accountNo', 'firstName', 'lastName'] as const;
const REQUIRED = ['bankCode', ...FIELDS];

function typedIn(form: HTMLFormElement) {
  const data = new FormData(form);
  const [accountNo, firstName, lastName] = FIELDS.map((name) => String(data.get(name) ?? '').trim());
  return {
    bankAccountNo: normaliseAccountNo(accountNo ?? ''),
    bankAccountName: joinAccountName(firstName ?? '', lastName ?? ''),
  };
}

type Profile = MemberApi['GET /api/account/profile']['reply'];
type Banks = MemberApi['GET /api/lookup/banks']['reply'];

/** Sends the request; the profile is read again before the sheet closes. */
function useRequest(name: string) {
  const { t } = useText();
  const own = useOwnSheet();
  const [alert, setAlert] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (account: { bankCode: string; bankAccountNo: string; bankAccountName: string }) => {
    setBusy(true);
    try {
      const { status } = await api('PUT /api/account/profile', { body: { name, ...account } });
      await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
      own.close();
      if (status === 'PENDING') showToast('ok', t('profile.accountRequested'));
    } catch (error) {
      // A request under way is then shown in place of the form.
      if (codeOf(error) === 'REQUEST_LIMIT')
        await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
      const profile = queryClient.getQueryData(profileQuery.queryKey);
      if (profile?.bankAccountRequest?.status !== 'PENDING') setAlert(errorText(t, error));
    }
    setBusy(false);
  };
  return { send, isBusy, alert, forget: () => setAlert(null) };
}

/** The state of the form: what is wrong at which field, and the request. */
function useAccountForm(name: string) {
  const { t } = useText();
  const [bankCode, setBank] = useState('');
  const [isNameWrong, setNameWrong] = useState(false);
  const [isNumberWrong, setNumberWrong] = useState(false);
  const { isComplete, onInput, errorOf } = useRequired(REQUIRED);
  const request = useRequest(name);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isComplete(event.currentTarget)) return;
    const { bankAccountNo, bankAccountName } = typedIn(event.currentTarget);
    if (bankAccountNo === null) {
      (event.currentTarget.elements.namedItem('accountNo') as HTMLInputElement).focus();
      return setNumberWrong(true);
    }
    if (ENGLISH_NAME_BANKS.includes(bankCode) && !isEnglishName(bankAccountName)) return setNameWrong(true);
    await request.send({ bankCode, bankAccountNo, bankAccountName });
  };
  return {
    request,
    bankCode,
    submit,
    chooseBank: (code: string) => {
      setBank(code);
      setNameWrong(false);
    },
    type: (event: FormEvent) => {
      setNameWrong(false);
      setNumberWrong(false);
      onInput(event);
    },
    errors: {
      bankCode: errorOf('bankCode'),
      accountNo: isNumberWrong ? t('valid.accountNo') : errorOf('accountNo'),
      firstName: errorOf('firstName'),
      lastName: isNameWrong ? t('valid.bankNameEnglish') : errorOf('lastName'),
    },
  };
}

/** Requests another payout account; the present one is paid until staff approve. */
export default function AccountSheet() {
  const { t } = useText();
  const banks = useQuery(banksQuery);
  const profile = useQuery(profileQuery);
  const request = profile.data?.bankAccountRequest;
  if (request?.status === 'PENDING')
    return (
      <Sheet title={t('profile.changeAccount')} onClose={closeSheet} footer={<WithdrawRequest />}>
        <MessageBox tone="info">
          {t('profile.accountPending', { account: `${request.bankCode} ${request.bankAccountNo}` })}
        </MessageBox>
      </Sheet>
    );
  if (banks.data && profile.data) return <AccountForm banks={banks.data} profile={profile.data} />;
  const failed = [banks, profile].filter(({ data, error }) => !data && error);
  return (
    <Sheet title={t('profile.changeAccount')} onClose={closeSheet}>
      {failed[0] ? (
        <ErrorState
          text={errorText(t, failed[0].error)}
          onRetry={() => {
            for (const query of failed) query.refetch();
          }}
        />
      ) : (
        <Skeleton heights={[56, 56, 56, 56]} />
      )}
    </Sheet>
  );
}

function AccountForm({ banks, profile }: { banks: Banks; profile: Profile }) {
  const { t } = useText();
  const { request, bankCode, submit, chooseBank, type, errors } = useAccountForm(profile.profile.name);
  const hours = profile.coolingHours ?? 0;
  const foot = (
    <Button type="submit" form="account-form" isWide isBusy={request.isBusy}>
      {t('profile.requestAccount')}
    </Button>
  );
  return (
    <Sheet title={t('profile.changeAccount')} onClose={closeSheet} footer={foot}>
      <form id="account-form" className={layout.stack} noValidate onSubmit={submit} onInput={type}>
        <p className={layout.caption}>{t('profile.changeAccountLead')}</p>
        {hours > 0 && <p className={layout.caption}>{t('profile.changeAccountWait', { hours })}</p>}
        <BankSelect
          label={t('bank.bank')}
          name="bankCode"
          banks={banks}
          recommended={RECOMMENDED}
          value={bankCode}
          error={errors.bankCode}
          onChange={chooseBank}
        />
        <Field
          label={t('bank.accountNo')}
          name="accountNo"
          inputMode="numeric"
          autoComplete="off"
          error={errors.accountNo}
        />
        <Field
          label={t('bank.firstName')}
          name="firstName"
          autoComplete="given-name"
          error={errors.firstName}
        />
        <Field
          label={t('bank.lastName')}
          name="lastName"
          autoComplete="family-name"
          error={errors.lastName}
        />
      </form>
      {request.alert && <AlertDialog tone="bad" title={request.alert} onClose={request.forget} />}
    </Sheet>
  );
}
