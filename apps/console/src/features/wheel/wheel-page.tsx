import { CURRENCIES, type Language, languageTag } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Box, Button, Group, Select, SimpleGrid, Stack, Tabs, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Figure } from '../../components/cells.tsx';
import { LanguageTabs } from '../../components/language-tabs.tsx';
import { NewerVersion } from '../../components/newer-version.tsx';
import { Page } from '../../components/page.tsx';
import { FigureInput } from '../../components/prize-fields.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api } from '../../platform/api.ts';
import { useEditedVersion } from '../../platform/edited-version.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link } from '../../platform/paths.ts';
import { useUnsaved } from '../../platform/unsaved.ts';
import { type Plan, type Wheel, type WheelDraft, type WheelReply, wheelDraftOf } from './draft.ts';
import { DrawnWheel } from './drawn-wheel.tsx';
import { Given } from './given.tsx';
import { Part, PublishPart, ReasonDialog, useWheelAction } from './publish.tsx';
import { Simulation } from './simulation.tsx';
import { SliceTable } from './slice-table.tsx';
import { Versions } from './versions.tsx';
import { WheelStateTag } from './wheel-parts.tsx';
import styles from './wheels.module.css';

function IdentityPart({
  of,
  isNew,
  language,
  onLanguage,
  onChange,
}: {
  of: WheelDraft;
  isNew: boolean;
  language: Language;
  onLanguage: (language: Language) => void;
  onChange: (change: Partial<WheelDraft>) => void;
}) {
  const { t } = useText();
  const isMissing = (one: Language) =>
    of.name[one].trim() === '' || of.slices.some(({ label }) => label[one].trim() === '');
  return (
    <Part title={t('wheel.partIdentity')}>
      <LanguageTabs value={language} isMissing={isMissing} onChange={onLanguage} />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={t('wheel.name')}
          required
          maxLength={60}
          lang={languageTag(language)}
          value={of.name[language]}
          onChange={(event) => onChange({ name: { ...of.name, [language]: event.currentTarget.value } })}
        />
        <FigureInput
          label={t('wheel.costPerSpin')}
          isNeeded
          value={of.costPerSpin}
          onChange={(costPerSpin) => onChange({ costPerSpin })}
        />
        <Select
          label={t('bonus.currency')}
          data={CURRENCIES.map((value) => ({ value, label: t(`channel.${value}`) }))}
          value={of.currency}
          readOnly={!isNew}
          allowDeselect={false}
          onChange={(currency) => onChange({ currency: currency as WheelDraft['currency'] })}
        />
      </SimpleGrid>
    </Part>
  );
}

interface EditorProps {
  wheel: Wheel | null;
  plan?: Plan;
  given?: WheelReply['slices'];
  /** Whether the server has a newer version, and would refuse the changes. */
  isOutdated?: boolean;
  /** Receives whether there are changes that were not saved. */
  onChanged?: (isChanged: boolean) => void;
}

/** The plan beside the wheel it draws, its cost, and its simulation. */
function Editor({ wheel, plan, given = [], isOutdated = false, onChanged }: EditorProps) {
  const { t, language: own } = useText();
  const canManage = may(useMe(), 'promotion.manage');
  const [draft, setDraft] = useState<WheelDraft>(() => wheelDraftOf(wheel?.currency ?? 'BAHT', plan));
  const [isChanged, setChanged] = useState(false);
  const [language, setLanguage] = useState<Language>(own);
  const reportUnsaved = useUnsaved();
  const reportChanged = (is: boolean) => {
    setChanged(is);
    reportUnsaved(is);
    onChanged?.(is);
  };
  const onChange = (change: Partial<WheelDraft>) => {
    reportChanged(true);
    setDraft((before) => ({ ...before, ...change }));
  };
  const left = new Map(given.map((slice) => [slice.code, slice.left]));
  return (
    <Group align="flex-start" wrap="wrap" gap="md">
      <Box style={{ flex: '1 1 520px', minWidth: 0 }}>
        <fieldset className={styles.fields} disabled={!canManage}>
          <IdentityPart
            of={draft}
            isNew={!wheel}
            language={language}
            onLanguage={setLanguage}
            onChange={onChange}
          />
          <Part title={t('wheel.slices')}>
            <SliceTable
              slices={draft.slices}
              currency={draft.currency}
              language={language}
              canManage={canManage}
              onChange={(slices) => onChange({ slices })}
            />
          </Part>
        </fieldset>
      </Box>
      <Stack className={styles.beside}>
        <DrawnWheel slices={draft.slices} language={language} />
        {canManage && (
          <PublishPart
            draft={draft}
            wheel={wheel}
            isChanged={isChanged}
            isOutdated={isOutdated}
            onSaved={() => reportChanged(false)}
          />
        )}
        <Simulation slices={draft.slices} left={left} language={language} />
      </Stack>
    </Group>
  );
}

