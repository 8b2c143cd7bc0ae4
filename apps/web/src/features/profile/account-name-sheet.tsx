import { isEnglishName } from '@krapao/contract/shared';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { Field } from '@krapao/ui/components/field.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { profileQuery, queryClient, walletQuery } from '../../platform/member/queries.ts';
import { refreshWallet } from '../../platform/member/wallet.ts';
import { toUpper } from '../../platform/to-upper.ts';
import { isUnanswered } from '../../platform/unanswered.ts';

/** Reads again what shows the account. */
const readAgain = () =>
  Promise.all([refreshWallet(), queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })]);

/**
 * Whether a refusal says that an attempt before it, which got no response, has stored the name: the server corrects only
 * a name that is not English.
 */
async function isStored(error: unknown): Promise<boolean> {
  if (codeOf(error) !== 'INVALID_BANK') return false;
  await readAgain();
  return isEnglishName(queryClient.getQueryData(walletQuery.queryKey)?.bankAccount.bankAccountName ?? '');
}

const plain = (typed: string): string => typed.replace(/\s+/g, ' ').trim();

/** Requests the account's name in English letters, where its bank accepts no others. */
export default function AccountNameSheet({ bankCode, onClose }: { bankCode: string; onClose: () => void }) {
  const { t } = useText();
  const [isWrong, setWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [wasUnanswered, setUnanswered] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const bankAccountName = plain(String(new FormData(event.currentTarget).get('name') ?? ''));
    if (!isEnglishName(bankAccountName)) return setWrong(true);
    setBusy(true);
    try {
      await api('PUT /api/account/bankAccountName', { body: { bankCode, bankAccountName } });
      await readAgain();
    } catch (error) {
      if (isUnanswered(error)) setUnanswered(true);
      if (!wasUnanswered || !(await isStored(error))) {
        showToast('bad', errorText(t, error));
        return setBusy(false);
      }
    }
    showToast('ok', t('profile.accountNamed'));
    onClose();
  };
  const foot = (
    <Button type="submit" form="account-name-form" isWide isBusy={isBusy}>
      {t('btn.save')}
    </Button>
  );
  return (
    <Sheet title={t('profile.nameAccount')} onClose={onClose} footer={foot}>
      <form
        id="account-name-form"
        className={layout.stack}
        noValidate
        onSubmit={submit}
        onInput={() => setWrong(false)}
      >
        <p className={layout.caption}>{t('profile.nameAccountLead')}</p>
        <Field
          label={t('bank.accountName')}
          name="name"
          autoComplete="off"
          autoCapitalize="characters"
          onInput={toUpper}
          error={isWrong ? t('valid.bankNameEnglish') : null}
        />
      </form>
    </Sheet>
  );
}
