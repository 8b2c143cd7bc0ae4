import type { Currency } from '@krapao/contract/shared';
import { amountText, CURRENCY_SYMBOL, parseFigure } from '@krapao/ui/text/amount-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { figureProblem } from '../platform/figure-text.ts';
import { KeyHint } from './cells.tsx';
import { Dialog } from './dialog.tsx';
import { FOCUSED } from './focused.ts';

export interface DialogField {
  name: string;
  label: string;
  /** Rows of text; one by default. */
  rows?: number;
  least?: number;
  /** Letters at the most; 500 by default. */
  most?: number;
  /** Says below a field of several rows what is in it. */
  note?: (value: string) => string | undefined;
  options?: { value: string; label: string }[];
  value?: string;
  /** Shown in a choice that has no value yet. */
  placeholder?: string;
  /** The text must be a figure of at most so many decimals, or empty; with a currency the amount is repeated below. */
  figure?: { decimals: number; currency?: Currency };
  /** Draws a control of its own in the place of a text field. */
  draw?: (value: string, onChange: (value: string) => void) => ReactNode;
}

const focused = (isFirst: boolean) => (isFirst ? FOCUSED : {});

interface DialogInputProps {
  field: DialogField;
  isFirst: boolean;
  value: string;
  onChange: (value: string) => void;
}

function DialogInput({ field, isFirst, value, onChange }: DialogInputProps) {
  const { t } = useText();
  if (field.draw) return field.draw(value, onChange);
  if (field.options)
    return (
      <Select
        label={field.label}
        data={field.options}
        value={value || null}
        placeholder={field.placeholder}
        withAsterisk={Boolean(field.least)}
        onChange={(next) => onChange(next ?? '')}
        allowDeselect={false}
        {...focused(isFirst)}
      />
    );
  const { figure } = field;
  const amount = figure?.currency && parseFigure(value, figure.decimals);
  const common = {
    label: field.label,
    required: Boolean(field.least),
    maxLength: field.most ?? 500,
    ...focused(isFirst),
    value,
  };
  if (!field.rows)
    return (
      <TextInput
        {...common}
        inputMode={figure && (figure.decimals > 0 ? 'decimal' : 'numeric')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={
          figure?.currency && amount != null && CURRENCY_SYMBOL[figure.currency] + amountText(amount)
        }
        error={figure && figureProblem(t, value, figure.decimals)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <Textarea
      {...common}
      autosize
      minRows={field.rows}
      maxRows={12}
      description={field.note?.(value)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface ActionDialogProps {
  title: string;
  children?: ReactNode;
  /** The text of the confirmation; a function where it depends on the fields. */
  fields?: readonly DialogField[] | ((values: Record<string, string>) => readonly DialogField[]);
  yes: string;
  isDangerous?: boolean;
  /** Whether there is nothing it could do. */
  isDisabled?: boolean;
  /** Whether `onClose` stops what runs; otherwise the dialog cannot be closed until it is done. */
  canStop?: boolean;
  onYes: (values: Record<string, string>) => Promise<void>;
  onClose: () => void;
}

const LONG = 45;
/** A confirmation of more letters would stand on a line of its own below the key hint and Cancel. */
const LONG_BUTTON = 20;
/** Options that would be cut in a narrow sheet. */
const hasLongOptions = (fields: readonly DialogField[]): boolean =>
  fields.some((field) => field.options?.some(({ label }) => label.length > LONG));

/** Whether a field has the text it needs, and a figure where it needs one. */
const isFilled = (t: Translate, { least = 0, figure }: DialogField, value: string): boolean =>
  value.trim().length >= least && !(figure && figureProblem(t, value, figure.decimals));

/**
 * Confirms an action before it runs. Ctrl+Enter confirms in every field; Enter does without a text field.
 * `onYes` resolves when it is done and the dialog closes; a throw keeps it open. While it runs, the dialog stays open.
 */
export function ActionDialog({
  title,
  children,
  fields: given = [],
  yes,
  isDangerous,
  isDisabled = false,
  canStop = false,
  onYes,
  onClose,
}: ActionDialogProps) {
  const { t } = useText();
  const fieldsOf = (filled: Record<string, string>) => (typeof given === 'function' ? given(filled) : given);
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(fieldsOf({}).map((field) => [field.name, field.value ?? ''])),
  );
  const fields = fieldsOf(values);
  const [isBusy, setBusy] = useState(false);
  const isComplete = !isDisabled && fields.every((field) => isFilled(t, field, values[field.name] ?? ''));
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (!isComplete || isBusy) return;
    setBusy(true);
    await onYes(values).then(onClose, () => setBusy(false));
  };
  const isLocked = isBusy && !canStop;
  const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
  const isWide = yes.length > LONG_BUTTON || hasLongOptions(fields) || fields.some(({ draw }) => draw);
  return (
    <Dialog
      onClose={onClose}
      title={title}
      centered
      yOffset={fields.length > 4 ? '2dvh' : undefined}
      size={isWide ? 'lg' : 'md'}
      isLocked={isLocked}
    >
      <form
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void submit();
        }}
      >
        <Stack>
          {children}
          {fields.map((field, index) => (
            <DialogInput
              key={field.name}
              field={field}
              isFirst={index === 0}
              value={values[field.name] ?? ''}
              onChange={(value) => set(field.name, value)}
            />
          ))}
          <Group justify="flex-end">
            <KeyHint keys={fields.some(({ rows }) => rows) ? ['Ctrl', 'Enter'] : ['Enter']}>
              {t('keys.send')}
            </KeyHint>
            <Button variant="default" disabled={isLocked} onClick={onClose}>
              {t('btn.cancel')}
            </Button>
            <Button
              type="submit"
              className={isDangerous ? 'danger' : undefined}
              loading={isBusy}
              disabled={!isComplete}
              {...focused(fields.length === 0)}
            >
              {yes}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