function Back() {
  const { t } = useText();
  return (
    <Anchor component={Link} href="/wheels" size="sm">
      {t('wheel.back')}
    </Anchor>
  );
}

/** A wheel that is not written yet. */
export function NewWheelPage() {
  const { t } = useText();
  return (
    <Page title={t('wheel.add')} actions={<Back />}>
      <Editor wheel={null} />
    </Page>
  );
}

/** Takes the wheel away at once. */
function StopButton({ of: wheel }: { of: Wheel }) {
  const { t } = useText();
  const perform = useWheelAction();
  const [isOpen, setDialog] = useState(false);
  const stop = (reason: string) =>
    perform(t('wheel.stopped'), () =>
      api('POST /api/operator/wheels/{id}/stop', { params: { id: wheel.id }, body: { reason } }),
    );
  return (
    <>
      <Button variant="default" onClick={() => setDialog(true)}>
        {t('wheel.stop')}
      </Button>
      {isOpen && (
        <ReasonDialog
          title={t('wheel.stop')}
          note={t('wheel.stopNote')}
          yes={t('wheel.stop')}
          isDangerous
          onYes={stop}
          onClose={() => setDialog(false)}
        />
      )}
    </>
  );
}

function Figures({ of: wheel }: { of: Wheel }) {
  const { t } = useText();
  const money = (amount: number) => <Money amount={amount} currency={wheel.currency} />;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Figure name={t('wheel.spins')}>{wheel.spins.toLocaleString('en-US')}</Figure>
      <Figure name={t('wheel.won')}>{money(wheel.won)}</Figure>
      <Figure name={t('wheel.expectedCost')}>{money(wheel.expectedCost)}</Figure>
      <Figure name={t('wheel.costPerSpin')}>{wheel.costPerSpin}</Figure>
    </SimpleGrid>
  );
}

/** The plan, which follows the server until it is changed. */
function PlanTab({ of: { wheel, versions, slices } }: { of: WheelReply }) {
  const plan = versions.find(({ version }) => version === wheel.latest)?.plan;
  const edited = useEditedVersion({ plan, latest: wheel.latest }, String(wheel.latest));
  const { value } = edited;
  return (
    <Stack gap="md">
      <NewerVersion of={edited} />
      <Editor
        key={edited.key}
        // Changes are saved after the version they began from.
        wheel={{ ...wheel, latest: value.latest }}
        given={slices}
        {...(value.plan ? { plan: value.plan } : {})}
        isOutdated={edited.isOutdated}
        onChanged={edited.setChanged}
      />
    </Stack>
  );
}

/** One wheel: its plan, what it has given, and what it was before. */
export function WheelPage({ id }: { id: string }) {
  const { t, language } = useText();
  const canManage = may(useMe(), 'promotion.manage');
  const found = useQuery({
    queryKey: ['wheels', id],
    queryFn: () => api('GET /api/operator/wheels/{id}', { params: { id } }),
  });
  if (!found.data) return <ReadError of={found} />;
  const { wheel } = found.data;
  return (
    <Page
      title={wheel.name[language]}
      actions={
        <>
          <Back />
          <WheelStateTag of={wheel} />
          {canManage && wheel.state === 'OPEN' && <StopButton of={wheel} />}
        </>
      }
    >
      <ReadError of={found} />
      <Figures of={wheel} />
      <Tabs defaultValue="plan" keepMounted={false} keepMountedMode="display-none">
        <Tabs.List mb="md">
          <Tabs.Tab value="plan">{t('wheel.plan')}</Tabs.Tab>
          <Tabs.Tab value="given">{t('wheel.given')}</Tabs.Tab>
          <Tabs.Tab value="versions">{t('content.history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="plan" keepMounted>
          <PlanTab of={found.data} />
        </Tabs.Panel>
        <Tabs.Panel value="given">
          <Given of={found.data} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Versions of={found.data} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
