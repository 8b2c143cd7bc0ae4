import { LANGUAGE_NAMES, LANGUAGES, languageTag } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import {
  Alert,
  Button,
  Center,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { CodeField } from '../../components/code-field.tsx';
import { api, queries } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { showLanguage } from '../../platform/i18n.ts';

/** The card in the middle of the page for visitors without a session. */
export function DoorCard({ title, children }: { title: string; children: ReactNode }) {
  const { t, language } = useText();
  useEffect(() => {
    document.title = t('shell.product');
  }, [t]);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder shadow="sm" p="xl" w={400} maw="100%">
        <Stack>
          <Text fw={700} c="var(--brand)">
            {t('shell.product')}
          </Text>
          <Title order={1} size="h2">
            {title}
          </Title>
          {children}
          <Group gap="xs" justify="center">
            {LANGUAGES.map((code) => (
              <Button
                key={code}
                lang={languageTag(code)}
                variant={code === language ? 'light' : 'subtle'}
                size="compact-sm"
                onClick={() => void showLanguage(code)}
              >
                {LANGUAGE_NAMES[code]}
              </Button>
            ))}
          </Group>
        </Stack>
      </Paper>
    </Center>
  );
}

/** Password and second factor together; which of them was wrong is not revealed. */
export function SignInPage() {
  const { t } = useText();
  const [values, setValues] = useState({ name: '', password: '', code: '' });
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const set = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }));
  const ended = useQuery<'idle' | 'other' | null>({
    queryKey: ['ended'],
    queryFn: () => null,
    enabled: false,
  }).data;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const body = { ...values, name: values.name.trim() };
      queries.setQueryData(['me'], await api('POST /api/operator/login', { body }));
      queries.setQueryData(['ended'], null);
    } catch (reason) {
      setError(reason);
      set({ code: '' });
    }
    setBusy(false);
  };
  return (
    <DoorCard title={t('signIn.title')}>
      <form onSubmit={submit}>
        <Stack>
          {error === null && ended && (
            <Alert color="yellow" role="status">
              {t(ended === 'idle' ? 'signIn.endedIdle' : 'signIn.ended')}
            </Alert>
          )}
          {error !== null && (
            <Alert color="red" role="alert">
              {errorText(t, error)}
            </Alert>
          )}
          <TextInput
            label={t('signIn.name')}
            autoComplete="username"
            autoCapitalize="none"
            required
            maxLength={60}
            value={values.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <PasswordInput
            label={t('signIn.password')}
            autoComplete="current-password"
            required
            maxLength={200}
            value={values.password}
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
          <CodeField value={values.code} onChange={(code) => set({ code })} />
          <Button type="submit" loading={isBusy} disabled={values.code.length !== 6} size="md">
            {t('signIn.submit')}
          </Button>
        </Stack>
      </form>
    </DoorCard>
  );
}
