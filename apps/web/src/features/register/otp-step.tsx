import { useText } from '@krapao/ui/text/text.tsx';
import { api } from '../../platform/api.ts';
import { OtpForm } from '../../platform/otp-form.tsx';
import { sendOtp } from './send-otp.ts';
import type { Wizard } from './use-wizard.ts';

/** The code that was sent by SMS. */
export function OtpStep({ wizard }: { wizard: Wizard }) {
  const { t } = useText();
  return (
    <OtpForm
      lead={t('otp.sentBySms')}
      phone={wizard.draft.phone}
      sent={wizard.otp}
      onCheck={async (otpCode) => {
        await api('POST /api/otp/verify', { body: { otpToken: wizard.otp?.token ?? '', otpCode } });
        if (!wizard.isAt('otp')) return;
        wizard.setOtp(null);
        wizard.go('profile', { replace: true });
      }}
      onResend={async () => {
        const next = await sendOtp(wizard);
        if (next === 'profile' && wizard.isAt('otp')) wizard.go(next, { replace: true });
      }}
      onChangePhone={wizard.back}
    />
  );
}
