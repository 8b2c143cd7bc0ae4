import type { Currency } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { signOf } from '@krapao/ui/text/amount-text.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon, Anchor, CopyButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Copy } from 'lucide';
import type { ReactNode } from 'react';
import type { Reply } from '../platform/api.ts';
import { bankName } from '../platform/bank-name.ts';
import { labelOf } from '../platform/error-text.ts';
import { Link } from '../platform/paths.ts';
import { BankMark, Check, Fact, History, Person, State } from './cells.tsx';
import { Icon } from './icons.tsx';
import { moneyText, RiskParts, ScoreTag } from './risk.tsx';

type Detail = Reply<'GET /api/operator/withdrawals/{id}'>;
type Assessment = NonNullable<Detail['assessment']>;

const NAME_CHECK = {
  true: 'withdrawals.nameFits',
  false: 'withdrawals.nameDiffers',
  null: 'withdrawals.nameOtherScript',
} as const;

function Part({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) {
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Title order={3} size="h6">
          {title}
        </Title>
        {beside}
      </Group>
      {children}
    </Stack>
  );
}

/** Whose it is and where it goes. */
function Payee({ of: row }: { of: Detail }) {
  const { t, language } = useText();
  return (
    <>
      <Group wrap="nowrap">
        <Person name={row.member.name} />
        <Stack gap={0}>
          <Anchor component={Link} href={`/members/${row.member.id}`} fw={600}>
            {row.member.name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {`${row.member.id} · ${t('withdrawals.paidBefore', { count: row.paidBefore })}`}
          </Text>
        </Stack>
      </Group>
      <Paper withBorder p="sm">
        <Group wrap="nowrap">
          <BankMark code={row.account.bankCode} color={row.account.bankColor} />
          <Stack gap={0} style={{ flex: 1 }}>
            <Text size="sm" fw={600}>
              {bankName(row.account, language)} {row.account.accountNo}
            </Text>
            <Text size="xs" c="dimmed">
              {row.account.accountName}
            </Text>
          </Stack>
          <CopyButton value={row.account.accountName}>
            {({ copy, copied }) => (
              <ActionIcon
                variant="subtle"
                aria-label={copied ? t('btn.copied') : t('btn.copy')}
                onClick={copy}
              >
                <Icon of={Copy} />
              </ActionIcon>
            )}
          </CopyButton>
        </Group>
      </Paper>
    </>
  );
}

/** Each reason of a review as a sentence with the figures and settings that decided. */
function reasonText(
  t: Translate,
  reason: Assessment['reasons'][number],
  row: Detail,
  by: Assessment,
): string {
  const money = (amount: number) => moneyText(amount, row.currency);
  switch (reason) {
    case 'SCORE':
      return t('reason.SCORE', { score: by.score, review: by.reviewScore });
    case 'HELD':
      return t('reason.HELD', { score: by.score, hold: by.holdScore });
    case 'UNPLAYED':
      return t('withdrawals.unplayed', { amount: money(row.unplayed ?? 0) });
    case 'UNPLAYED_UNKNOWN':
      return t('withdrawals.unplayedUnknown');
    case 'UNVERIFIED':
      return t('reason.UNVERIFIED');
    case 'AMOUNT':
      return by.automaticMax > 0
        ? t('reason.AMOUNT', { limit: money(by.automaticMax) })
        : t('reason.AMOUNT_NONE');
    case 'DAY':
      return t('reason.DAY', { total: money(by.dayTotal), limit: money(by.automaticDayMax) });
    case 'COOLING':
      return row.heldUntil
        ? t('withdrawals.held', { until: dateTimeText(row.heldUntil) })
        : t('reason.COOLING');
  }
}

/** Why it waits, or why it was sent to the bank without an operator; as it was decided then. */
function Reasons({ of: row }: { of: Detail }) {
  const { t } = useText();
  const by = row.assessment;
  if (!by) return null;
  const money = (amount: number) => moneyText(amount, row.currency);
  const cooling = by.reasons.includes('COOLING') && (
    <Check isRight={false}>{reasonText(t, 'COOLING', row, by)}</Check>
  );
  if (row.automatic)
    return (
      <Part title={t('reason.automatic')}>
        <Check isRight>
          {t('reason.automaticLimits', {
            limit: money(by.automaticMax),
            dayLimit: money(by.automaticDayMax),
            total: money(by.dayTotal),
          })}
        </Check>
        <Check isRight>{t('reason.automaticScore', { score: by.score, review: by.reviewScore })}</Check>
        <Check isRight>{t('reason.automaticPlayed')}</Check>
        {cooling}
      </Part>
    );
  return (
    <Part title={t('reason.waits')}>
      {by.reasons.map((reason) => (
        <Check key={reason} isRight={false}>
          {reasonText(t, reason, row, by)}
        </Check>
      ))}
      {row.needsChecker && <Check isRight={false}>{t('withdrawals.needsTwo')}</Check>}
    </Part>
  );
}

/** The score as it was when the withdrawal was requested, and whether it is another by now. */
function Score({ of: row }: { of: Detail }) {
  const { t } = useText();
  const { assessment, riskNow } = row;
  const fresh = assessment ? newParts(assessment, riskNow) : riskNow.parts;
  return (
    <Part title={t('risk.title')} beside={<ScoreTag of={row.risk} />}>
      {assessment ? (
        <RiskParts of={assessment} memberId={row.member.id} currency={row.currency} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('risk.unassessed')}
        </Text>
      )}
      {fresh.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            {t('risk.nowNote', { score: riskNow.score })}
          </Text>
          <RiskParts of={{ ...riskNow, parts: fresh }} memberId={row.member.id} currency={row.currency} />
        </>
      )}
    </Part>
  );
}

