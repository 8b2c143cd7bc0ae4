import { asciiDigits } from '@krapao/contract/shared';
import { Button } from '@krapao/ui/components/button.tsx';
import { PasswordField } from '@krapao/ui/components/field.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { queryClient, withdrawQuery } from '../../platform/member/queries.ts';
import { useOwnSheet } from '../../platform/own-sheet.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { useRequired } from '../../platform/use-required.ts';

/** A code, so that no password manager keeps it. */
const DIGITS = { inputMode: 'numeric', maxLength: 6, autoComplete: 'one-time-code' } as const;

/** Sends a change of the PIN, and reads again whether one is demanded. */
function usePin() {
  const { t } = useText();
  const own = useOwnSheet();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const perform = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await work();
      await queryClient.invalidateQueries({ queryKey: withdrawQuery.queryKey });
      own.close();
      showToast('ok', done);
    } catch (error) {
      setProblem(errorText(t, error));
      setBusy(false);
    }
  };
  return { isBusy, problem, setProblem, perform };
}

const REQUIRED = ['password'];

/** Sets, changes or removes the PIN that is required before money leaves. The password authenticates the change. */
export default function PinSheet() {
  const { t } = useText();
  const { data } = useQuery(withdrawQuery);
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, problem, setProblem, perform } = usePin();
  const { isComplete, onInput, errorOf } = useRequired(REQUIRED);
  const typed = () => {
    const data = new FormData(form.current ?? undefined);
    const [password, pin, again] = ['password', 'pin', 'again'].map((name) => String(data.get(name) ?? ''));
    return { password: password ?? '', pin: asciiDigits(pin ?? ''), again: asciiDigits(again ?? '') };
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete(form.current!)) return;
    const { password, pin, again } = typed();
    if (!/^\d{6}$/.test(pin)) return setProblem(t('pin.sixDigits'));
    if (pin !== again) return setProblem(t('pin.mismatch'));
    await perform(() => api('PUT /api/account/pin', { body: { password, pin } }), t('pin.saved'));
  };
  const remove = () => {
    if (!isComplete(form.current!)) return;
    const { password } = typed();
    perform(() => api('POST /api/account/pin/remove', { body: { password } }), t('pin.removed'));
  };
  const foot = (
    <Button type="submit" form="pin-form" isWide isBusy={isBusy}>
      {t('btn.save')}
    </Button>
  );
  return (
    <Sheet title={t('pin.title')} onClose={closeSheet} footer={foot}>
      <p className={layout.caption}>{t('pin.lead')}</p>
      <form
        ref={form}
        id="pin-form"
        className={layout.stack}
        noValidate
        onSubmit={submit}
        onInput={(event) => {
          setProblem(null);
          onInput(event);
        }}
      >
        <PasswordField
          label={t('auth.password')}
          name="password"
          autoComplete="current-password"
          error={errorOf('password')}
        />
        <PasswordField label={t('pin.new')} name="pin" {...DIGITS} />
        <PasswordField label={t('pin.again')} name="again" {...DIGITS} />
      </form>
      {problem && <MessageBox tone="bad">{problem}</MessageBox>}
      {data?.needsPin && (
        <Button tone="line" isWide isBusy={isBusy} onClick={remove}>
          {t('pin.remove')}
        </Button>
      )}
    </Sheet>
  );
}
