import type { Language } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Box, Button, Group, SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Figure } from '../../components/cells.tsx';
import { NewerVersion } from '../../components/newer-version.tsx';
import { Page } from '../../components/page.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { Runs } from '../../components/runs.tsx';
import { api } from '../../platform/api.ts';
import { useEditedVersion } from '../../platform/edited-version.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link } from '../../platform/paths.ts';
import { useUnsaved } from '../../platform/unsaved.ts';
import { BonusStateTag, useTitleOf } from './bonus-parts.tsx';
import styles from './bonuses.module.css';
import { Codes } from './codes.tsx';
import { type Bonus, type Draft, draftOf, type Game, type Terms, termsOf } from './draft.ts';
import { Preview } from './preview.tsx';
import { PublishPart, REASON, useBonusAction } from './publish.tsx';
import { AwardPart, IdentityPart, LimitPart, RunPart } from './term-fields.tsx';
import { TextSection } from './text-fields.tsx';
import { Versions } from './versions.tsx';

const GAMES_QUERY = { limit: 1 } as const;

/** The games that terms may allow. */
function useGames(): readonly Game[] {
  const list = useQuery({
    queryKey: ['bonuses', 'games'],
    queryFn: () => api('GET /api/operator/bonuses', { query: GAMES_QUERY }),
    staleTime: 60_000,
  });
  return list.data?.games ?? [];
}

interface EditorProps {
  terms?: Terms;
  version: number;
  /** Whether the server has a newer version, and would refuse the changes. */
  isOutdated?: boolean;
  /** Receives whether there are changes that were not sent. */
  onChanged?: (isChanged: boolean) => void;
}

/** Terms beside how a member sees them; a copy begins as a new one. */
function Editor({ terms, version, isOutdated = false, onChanged }: EditorProps) {
  const { language: own } = useText();
  const canManage = may(useMe(), 'promotion.manage');
  const games = useGames();
  const [draft, setDraft] = useState<Draft>(() => draftOf(terms));
  const [isChanged, setChanged] = useState(version === 0);
  const [language, setLanguage] = useState<Language>(own);
  const reportUnsaved = useUnsaved();
  const reportChanged = (is: boolean) => {
    reportUnsaved(is);
    onChanged?.(is);
  };
  const onChange = (change: Partial<Draft>) => {
    setChanged(true);
    reportChanged(true);
    setDraft((before) => ({ ...before, ...change }));
  };
  const props = { of: draft, onChange };
  return (
    <Group align="flex-start" wrap="wrap" gap="md">
      <Box style={{ flex: '1 1 520px', minWidth: 0 }}>
        <fieldset className={styles.fields} disabled={!canManage}>
          <IdentityPart {...props} isNew={version === 0} />
          <TextSection {...props} language={language} onLanguage={setLanguage} />
          <AwardPart {...props} />
          <RunPart {...props} games={games} />
          <LimitPart {...props} />
        </fieldset>
      </Box>
      <Stack className={styles.beside}>
        <Preview of={draft} language={language} />
        {canManage && (
          <PublishPart
            terms={termsOf(draft)}
            version={version}
            canSend={isChanged && !isOutdated}
            onSent={() => reportChanged(false)}
          />
        )}
      </Stack>
    </Group>
  );
}

/** A bonus that is not on offer yet; `from` names one that it begins as. */
export function NewBonusPage({ from }: { from?: string | undefined }) {
  const { t } = useText();
  const model = useQuery({
    queryKey: ['bonuses', from],
    queryFn: () => api('GET /api/operator/bonuses/{code}', { params: { code: from! } }),
    enabled: from !== undefined,
  });
  if (from !== undefined && !model.data) return <ReadError of={model} />;
  return (
    <Page title={t('bonus.add')} actions={<Back />}>
      <Editor version={0} {...(model.data ? { terms: { ...model.data.terms, code: '' } } : {})} />
    </Page>
  );
}

function Back() {
  const { t } = useText();
  return (
    <Anchor component={Link} href="/bonuses" size="sm">
      {t('bonus.back')}
    </Anchor>
  );
}

