import { LangSwitch } from '@krapao/ui/components/lang-switch.tsx';
import { Stepper } from '@krapao/ui/components/stepper.tsx';
import { TopBar } from '@krapao/ui/components/top-bar.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useEffect } from 'react';
import { chooseLanguage } from '../../platform/language.ts';
import page from '../../platform/page.module.css';
import { CHAT_PLACE } from '../../platform/places.ts';
import { useSite } from '../../platform/site-info.ts';
import styles from '../../platform/steps.module.css';
import { useTitle } from '../../platform/use-title.ts';
import { BankStep } from './bank-step.tsx';
import { keepInviteCode } from './invite-code.ts';
import { OtpStep } from './otp-step.tsx';
import { PhoneStep } from './phone-step.tsx';
import { ProfileStep } from './profile-step.tsx';
import { STEPS, type Step, useWizard } from './use-wizard.ts';

const SCREENS = { phone: PhoneStep, otp: OtpStep, profile: ProfileStep, bank: BankStep };

/** Four steps to an account. */
export default function RegisterPage() {
  const { t } = useText();
  const site = useSite();
  const wizard = useWizard();
  const Screen = SCREENS[wizard.step];
  const names = {
    phone: t('register.stepPhone'),
    otp: t('otp.otp'),
    profile: t('register.stepProfile'),
    bank: t('bank.bank'),
  };
  const steps: readonly Step[] = wizard.isCodeLess ? STEPS.filter((step) => step !== 'otp') : STEPS;
  useTitle(`${t('auth.register')} – ${site.name}`);
  // A visitor who opens the link and leaves before the step that shows the code has it on the next visit.
  useEffect(() => keepInviteCode(location.search), []);
  return (
    <>
      <TopBar name={t('auth.register')} onBack={wizard.back} tag={site.sandboxTag}>
        <span id={CHAT_PLACE} />
        <LangSwitch onChoose={chooseLanguage} />
      </TopBar>
      <main className={`${page.page} ${styles.page}`}>
        <Stepper steps={steps.map((step) => names[step])} current={steps.indexOf(wizard.step)} />
        <Screen key={String(wizard.isRestored)} wizard={wizard} />
      </main>
    </>
  );
}