/** The parts that the member has by now and the withdrawal's score lacks. */
function newParts(then: Detail['riskNow'], now: Detail['riskNow']) {
  const known = new Set(then.parts.map(({ code }) => code));
  return now.parts.filter(({ code }) => !known.has(code));
}

function Flags({ of: { flags } }: { of: Detail }) {
  const { t } = useText();
  return flags
    .filter(({ kind }) => kind === 'EXCLUDED')
    .map(({ kind, at }) => (
      <Check key={kind} isRight={false}>
        {at === null ? t('flag.excludedForGood') : t('flag.excluded', { time: dateTimeText(at) })}
      </Check>
    ));
}

function Checks({ of: row, children }: { of: Detail; children: ReactNode }) {
  const { t } = useText();
  return (
    <Part title={t('withdrawals.checks')}>
      <Check isRight={row.nameMatches === true}>{t(NAME_CHECK[`${row.nameMatches}`])}</Check>
      <Flags of={row} />
      {!row.assessment && row.heldUntil && (
        <Check isRight={false}>{t('withdrawals.held', { until: dateTimeText(row.heldUntil) })}</Check>
      )}
      {!row.assessment && row.needsChecker && <Check isRight={false}>{t('withdrawals.needsTwo')}</Check>}
      {row.payout && (
        <Check isRight={row.payout.state === 'PAID'}>
          {t('withdrawals.payout', { state: labelOf(t, 'state', row.payout.state), count: row.payout.asked })}
        </Check>
      )}
      {row.reason && <Fact name={t('field.reason')}>{labelOf(t, 'bankReason', row.reason)}</Fact>}
      {row.proof && <Fact name={t('field.proof')}>{row.proof}</Fact>}
      {children}
    </Part>
  );
}

function Recent({ of: { recent, currency } }: { of: { recent: Detail['recent']; currency: Currency } }) {
  const { t } = useText();
  return (
    <Part title={t('withdrawals.recent')}>
      {recent.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('withdrawals.noRecent')}
        </Text>
      )}
      {recent.map((one) => (
        <Group key={one.id} justify="space-between" wrap="nowrap" gap="xs">
          <Anchor component={Link} href={`/withdrawals?status=ALL&open=${one.id}`} size="sm">
            {dateTimeText(one.createdAt)}
          </Anchor>
          <Group gap="xs" wrap="nowrap">
            <Money amount={one.amount} currency={currency} />
            <State of={one.status} />
          </Group>
        </Group>
      ))}
    </Part>
  );
}

/** What colleagues wrote about the member, and what the member wrote last. */
function NotesAndChat({ of: { notes, conversation } }: { of: Detail }) {
  const { t } = useText();
  return (
    <>
      {notes.length > 0 && (
        <Part title={t('withdrawals.notes')}>
          {notes.map(({ id, at, by, text }) => (
            <Stack key={id} gap={0}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {text}
              </Text>
              <Text size="xs" c="dimmed">{`${by} · ${dateTimeText(at)}`}</Text>
            </Stack>
          ))}
        </Part>
      )}
      {conversation && (
        <Part title={t('withdrawals.conversation')}>
          <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
            {conversation.text}
          </Text>
          <Group justify="space-between">
            <Text size="xs" c="dimmed">
              {dateTimeText(conversation.at)}
            </Text>
            <Anchor component={Link} href={`/chats?open=${conversation.id}`} size="sm">
              {t('withdrawals.openConversation')}
            </Anchor>
          </Group>
        </Part>
      )}
    </>
  );
}

/** Everything an operator looks at before they decide about a withdrawal; `children` are further facts. */
export function WithdrawalFacts({ of: row, children }: { of: Detail; children?: ReactNode }) {
  const { t } = useText();
  const money = (amount: number) => <Money amount={amount} currency={row.currency} />;
  return (
    <>
      <Stack gap={2}>
        <Money amount={row.amount} currency={row.currency} size={32} />
        <Group gap="xs">
          <State of={row.status} />
          <Text size="sm" c="dimmed">
            {dateTimeText(row.createdAt)}
          </Text>
        </Group>
      </Stack>
      <Payee of={row} />
      <Reasons of={row} />
      <Score of={row} />
      <Part title={t('withdrawals.source')}>
        <Fact name={t('withdrawals.deposited')}>{money(row.depositedSince)}</Fact>
        <Fact name={t('withdrawals.gameResult')}>
          <Money amount={row.gameResultSince} currency={row.currency} sign={signOf(row.gameResultSince)} />
        </Fact>
        <Fact name={t('withdrawals.balanceAfter')}>{money(row.balanceAfter)}</Fact>
      </Part>
      <Checks of={row}>{children}</Checks>
      <Recent of={row} />
      <NotesAndChat of={row} />
      <Part title={t('withdrawals.history')}>
        <History of={row.history} />
      </Part>
    </>
  );
}
