import { CURRENCIES, CURRENCY_DECIMALS } from '@krapao/contract/shared';
import { CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import {
  Checkbox,
  Group,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { NumberField } from '../../components/number-field.tsx';
import { type Draft, type Figure, type Game, isPlayable } from './draft.ts';

export interface PartProps {
  of: Draft;
  onChange: (change: Partial<Draft>) => void;
}

/** One group of fields. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Stack gap="sm">{children}</Stack>
    </Paper>
  );
}

type FigureName = {
  [Name in keyof Draft]: Draft[Name] extends Figure ? Name : never;
}[keyof Draft];

interface FigureProps extends PartProps {
  name: FigureName;
  /** The unit after the figure; money has its sign in front. */
  unit?: string;
  isMoney?: boolean;
  isNeeded?: boolean;
  decimals?: number;
}

function FigureField({ of, onChange, name, unit, isMoney, isNeeded, decimals = 0 }: FigureProps) {
  const { t } = useText();
  return (
    <NumberField
      label={t(`bonus.${name}`)}
      placeholder={isNeeded ? '' : t('bonus.optional')}
      required={isNeeded ?? false}
      decimals={isMoney ? CURRENCY_DECIMALS[of.currency] : decimals}
      prefix={isMoney ? CURRENCY_SYMBOL[of.currency] : ''}
      suffix={unit ? ` ${unit}` : ''}
      value={of[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
}

/** Its code, and its audience. */
export function IdentityPart({ of, onChange, isNew }: PartProps & { isNew: boolean }) {
  const { t } = useText();
  return (
    <Part title={t('bonus.partIdentity')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={t('bonus.code')}
          description={t('bonus.codeNote')}
          required
          readOnly={!isNew}
          maxLength={40}
          value={of.code}
          onChange={(event) =>
            onChange({ code: event.currentTarget.value.toUpperCase().replace(/[^A-Z0-9]/g, '') })
          }
        />
        <Select
          label={t('bonus.kind')}
          description={t(`bonusKindNote.${of.kind}`)}
          data={(['bonus', 'promotion'] as const).map((value) => ({ value, label: t(`bonusKind.${value}`) }))}
          value={of.kind}
          readOnly={!isNew}
          allowDeselect={false}
          onChange={(kind) => onChange({ kind: kind as Draft['kind'] })}
        />
        <Select
          label={t('bonus.currency')}
          description={t('bonus.currencyNote')}
          data={CURRENCIES.map((value) => ({ value, label: t(`channel.${value}`) }))}
          value={of.currency}
          readOnly={!isNew}
          allowDeselect={false}
          onChange={(currency) => onChange({ currency: currency as Draft['currency'] })}
        />
      </SimpleGrid>
    </Part>
  );
}

/** What is granted, and on which deposit. */
export function AwardPart({ of, onChange }: PartProps) {
  const { t } = useText();
  const isPercent = of.award === 'percent';
  const props = { of, onChange };
  return (
    <Part title={t('bonus.partAward')}>
      <SegmentedControl
        aria-label={t('bonus.partAward')}
        style={{ alignSelf: 'flex-start' }}
        value={of.award}
        data={[
          { value: 'percent', label: t('bonus.awardPercent') },
          { value: 'fixed', label: t('bonus.awardFixed') },
        ]}
        onChange={(award) => onChange({ award: award as Draft['award'] })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {isPercent ? (
          <>
            <FigureField {...props} name="percent" unit="%" isNeeded />
            <FigureField {...props} name="awardMost" isMoney />
          </>
        ) : (
          <FigureField {...props} name="fixed" isMoney isNeeded />
        )}
      </SimpleGrid>
      {!isPercent && (
        <Switch
          label={t('bonus.needsDeposit')}
          checked={of.needsDeposit}
          onChange={(event) => onChange({ needsDeposit: event.currentTarget.checked })}
        />
      )}
      {(isPercent || of.needsDeposit) && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <FigureField {...props} name="depositLeast" isMoney isNeeded />
          <FigureField {...props} name="depositMost" isMoney />
        </SimpleGrid>
      )}
    </Part>
  );
}

/** What a run is won and lost by. */
export function RunPart({ of, onChange, games }: PartProps & { games: readonly Game[] }) {
  const { t } = useText();
  const props = { of, onChange };
  const isPlain = of.successPercent === 0 && of.turnoverTimes === 0;
  return (
    <Part title={t('bonus.partRun')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <FigureField {...props} name="successPercent" unit="%" isNeeded />
        <FigureField {...props} name="failPercent" unit="%" isNeeded />
        <FigureField {...props} name="turnoverTimes" unit="×" isNeeded decimals={2} />
        <FigureField {...props} name="withdrawMost" isMoney />
        <FigureField {...props} name="days" isNeeded />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {isPlain ? t('bonus.plainNote') : t('bonus.runNote')}
      </Text>
      <GamesField {...props} games={games} />
    </Part>
  );
}

function GamesField({ of, onChange, games }: PartProps & { games: readonly Game[] }) {
  const { t } = useText();
  const chosen = of.games;
  const put = (code: string, weight: number | null) => {
    const { [code]: _gone, ...rest } = chosen ?? {};
    onChange({ games: weight === null ? rest : { ...rest, [code]: weight } });
  };
  return (
    <>
      <Switch
        label={t('bonus.allGames')}
        checked={chosen === null}
        onChange={(event) => onChange({ games: event.currentTarget.checked ? null : {} })}
      />
      {!isPlayable(of) && (
        <Text size="sm" c="red">
          {t(Object.keys(chosen ?? {}).length === 0 ? 'bonus.noGame' : 'bonus.noWeight')}
        </Text>
      )}
      {chosen && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {games.map(({ code, name }) => (
            <Group key={code} wrap="nowrap" justify="space-between" gap="xs">
              <Checkbox
                label={name}
                checked={code in chosen}
                onChange={(event) => put(code, event.currentTarget.checked ? 100 : null)}
              />
              <NumberField
                aria-label={t('bonus.weightOf', { game: name })}
                w={96}
                size="xs"
                max={1000}
                suffix=" %"
                disabled={!(code in chosen)}
                value={chosen[code] ?? null}
                onChange={(value) => put(code, value ?? 0)}
              />
            </Group>
          ))}
        </SimpleGrid>
      )}
    </>
  );
}

/** How often, by how many, and when. */
export function LimitPart({ of, onChange }: PartProps) {
  const { t } = useText();
  const props = { of, onChange };
  const isOnce = of.kind === 'promotion';
  return (
    <Part title={t('bonus.partLimit')}>
      {isOnce && (
        <SegmentedControl
          aria-label={t('sum.codes')}
          style={{ alignSelf: 'flex-start' }}
          value={of.codes}
          data={(['shared', 'single'] as const).map((value) => ({ value, label: t(`bonusCodes.${value}`) }))}
          onChange={(codes) => onChange({ codes: codes as Draft['codes'] })}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {!isOnce && (
          <>
            <Select
              label={t('bonus.countBy')}
              data={(['limit', 'day', 'week'] as const).map((value) => ({
                value,
                label: t(`bonusCount.${value}`),
              }))}
              value={of.countBy}
              allowDeselect={false}
              onChange={(countBy) => onChange({ countBy: countBy as Draft['countBy'] })}
            />
            <FigureField {...props} name="maxReceived" isNeeded />
          </>
        )}
        <FigureField {...props} name="quota" />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['startsAt', 'endsAt'] as const).map((name) => (
          <TextInput
            key={name}
            type="datetime-local"
            label={t(name === 'startsAt' ? 'banner.starts' : 'banner.ends')}
            description={t('banner.time')}
            value={of[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      <Switch
        label={t('bonus.isOpen')}
        checked={of.isOpen}
        onChange={(event) => onChange({ isOpen: event.currentTarget.checked })}
      />
    </Part>
  );
}
