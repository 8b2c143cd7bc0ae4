import { readableUnderWhite } from '@krapao/ui/components/readable-color.ts';
import { initials } from '@krapao/ui/text/account-text.ts';
import { dateTimeText, timeAgo } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import type { MessageId } from '@lingui/core';
import { Anchor, Avatar, Badge, Box, Group, Kbd, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleDashed, Clock, type IconNode } from 'lucide';
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { actorText } from '../platform/actor-text.ts';
import { bankName } from '../platform/bank-name.ts';
import { labelOf } from '../platform/error-text.ts';
import { Link } from '../platform/paths.ts';
import { Icon } from './icons.tsx';

/** The time now, renewed every half minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How long something has waited: "41 minutes". Past `lateMinutes` it is marked. */
export function Age({
  since,
  lateMinutes = 30,
  isBig,
}: {
  since: string;
  lateMinutes?: number;
  isBig?: boolean;
}) {
  const { t } = useText();
  const now = useNow();
  const ago = timeAgo(since, now);
  const isLate = now - Date.parse(since) > lateMinutes * 60_000;
  return (
    <Text
      component="time"
      dateTime={since}
      title={dateTimeText(since)}
      size={isBig ? 'xl' : 'sm'}
      fw={isBig ? 700 : isLate ? 600 : 400}
      c={isLate ? 'var(--warn)' : undefined}
      style={{ whiteSpace: 'nowrap' }}
    >
      {ago ? t(`time.${ago.unit}` as MessageId, { count: ago.count }) : t('time.now')}
    </Text>
  );
}

/** How long a row has waited; of one that waits no more, when it began. */
export const Waiting = ({ since, isWaiting }: { since: string; isWaiting: boolean }) =>
  isWaiting ? <Age since={since} /> : <When at={since} />;

export function When({ at }: { at: string | null }) {
  return (
    <Text size="sm" className="when">
      {at ? dateTimeText(at) : '–'}
    </Text>
  );
}

type Tone = 'ok' | 'bad' | 'warn' | 'brand' | 'ink-2';

/** A label with a background; the colour only repeats the text. */
export function Tag({ tone, icon, children }: { tone: Tone; icon?: IconNode; children: ReactNode }) {
  return (
    <Badge
      variant="light"
      leftSection={icon && <Icon of={icon} size={14} />}
      style={{
        // A table's column would else be narrower than its longest text, and cut it.
        minWidth: 'max-content',
        background: tone === 'ink-2' ? 'var(--surface-2)' : `var(--${tone}-soft)`,
        color: `var(--${tone})`,
      }}
    >
      {children}
    </Badge>
  );
}

const TONE: Record<string, [tone: Tone, icon: IconNode]> = {
  SUCCESS: ['ok', CircleCheck],
  DONE: ['ok', CircleCheck],
  ACTIVE: ['ok', CircleCheck],
  APPROVED: ['ok', CircleCheck],
  DECIDED: ['brand', CircleCheck],
  CREDITED: ['ok', CircleCheck],
  AGREED: ['ok', CircleCheck],
  EXPLAINED: ['ok', CircleCheck],
  RECEIVED: ['ok', CircleCheck],
  RESOLVED: ['ok', CircleCheck],
  INVESTIGATING: ['brand', CircleDashed],
  PAID: ['ok', CircleCheck],
  DIFFERENT: ['warn', CircleAlert],
  SILENT: ['warn', CircleAlert],
  FAILED: ['bad', CircleAlert],
  REFUSED: ['bad', CircleAlert],
  REJECTED: ['bad', CircleAlert],
  REVERSED: ['bad', CircleAlert],
  CLOSED: ['bad', CircleAlert],
  SUSPENDED: ['bad', CircleAlert],
  REVIEW: ['warn', Clock],
  PENDING: ['warn', Clock],
  SUBMITTED: ['warn', Clock],
  REQUESTED: ['brand', CircleDashed],
  VERIFIED: ['ok', CircleCheck],
  APPROVAL: ['warn', Clock],
  UNKNOWN: ['warn', CircleAlert],
  UNMATCHED: ['warn', CircleAlert],
  UNPLAYED: ['warn', CircleAlert],
  BARRED: ['warn', CircleAlert],
};

/** A state as icon, word and colour, never colour alone. */
export function State({ of, family = 'state' }: { of: string; family?: string }) {
  const { t } = useText();
  const [tone, icon] = TONE[of] ?? ['ink-2', CircleDashed];
  return (
    <Tag tone={tone} icon={icon}>
      {labelOf(t, family, of)}
    </Tag>
  );
}

