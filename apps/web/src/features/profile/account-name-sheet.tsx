import { isEnglishName } from '@krapao/contract/shared';
import { Button } from '@krapao/ui/components/button.tsx';
import { Field } from '@krapao/ui/components/field.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { profileQuery, queryClient } from '../../platform/member/queries.ts';
import { refreshWallet } from '../../platform/member/wallet.ts';
import { toUpper } from '../../platform/to-upper.ts';

const plain = (typed: string): string => typed.replace(/\s+/g, ' ').trim();

/** Requests the account's name in English letters, where its bank accepts no others. */
export default function AccountNameSheet({ bankCode, onClose }: { bankCode: string; onClose: () => void }) {
  const { t } = useText();
  const [isWrong, setWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const bankAccountName = plain(String(new FormData(event.currentTarget).get('name') ?? ''));
    if (!isEnglishName(bankAccountName)) return setWrong(true);
    setBusy(true);
    try {
      await api('PUT /api/account/bankAccountName', { body: { bankCode, bankAccountName } });
      await Promise.all([
        refreshWallet(),
        queryClient.invalidateQueries({ queryKey: profileQuery.queryKey }),
      ]);
      showToast('ok', t('profile.accountNamed'));
      onClose();
    } catch (error) {
      showToast('bad', errorText(t, error));
      setBusy(false);
    }
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
