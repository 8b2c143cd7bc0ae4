import { AmountField } from '@krapao/ui/components/amount-field.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Segmented } from '@krapao/ui/components/segmented.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { parseAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { limitsQuery } from '../../platform/member/queries.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { useLimitTexts } from './limit-texts.ts';
import type { Limit } from './queries.ts';
import { useLimit } from './use-limit.ts';

const LEADS = {
  deposit: 'limit.depositLead',
  loss: 'limit.lossLead',
  reminder: 'limit.reminderLead',
} as const;
const RULES = { deposit: 'limit.rule', loss: 'limit.rule', reminder: 'limit.reminderRule' } as const;
const MINUTES = ['15', '30', '60', '120'] as const;

/** One limit: `arg` is its kind and period, as in "deposit:day". */
export default function LimitSheet({ arg = '' }: { arg: string | undefined }) {
  const { t } = useText();
  const { data, error, refetch } = useQuery(limitsQuery);
  const limit = data?.limits.find(({ kind, period }) => `${kind}:${period}` === arg);
  if (limit) return <Form limit={limit} />;
  return (
    <Sheet title={t('limit.page')} onClose={closeSheet}>
      {error ? (
        <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
      ) : (
        <Skeleton heights={[96, 52]} />
      )}
    </Sheet>
  );
}

function Form({ limit }: { limit: Limit }) {
  const { t } = useText();
  const texts = useLimitTexts();
  const { currency } = useKnownWallet().wallet;
  const [typed, setTyped] = useState(limit.amount === null ? '' : String(limit.amount));
  const { send, keep, remove, isBusy, problem } = useLimit(limit);
  const amount = parseAmount(typed, currency);
  const next = texts.nextOf(limit);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (amount) send(amount);
  };
  const foot = (
    <Button type="submit" form="limit-form" isWide isBusy={isBusy} disabled={!amount}>
      {t('btn.save')}
    </Button>
  );
  const period = texts.periodOf(limit.period);
  return (
    <Sheet
      title={[texts.kindOf(limit.kind), period].filter(Boolean).join(' · ')}
      onClose={closeSheet}
      footer={foot}
    >
      <p className={layout.caption}>{t(LEADS[limit.kind])}</p>
      <form id="limit-form" onSubmit={submit}>
        {limit.kind === 'reminder' ? (
          <Minutes typed={typed} onChoose={setTyped} />
        ) : (
          <AmountField
            label={texts.kindOf(limit.kind)}
            currency={currency}
            value={typed}
            onChange={setTyped}
            hint={texts.stateOf(limit)}
          />
        )}
      </form>
      <MessageBox tone="info" title={next ?? undefined}>
        {t(RULES[limit.kind])}
      </MessageBox>
      {problem && <MessageBox tone="bad">{problem}</MessageBox>}
      {next && (
        <Button tone="soft" isWide isBusy={isBusy} onClick={keep}>
          {t('limit.keep')}
        </Button>
      )}
      {limit.amount !== null && !(limit.next && limit.next.amount === null) && (
        <Button tone="line" isWide isBusy={isBusy} onClick={remove}>
          {t('limit.remove')}
        </Button>
      )}
    </Sheet>
  );
}

/** How often to be reminded. An unusual stored value is listed beside the usual ones. */
function Minutes({ typed, onChoose }: { typed: string; onChoose: (minutes: string) => void }) {
  const { t } = useText();
  const all = typed === '' || MINUTES.some((one) => one === typed) ? MINUTES : [...MINUTES, typed];
  const options = all.map((value) => ({ value, label: t('limit.minutes', { count: Number(value) }) }));
  return <Segmented label={t('limit.reminder')} options={options} value={typed} onChange={onChoose} />;
}