export function BankMark({ code, color }: { code: string; color: string | null }) {
  return (
    <Avatar
      className="bank-mark"
      size={30}
      radius="md"
      color="white"
      styles={{ placeholder: { background: readableUnderWhite(color ?? '#4c5d57'), color: '#fff' } }}
    >
      {code.slice(0, 2)}
    </Avatar>
  );
}

/** Where a payout goes: the bank's sign and the masked number. */
export function Account({
  of,
}: {
  of: {
    bankCode: string;
    bankColor: string | null;
    bankName: string;
    bankNameEn: string;
    accountNo: string;
  };
}) {
  const { language } = useText();
  return (
    <Group gap={8} wrap="nowrap" title={bankName(of, language)}>
      <BankMark code={of.bankCode} color={of.bankColor} />
      <Text size="sm">{of.accountNo}</Text>
    </Group>
  );
}

export function Person({ name }: { name: string }) {
  return (
    <Avatar
      size={40}
      radius="xl"
      styles={{ placeholder: { background: 'var(--brand-soft)', color: 'var(--brand)' } }}
    >
      {initials(name)}
    </Avatar>
  );
}

/** A member's name with their id below; leads to their page. */
export function MemberLink({ of }: { of: { id: string; name: string } }) {
  return (
    <Box miw={92} className="member">
      <Anchor
        component={Link}
        href={`/members/${of.id}`}
        size="sm"
        fw={600}
        c="var(--ink)"
        onClick={(event: MouseEvent) => event.stopPropagation()}
      >
        {of.name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {of.id}
      </Text>
    </Box>
  );
}

/** A bank with its reference, which may be broken anywhere rather than push the list aside. */
export function BankReference({ of }: { of: { bankCode: string; bankReference: string } }) {
  const { t } = useText();
  return (
    <Box miw={104}>
      <Text size="sm">{labelOf(t, 'type', of.bankCode)}</Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {of.bankReference}
      </Text>
    </Box>
  );
}

/** A figure with its name above. */
export function Figure({ name, children, isLate }: { name: string; children: ReactNode; isLate?: boolean }) {
  return (
    <Paper withBorder p="sm" style={{ minWidth: 150, flex: 1 }}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Group gap="md" fz="xl" fw={700} c={isLate ? 'var(--warn)' : undefined}>
        {/* A group leaves out what counts as false, and so the number 0. */}
        {typeof children === 'number' ? String(children) : children}
      </Group>
    </Paper>
  );
}

/** A name on the left, what it is on the right. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Box ta="right">{typeof children === 'string' ? <Text size="sm">{children}</Text> : children}</Box>
    </Group>
  );
}

/** Whether something is as it should be. */
export function Check({ isRight, children }: { isRight: boolean; children: ReactNode }) {
  return (
    <Group gap={8} wrap="nowrap">
      <ThemeIcon variant="transparent" size={20} c={isRight ? 'var(--ok)' : 'var(--warn)'}>
        <Icon of={isRight ? CircleCheck : CircleAlert} size={18} />
      </ThemeIcon>
      <Text size="sm">{children}</Text>
    </Group>
  );
}

/** A state in a list: only a wrong one is shown as text. */
export function Mark({ isRight, children }: { isRight: boolean; children: string }) {
  if (!isRight) return <Check isRight={false}>{children}</Check>;
  return (
    <ThemeIcon
      variant="transparent"
      size={20}
      c="var(--ok)"
      role="img"
      aria-label={children}
      title={children}
      style={{ display: 'flex' }}
    >
      <Icon of={CircleCheck} size={18} />
    </ThemeIcon>
  );
}

/** What each action was, who did it and why. */
export function History({
  of,
}: {
  of: readonly { at: string; actor: string; action: string; reason: string | null }[];
}) {
  const { t } = useText();
  return (
    <Stack gap={6}>
      {of.map((row) => (
        <Box key={`${row.at} ${row.action}`}>
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" fw={600}>
              {labelOf(t, 'action', row.action)}
            </Text>
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {dateTimeText(row.at)}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            {actorText(t, row.actor)}
            {row.reason ? ` · ${labelOf(t, 'bankReason', row.reason)}` : ''}
          </Text>
        </Box>
      ))}
    </Stack>
  );
}

/** A key beside what it does. */
export function KeyHint({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <Group gap={4} wrap="nowrap">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
      <Text size="xs" c="dimmed">
        {children}
      </Text>
    </Group>
  );
}
