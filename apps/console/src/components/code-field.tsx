import { useText } from '@krapao/ui/text/text.tsx';
import { TextInput } from '@mantine/core';

/** The six digits of the authenticator. */
export function CodeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useText();
  return (
    <TextInput
      label={t('signIn.code')}
      description={t('signIn.codeHint')}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, ''))}
    />
  );
}
