import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Anchor, Button, Code, PasswordInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { encode } from 'uqr';
import { CodeField } from '../../components/code-field.tsx';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { DoorCard } from './sign-in.tsx';

const PASSWORD_LEAST = 12;

/** An address as a QR code, drawn here so that the secret leaves this page for the camera only. */
function Qr({ text }: { text: string }) {
  const { t } = useText();
  const { data, size } = useMemo(() => encode(text), [text]);
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      viewBox={`-2 -2 ${size + 4} ${size + 4}`}
      width={220}
      role="img"
      aria-label={t('enrol.scan')}
      style={{ background: '#fff', alignSelf: 'center' }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The one-time page of a new operator: scan, choose a password, prove the code. The token stays behind the `#`. */
export function EnrolPage() {
  const { t } = useText();
  const [token] = useState(() => location.hash.slice(1));
  const [values, setValues] = useState({ password: '', code: '' });
  const [error, setError] = useState<unknown>(null);
  const [isDone, setDone] = useState(false);
  const enrolment = useQuery({
    queryKey: ['enrolment', token],
    queryFn: () => api('POST /api/operator/enrolment', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !isDone,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setError(null);
    try {
      await api('POST /api/operator/enrol', { body: { token, ...values } });
      history.replaceState(null, '', '/enrol');
      setDone(true);
    } catch (reason) {
      setError(reason);
    }
  };
  const secret = /secret=(\w+)/.exec(enrolment.data?.otpauth ?? '')?.[1] ?? '';
  if (isDone)
    return (
      <DoorCard title={t('enrol.done')}>
        <Anchor href="/">{t('signIn.title')}</Anchor>
      </DoorCard>
    );
  return (
    <DoorCard title={t('enrol.title')}>
      {(error ?? enrolment.error) !== null && (
        <Alert color="red" role="alert">
          {errorText(t, error ?? enrolment.error)}
        </Alert>
      )}
      {enrolment.data && (
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{t('enrol.hello', { name: enrolment.data.name })}</Text>
            <Qr text={enrolment.data.otpauth} />
            <Code block>{secret}</Code>
            <PasswordInput
              label={t('enrol.password')}
              description={t('enrol.passwordHint', { least: PASSWORD_LEAST })}
              autoComplete="new-password"
              required
              minLength={PASSWORD_LEAST}
              maxLength={200}
              value={values.password}
              onChange={(event) => setValues({ ...values, password: event.currentTarget.value })}
            />
            <CodeField value={values.code} onChange={(code) => setValues({ ...values, code })} />
            <Button type="submit" disabled={values.code.length !== 6}>
              {t('enrol.submit')}
            </Button>
          </Stack>
        </form>
      )}
    </DoorCard>
  );
}
