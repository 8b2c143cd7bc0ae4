import { PRIZE_KINDS, type PrizeKind } from '@krapao/contract/prizes';
import { CURRENCIES, type Currency, type Language } from '@krapao/contract/shared';
import { randomKey } from '@krapao/ui/api/random-key.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, FileButton, Group, Select, SimpleGrid, Stack, Table, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icons.tsx';
import { LanguageTabs } from '../../components/language-tabs.tsx';
import { useNotice } from '../../components/notice.tsx';
import { PrizeFields } from '../../components/prize-fields.tsx';
import { api, type Body, queries, type Reply } from '../../platform/api.ts';
import { type PrizeDraft, prizeDraftOf, prizeOf, worthText } from '../../platform/prize.ts';
import { membersIn } from './members-in.ts';
import { prizesQuery } from './prizes.tsx';

type Intent = Body<'POST /api/operator/coupons'>;
type Result = Reply<'POST /api/operator/coupons'>;

const NEW = 'NEW';

/** What is given: a prize there are coupons for already, or a new one. */
interface Chosen {
  id: string;
  currency: Currency;
  draft: PrizeDraft;
}

const prizeIntent = ({ id, currency, draft }: Chosen): Intent['prize'] | null => {
  if (id !== NEW) return { id };
  const prize = prizeOf(draft);
  return prize && { currency, prize };
};

function PrizeChoice({ of, onChange }: { of: Chosen; onChange: (change: Partial<Chosen>) => void }) {
  const { t, language: own } = useText();
  const [language, setLanguage] = useState<Language>(own);
  const prizes = useQuery(prizesQuery).data?.prizes.filter((prize) => !prize.isWithdrawn) ?? [];
  const options = prizes.map((prize) => ({
    value: prize.id,
    label: `${prize.name[own]} · ${worthText(t, prize, prize.currency)}`,
  }));
  const setDraft = (change: Partial<PrizeDraft>) => onChange({ draft: { ...of.draft, ...change } });
  return (
    <>
      <Select
        label={t('coupon.prize')}
        data={[{ value: NEW, label: t('coupon.newPrize') }, ...options]}
        value={of.id}
        searchable
        allowDeselect={false}
        onChange={(id) => onChange({ id: id ?? NEW })}
      />
      {of.id === NEW && (
        <>
          <SimpleGrid cols={2}>
            <Select
              label={t('prize.kind')}
              data={PRIZE_KINDS.map((value) => ({ value, label: t(`prizeKind.${value}`) }))}
              value={of.draft.kind}
              allowDeselect={false}
              onChange={(kind) => setDraft({ kind: kind as PrizeKind })}
            />
            <Select
              label={t('bonus.currency')}
              data={CURRENCIES.map((value) => ({ value, label: t(`channel.${value}`) }))}
              value={of.currency}
              allowDeselect={false}
              onChange={(currency) => onChange({ currency: currency as Currency })}
            />
          </SimpleGrid>
          <LanguageTabs
            value={language}
            isMissing={(one) => of.draft.name[one].trim() === ''}
            onChange={setLanguage}
          />
          <PrizeFields of={of.draft} currency={of.currency} language={language} onChange={setDraft} />
        </>
      )}
    </>
  );
}

/** What became, or would become, of each row. */
function Report({ of: result }: { of: Result }) {
  const { t } = useText();
  const wrong = result.rows.filter((row) => row.result !== 'OK');
  return (
    <Stack gap={6} aria-live="polite">
      <Text size="sm" fw={600}>
        {t('coupon.report', { ok: result.rows.length - wrong.length, all: result.rows.length })}
      </Text>
      {wrong.length > 0 && (
        <div style={{ maxHeight: 180, overflow: 'auto' }}>
          <Table verticalSpacing={4} aria-label={t('coupon.wrongRows')}>
            <Table.Tbody>
              {wrong.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows may be given twice
                <Table.Tr key={index}>
                  <Table.Td>{row.given}</Table.Td>
                  <Table.Td>{row.member?.name ?? '–'}</Table.Td>
                  <Table.Td>{t(`couponRow.${row.result}`)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Stack>
  );
}

function useGrant(onClose: () => void) {
  const { t } = useText();
  const notice = useNotice();
  const [key] = useState(randomKey);
  const [report, setReport] = useState<Result | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (prize: Intent['prize'], members: string[], reason: string | null) => {
    setBusy(true);
    try {
      const check = reason === null;
      const body = { prize, members, check, key, reason: reason ?? t('coupon.check') };
      const result = await api('POST /api/operator/coupons', { body });
      setReport(result);
      if (check) return;
      notice.say(result.approval ? t('approval.requested') : t('coupon.granted', { count: result.granted }));
      await queries.invalidateQueries({ queryKey: ['coupons'] });
      onClose();
    } catch (error) {
      notice.complain(error);
    } finally {
      setBusy(false);
    }
  };
  return { report, isBusy, send, forget: () => setReport(null) };
}

/** The recipients: typed, or from a file. */
function MembersField({ typed, onChange }: { typed: string; onChange: (typed: string) => void }) {
  const { t } = useText();
  return (
    <>
      <Textarea
        label={t('coupon.members')}
        description={t('coupon.membersNote')}
        required
        autosize
        minRows={3}
        maxRows={8}
        value={typed}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <FileButton
        accept=".csv,.txt,text/csv,text/plain"
        onChange={(file) => file && void file.text().then((text) => onChange(membersIn(text).join('\n')))}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="compact-md"
            style={{ alignSelf: 'flex-start' }}
            leftSection={<Icon of={Upload} size={16} />}
          >
            {t('coupon.import')}
          </Button>
        )}
      </FileButton>
    </>
  );
}

/** Gives the members of a list a coupon each; the list is looked at before anything is given. */
export function Grant({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const { report, isBusy, send, forget } = useGrant(onClose);
  const [chosen, setChosen] = useState<Chosen>({ id: NEW, currency: 'BAHT', draft: prizeDraftOf() });
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const prize = prizeIntent(chosen);
  const members = membersIn(typed);
  const put = (text: string) => {
    setTyped(text);
    forget();
  };
  const granted = report?.granted ?? 0;
  return (
    <Dialog onClose={onClose} size="lg" yOffset="4dvh" title={t('coupon.grant')} isLocked={isBusy}>
      <Stack>
        <PrizeChoice
          of={chosen}
          onChange={(change) => {
            setChosen((before) => ({ ...before, ...change }));
            forget();
          }}
        />
        <MembersField typed={typed} onChange={put} />
        {report && <Report of={report} />}
        {report && granted > 0 && (
          <Textarea
            label={t('field.reason')}
            required
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          {granted > 0 ? (
            <Button
              loading={isBusy}
              disabled={!prize || reason.trim().length < 3}
              onClick={() => prize && void send(prize, members, reason)}
            >
              {t('coupon.give', { count: granted })}
            </Button>
          ) : (
            <Button
              loading={isBusy}
              disabled={!prize || members.length === 0}
              onClick={() => prize && void send(prize, members, null)}
            >
              {t('coupon.check')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
