import { LangSwitch } from '@krapao/ui/components/lang-switch.tsx';
import { TopBar } from '@krapao/ui/components/top-bar.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { api } from '../../platform/api.ts';
import { chooseLanguage } from '../../platform/language.ts';
import { OtpForm } from '../../platform/otp-form.tsx';
import page from '../../platform/page.module.css';
import { CHAT_PLACE } from '../../platform/places.ts';
import { useSite } from '../../platform/site-info.ts';
import styles from '../../platform/steps.module.css';
import { useIsShown } from '../../platform/use-is-shown.ts';
import { useTitle } from '../../platform/use-title.ts';
import { PasswordStep } from './password-step.tsx';
import { PhoneStep } from './phone-step.tsx';
import { type Forgot, useForgot } from './use-forgot.ts';

const SCREENS = { phone: PhoneStep, otp: CodeStep, password: PasswordStep };

/** Phone, code, new password. */
export default function ForgotPage() {
  const { t } = useText();
  const site = useSite();
  const forgot = useForgot();
  const Screen = SCREENS[forgot.step];
  useTitle(`${t('forgot.title')} – ${site.name}`);
  return (
    <>
      <TopBar name={t('login.forgot')} onBack={forgot.back} tag={site.sandboxTag}>
        <span id={CHAT_PLACE} />
        <LangSwitch onChoose={chooseLanguage} />
      </TopBar>
      <main className={`${page.page} ${styles.page}`}>
        <Screen forgot={forgot} />
      </main>
    </>
  );
}

function CodeStep({ forgot }: { forgot: Forgot }) {
  const { t } = useText();
  const isShown = useIsShown();
  return (
    <OtpForm
      lead={t('forgot.sent')}
      phone={forgot.phone}
      sent={forgot.sent}
      onCheck={async (otpCode) => {
        await api('POST /api/password/verify', { body: { otpToken: forgot.sent?.token ?? '', otpCode } });
        if (isShown()) forgot.go('password', { replace: true });
      }}
      onResend={() => forgot.send(forgot.phone)}
      onChangePhone={forgot.back}
    />
  );
}
