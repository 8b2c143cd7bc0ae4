import { download } from '@krapao/ui/api/download.ts';
import { Button, IconButton } from '@krapao/ui/components/button.tsx';
import { Chips } from '@krapao/ui/components/chips.tsx';
import { DateField } from '@krapao/ui/components/date-field.tsx';
import { saveFile } from '@krapao/ui/components/picture.ts';
import { SelectField } from '@krapao/ui/components/select-field.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { Download, SlidersHorizontal } from 'lucide';
import { useId, useState } from 'react';
import { apiSettings } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { STATUSES, type StatementFilter, TYPES } from './filter.ts';
import styles from './statement-page.module.css';

interface FilterProps {
  filter: StatementFilter;
  onChange: (filter: StatementFilter) => void;
}

/** The kinds as chips; status, days and the file behind one button. */
export function FilterBar({ filter, onChange }: FilterProps) {
  const { t } = useText();
  const id = useId();
  const { type, ...more } = filter;
  const isNarrowed = Object.keys(more).length > 0;
  const [isOpen, setOpen] = useState(isNarrowed);
  const options = [
    { value: '' as const, label: t('statement.all') },
    ...TYPES.map((value) => ({ value, label: t(`type.${value}`) })),
  ];
  const toggle = (
    <IconButton
      className={styles.toggle}
      icon={SlidersHorizontal}
      size={20}
      label={t('statement.filter')}
      aria-expanded={isOpen}
      aria-controls={id}
      data-on={isNarrowed || undefined}
      onClick={() => setOpen(!isOpen)}
    />
  );
  return (
    <search className={styles.filter}>
      <Chips
        label={t('statement.kind')}
        options={options}
        value={type ?? ''}
        onChange={(value) => onChange(value === '' ? more : { ...more, type: value })}
        lead={toggle}
      />
      <div id={id} hidden={!isOpen}>
        <FilterPanel filter={filter} onChange={onChange} />
      </div>
    </search>
  );
}

const STATUS_IDS = {
  SUCCESS: 'status.success',
  FAILED: 'status.failed',
  IN_PROGRESS: 'status.inProgress',
} as const;

/** The filter with one field set, or without it where nothing was chosen. */
const withField = (filter: StatementFilter, name: keyof StatementFilter, value: string): StatementFilter => {
  const { [name]: _, ...rest } = filter;
  return value === '' ? rest : { ...rest, [name]: value };
};

function FilterPanel({ filter, onChange }: FilterProps) {
  const { t } = useText();
  const set = (name: keyof StatementFilter) => (value: string) => onChange(withField(filter, name, value));
  return (
    <div className={`${layout.card} ${layout.pad} ${styles.panel}`}>
      <SelectField
        label={t('status.label')}
        placeholder={t('statement.all')}
        value={filter.status ?? ''}
        onChange={(event) => set('status')(event.target.value)}
      >
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {t(STATUS_IDS[status])}
          </option>
        ))}
      </SelectField>
      <div className={styles.days}>
        <DateField
          label={t('statement.fromDay')}
          max={filter.to}
          value={filter.from ?? ''}
          onChange={set('from')}
        />
        <DateField
          label={t('statement.toDay')}
          min={filter.from}
          value={filter.to ?? ''}
          onChange={set('to')}
        />
      </div>
      <div className={styles.actions}>
        <Button tone="text" isSmall disabled={Object.keys(filter).length === 0} onClick={() => onChange({})}>
          {t('statement.clear')}
        </Button>
        <SaveCsv filter={filter} />
      </div>
    </div>
  );
}

function SaveCsv({ filter }: { filter: StatementFilter }) {
  const { t } = useText();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveFile(await download(apiSettings, '/api/statement/csv', filter), 'statement.csv');
    } catch (error) {
      showToast('bad', errorText(t, error));
    }
    setBusy(false);
  };
  return (
    <Button tone="line" isSmall icon={Download} isBusy={isBusy} onClick={save}>
      {t('statement.csv')}
    </Button>
  );
}