/** Stops at once; open runs retain their terms. */
function StopButton({ of: bonus }: { of: Bonus }) {
  const { t } = useText();
  const perform = useBonusAction();
  const [isOpen, setDialog] = useState(false);
  const params = { code: bonus.code };
  const stop = ({ reason = '' }: Record<string, string>) =>
    perform(() =>
      api('POST /api/operator/bonuses/{code}/stop', { params, body: { version: bonus.version, reason } }),
    );
  return (
    <>
      <Button variant="default" onClick={() => setDialog(true)}>
        {t('bonus.stop')}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t('bonus.stop')}
          yes={t('bonus.stop')}
          isDangerous
          fields={[{ ...REASON, label: t('field.reason') }]}
          onYes={stop}
          onClose={() => setDialog(false)}
        >
          <Text size="sm">{t('bonus.stopNote', { running: bonus.running })}</Text>
        </ActionDialog>
      )}
    </>
  );
}

function Figures({ of: bonus }: { of: Bonus }) {
  const { t } = useText();
  const money = (amount: number) => <Money amount={amount} currency={bonus.currency} />;
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }}>
      <Figure name={t('bonus.received')}>
        {bonus.quota === null ? String(bonus.received) : `${bonus.received} / ${bonus.quota}`}
      </Figure>
      <Figure name={t('bonus.running')}>{String(bonus.running)}</Figure>
      <Figure name={t('bonus.granted')}>{money(bonus.granted)}</Figure>
      <Figure name={t('bonus.taken')}>{money(bonus.taken)}</Figure>
      <Figure name={t('bonus.cost')}>{money(bonus.granted - bonus.taken)}</Figure>
    </SimpleGrid>
  );
}

/** The terms, which follow the server until they are changed. */
function TermsTab(newest: { terms: Terms; version: number }) {
  const edited = useEditedVersion(newest, String(newest.version));
  return (
    <Stack gap="md">
      <NewerVersion of={edited} />
      <Editor
        key={edited.key}
        {...edited.value}
        isOutdated={edited.isOutdated}
        onChanged={edited.setChanged}
      />
    </Stack>
  );
}

/** One bonus: its terms, who plays with it, and what it was before. */
export function BonusPage({ code }: { code: string }) {
  const { t } = useText();
  const titleOf = useTitleOf();
  const canManage = may(useMe(), 'promotion.manage');
  const found = useQuery({
    queryKey: ['bonuses', code],
    queryFn: () => api('GET /api/operator/bonuses/{code}', { params: { code } }),
  });
  if (!found.data) return <ReadError of={found} />;
  const { bonus, terms, versions } = found.data;
  return (
    <Page
      title={titleOf(bonus)}
      actions={
        <>
          <Back />
          <BonusStateTag of={bonus} />
          {canManage && (
            <Button component={Link} href={`/bonuses/new?from=${bonus.code}`} variant="default">
              {t('bonus.copy')}
            </Button>
          )}
          {canManage && bonus.state !== 'STOPPED' && <StopButton of={bonus} />}
        </>
      }
    >
      <ReadError of={found} />
      <Figures of={bonus} />
      <Tabs defaultValue="terms" keepMounted={false} keepMountedMode="display-none">
        <Tabs.List mb="md">
          <Tabs.Tab value="terms">{t('bonus.terms')}</Tabs.Tab>
          {terms.codes === 'single' && <Tabs.Tab value="codes">{t('codes.title')}</Tabs.Tab>}
          <Tabs.Tab value="runs">{t('bonus.runs')}</Tabs.Tab>
          <Tabs.Tab value="versions">{t('content.history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="terms" keepMounted>
          <TermsTab version={bonus.version} terms={terms} />
        </Tabs.Panel>
        <Tabs.Panel value="codes">
          <Codes code={bonus.code} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <Runs query={{ bonus: bonus.code }} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Versions code={bonus.code} now={bonus.version} versions={versions} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
