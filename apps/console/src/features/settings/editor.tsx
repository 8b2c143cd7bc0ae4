import { CURRENCIES, CURRENCY_DECIMALS } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { NewerVersion } from '../../components/newer-version.tsx';
import { useNotice } from '../../components/notice.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { api, queries } from '../../platform/api.ts';
import { type EditedVersion, useEditedVersion } from '../../platform/edited-version.ts';
import { labelOf } from '../../platform/error-text.ts';
import { type Me, may, useMe } from '../../platform/me.ts';
import { Trial } from './trial.tsx';
import { type Hours, type PerCurrency, type Setting, valueText } from './value.ts';

const REASON_LEAST = 3;

interface InputProps {
  of: Setting;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** Yes or no; the service as a whole runs or has ended. */
function Choice({ of: { kind }, value, onChange }: InputProps) {
  const { t } = useText();
  const isService = kind === 'service';
  const isOn = isService ? value === false : value === true;
  return (
    <SegmentedControl
      aria-label={t('settings.value')}
      value={isOn ? 'on' : 'off'}
      onChange={(next) => {
        const on = next === 'on';
        onChange(isService ? (on ? false : 'gone') : on);
      }}
      data={[
        { value: 'on', label: t(isService ? 'settings.running' : 'settings.on') },
        { value: 'off', label: t(isService ? 'settings.ended' : 'settings.off') },
      ]}
    />
  );
}

function Amounts({ value, onChange }: InputProps) {
  const { t } = useText();
  const amounts = value as PerCurrency;
  return (
    <Group grow>
      {CURRENCIES.map((currency) => (
        <NumberField
          key={currency}
          label={t(`channel.${currency}`)}
          decimals={CURRENCY_DECIMALS[currency]}
          value={amounts[currency]}
          onChange={(next) => onChange({ ...amounts, [currency]: next })}
        />
      ))}
    </Group>
  );
}

/** Windows of a day in Bangkok; a window may pass midnight. */
function Windows({ value, onChange }: InputProps) {
  const { t } = useText();
  const windows = value as Hours[];
  return (
    <Stack gap="xs">
      {windows.map((row, index) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: windows have no name but their place
          key={index}
          align="flex-end"
        >
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              type="time"
              label={t(`settings.${end}`)}
              value={row[end]}
              onChange={(event) =>
                onChange(windows.with(index, { ...row, [end]: event.currentTarget.value }))
              }
            />
          ))}
          <Button variant="default" onClick={() => onChange(windows.toSpliced(index, 1))}>
            {t('settings.removeHours')}
          </Button>
        </Group>
      ))}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => onChange([...windows, { from: '00:00', to: '01:00' }])}
      >
        {t('settings.addHours')}
      </Button>
    </Stack>
  );
}

function Input(props: InputProps) {
  const { t } = useText();
  const { kind, unit } = props.of;
  if (kind === 'money') return <Amounts {...props} />;
  if (kind === 'hours') return <Windows {...props} />;
  if (kind !== 'number') return <Choice {...props} />;
  return (
    <NumberField
      label={t(`settings.unit-${unit ?? 'count'}`)}
      value={props.value as number | null}
      onChange={props.onChange}
    />
  );
}

/** Whether no figure of a value was left empty. */
const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).every(isFilled) : value !== null;

/** What it is by default, and whether a second person decides. */
function Notes({ of: row }: { of: Setting }) {
  const { t } = useText();
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('settings.fallback', { value: valueText(t, row, row.fallback) })}
      </Text>
      {row.needsChecker && (
        <Text size="sm" c="var(--warn)">
          {t(row.kind === 'service' ? 'settings.endNote' : 'settings.checkerNote')}
        </Text>
      )}
    </>
  );
}

type ChangeInput = Parameters<typeof api<'PUT /api/operator/settings/{key}'>>[1];

/** The call by which an operator changes a setting: that of all, or that of the group which is theirs. */
function sendOf(me: Me, { group }: Setting) {
  if (may(me, 'setting.manage'))
    return (input: ChangeInput) => api('PUT /api/operator/settings/{key}', input);
  return group === 'risk'
    ? (input: ChangeInput) => api('PUT /api/operator/risk-settings/{key}', input)
    : (input: ChangeInput) => api('PUT /api/operator/promotion-settings/{key}', input);
}

interface ChangeProps {
  /** As it is now. */
  of: Setting;
  start?: unknown;
  onClose: () => void;
}

/** One setting with the editor of its kind: the newest version of it until something is typed. */
export function ChangeSetting({ of: newest, ...props }: ChangeProps) {
  const edited = useEditedVersion(newest, String(newest.version));
  return <SettingForm key={edited.key} {...props} of={edited.value} edited={edited} />;
}

/** The form of a setting; what needs a second person is sent to one. */
function SettingForm({ of: row, start, edited, onClose }: ChangeProps & { edited: EditedVersion<Setting> }) {
  const { t } = useText();
  const notice = useNotice();
  const me = useMe();
  const [value, setValue] = useState<unknown>(start ?? row.value);
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isReady =
    (isBusy || !edited.isOutdated) &&
    isFilled(value) &&
    reason.trim().length >= REASON_LEAST &&
    JSON.stringify(value) !== JSON.stringify(row.value);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const body = { value, version: row.version, reason };
      const input = { params: { key: row.key }, body };
      const response = await sendOf(me, row)(input);
      notice.say(response.approval ? t('approval.requested') : t('settings.saved'));
      onClose();
    } catch (error) {
      notice.complain(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['settings'] });
    }
  };
  return (
    <Dialog
      onClose={onClose}
      centered
      size={row.group === 'risk' ? 'lg' : 'md'}
      title={labelOf(t, 'setting', row.key)}
      isLocked={isBusy}
    >
      <form onSubmit={submit}>
        <Stack>
          {/* While it is sent, the newer version is its own. */}
          {!isBusy && <NewerVersion of={edited} />}
          <Input
            of={row}
            value={value}
            onChange={(next) => {
              edited.setChanged(true);
              setValue(next);
            }}
          />
          <Notes of={row} />
          {row.group === 'risk' && may(me, 'risk.manage') && isFilled(value) && (
            <Trial key={JSON.stringify(value)} of={row} value={value} />
          )}
          <Textarea
            label={t('field.reason')}
            required
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => {
              edited.setChanged(true);
              setReason(event.currentTarget.value);
            }}
          />
          <Group justify="flex-end">
            <Button variant="default" disabled={isBusy} onClick={onClose}>
              {t('btn.cancel')}
            </Button>
            <Button type="submit" disabled={!isReady} loading={isBusy}>
              {t('channel.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
