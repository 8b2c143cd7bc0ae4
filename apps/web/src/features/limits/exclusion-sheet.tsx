import { Button } from '@krapao/ui/components/button.tsx';
import { Field } from '@krapao/ui/components/field.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Segmented } from '@krapao/ui/components/segmented.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { CircleCheck } from 'lucide';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { useOwnSheet } from '../../platform/own-sheet.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { type ExclusionLength, takeLimits } from './queries.ts';

const KINDS = {
  timeOut: {
    title: 'limit.timeout',
    start: 'limit.start',
    word: 'limit.word',
    lengths: { '24h': 'limit.24h', '7d': 'limit.7d', '30d': 'limit.30d' },
  },
  exclude: {
    title: 'limit.exclude',
    start: 'limit.excludeStart',
    word: 'limit.excludeWord',
    lengths: { '6m': 'limit.6m', '1y': 'limit.1y', forever: 'limit.forever' },
  },
} as const;

/** Starts the exclusion and shows its end in a toast. */
function useExclusion() {
  const { t } = useText();
  const own = useOwnSheet();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const begin = async (length: ExclusionLength) => {
    setBusy(true);
    try {
      const response = await api('POST /api/limits/break', { body: { length } });
      takeLimits(response);
      own.close();
      const until = response.break?.until;
      showToast(
        'ok',
        until ? t('limit.exclusionUntil', { time: dateTimeText(until) }) : t('limit.excludedForGood'),
      );
    } catch (error) {
      setProblem(errorText(t, error));
      setBusy(false);
    }
  };
  return { begin, isBusy, problem };
}

/** Starts a time-out or self-exclusion, which cannot end early: the member types a word to confirm. `arg`: timeOut or exclude. */
export default function ExclusionSheet({ arg }: { arg: string | undefined }) {
  const { t } = useText();
  const kind = KINDS[arg === 'exclude' ? 'exclude' : 'timeOut'];
  const options = Object.entries(kind.lengths).map(([value, id]) => ({
    value: value as ExclusionLength,
    label: t(id),
  }));
  const [length, setLength] = useState<ExclusionLength>(options[0]!.value);
  const [typed, setTyped] = useState('');
  const { begin, isBusy, problem } = useExclusion();
  const word = t(kind.word);
  const isTyped = typed.trim().toLowerCase() === word.toLowerCase();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTyped) begin(length);
  };
  const foot = (
    <Button type="submit" form="exclusion-form" tone="danger" isWide isBusy={isBusy} disabled={!isTyped}>
      {t(kind.start)}
    </Button>
  );
  return (
    <Sheet title={t(kind.title)} onClose={closeSheet} footer={foot}>
      <form id="exclusion-form" className={layout.stack} onSubmit={submit}>
        <Segmented label={t('limit.length')} options={options} value={length} onChange={setLength} />
        <MessageBox tone="warn">{t('limit.exclusionWarn')}</MessageBox>
        <MessageBox tone="info" icon={CircleCheck}>
          {t('limit.exclusionOpen')}
        </MessageBox>
        <Field
          label={t('limit.typeWord', { word })}
          name="word"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      {problem && <MessageBox tone="bad">{problem}</MessageBox>}
    </Sheet>
  );
}
