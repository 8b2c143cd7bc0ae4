import { Money } from '@krapao/ui/components/money.tsx';
import { signOf } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { MemberLink, State, When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link, type Path } from '../../platform/paths.ts';
import { placeOf as subjectPlace } from '../../platform/subject-place.ts';

export type Difference = Reply<'GET /api/operator/reconciliation/differences'>['differences'][number];

/** The page that shows our side of it, where it can be put right. */
function placeOf({ ours }: Difference): Path | null {
  const [kind, , member = ''] = ours?.subject.split(':') ?? [];
  if (kind === 'unmatched') return `/unmatched?q=${encodeURIComponent(ours?.reference ?? '')}`;
  if (kind === 'game') return `/members/${member}`;
  return (ours && subjectPlace(ours.subject)?.path) ?? null;
}

/** What the partner has more than we, below zero what they have less. */
const gapOf = ({ theirs, ours }: Difference): number => (theirs?.amount ?? 0) - (ours?.amount ?? 0);

function Theirs({ of: row }: { of: Difference }) {
  const { t } = useText();
  if (!row.theirs)
    return (
      <Text size="sm" c="dimmed">
        {t('recon.missing')}
      </Text>
    );
  const { amount, reference, account, at } = row.theirs;
  return (
    <Stack gap={0}>
      <Money amount={amount} currency={row.currency} />
      <Text size="xs">{[reference, account].filter(Boolean).join(' · ')}</Text>
      <When at={at} />
    </Stack>
  );
}

function Ours({ of: row }: { of: Difference }) {
  const { t } = useText();
  const me = useMe();
  const place = placeOf(row);
  if (!row.ours)
    return (
      <Stack gap={0}>
        <Text size="sm" c="dimmed">
          {t('recon.missing')}
        </Text>
        {may(me, 'entry.make') && may(me, 'member.read') && (
          <Anchor component={Link} href="/members" size="xs">
            {t('recon.manual')}
          </Anchor>
        )}
      </Stack>
    );
  const { amount, subject, at } = row.ours;
  const name =
    row.kind === 'BALANCE' || subject.startsWith('game:')
      ? row.ours.reference
      : (subject.split(':')[1] ?? subject);
  return (
    <Stack gap={0}>
      {amount === null ? (
        <Text size="sm" c="dimmed">
          {t('recon.missing')}
        </Text>
      ) : (
        <Money amount={amount} currency={row.currency} />
      )}
      {place ? (
        <Anchor component={Link} href={place} size="xs">
          {name}
        </Anchor>
      ) : (
        <Text size="xs">{name}</Text>
      )}
      <When at={at} />
    </Stack>
  );
}

function What({ of: row, source }: { of: Difference; source: string }) {
  const { t } = useText();
  return (
    <Stack gap={0}>
      <Text size="sm" fw={600}>
        {labelOf(t, 'difference', row.kind)}
      </Text>
      <Text size="xs" c="dimmed">
        {source}
      </Text>
    </Stack>
  );
}

/** The columns of what does not agree. */
export function useColumns(
  nameOf: (source: string) => string,
  onExplain: ((row: Difference) => void) | null,
): Column<Difference>[] {
  const { t } = useText();
  return [
    {
      id: 'what',
      head: t('recon.open'),
      cell: (row) => <What of={row} source={nameOf(row.source)} />,
    },
    { id: 'theirs', sort: 'at', head: t('recon.theirs'), cell: (row) => <Theirs of={row} /> },
    { id: 'ours', head: t('recon.ours'), cell: (row) => <Ours of={row} /> },
    {
      id: 'gap',
      sort: 'gap',
      head: t('recon.gap'),
      isRight: true,
      cell: (row) => (
        <Stack gap={0} align="flex-end">
          <Money amount={gapOf(row)} currency={row.currency} sign={signOf(gapOf(row))} />
          {row.kind !== 'BALANCE' && (
            <Text size="xs" c="dimmed">
              {row.direction === 'IN' ? t('recon.in') : t('recon.out')}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      id: 'member',
      head: t('col.member'),
      cell: (row) => (row.member ? <MemberLink of={row.member} /> : '–'),
    },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => (
        <Stack gap={2} maw={260}>
          <State of={row.state} />
          {row.explanation && <Text size="xs">{row.explanation}</Text>}
          {row.explainedBy && (
            <Text size="xs" c="dimmed">
              {row.explainedBy}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      id: 'actions',
      head: '',
      cell: (row) =>
        onExplain &&
        row.state === 'OPEN' && (
          <Button size="compact-sm" onClick={() => onExplain(row)}>
            {t('recon.explain')}
          </Button>
        ),
    },
  ];
}

/** Requests the explanation of a difference. */
export function Explain({ row, onClose }: { row: Difference; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const send = async (values: Record<string, string>) => {
    try {
      await api('POST /api/operator/reconciliation/differences/{id}/explain', {
        params: { id: row.id },
        body: { reason: values.reason?.trim() ?? '' },
      });
      notice.say(t('recon.explained'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      for (const key of ['reconciliation', 'today']) void queries.invalidateQueries({ queryKey: [key] });
    }
  };
  return (
    <ActionDialog
      title={t('recon.explain')}
      yes={t('recon.explain')}
      fields={[{ name: 'reason', label: t('field.reason'), rows: 3, least: 3 }]}
      onYes={send}
      onClose={onClose}
    >
      <Stack gap={2}>
        <Money amount={gapOf(row)} currency={row.currency} size={26} sign={signOf(gapOf(row))} />
        <Text size="sm">
          {[labelOf(t, 'difference', row.kind), row.theirs?.reference ?? row.ours?.reference]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Stack>
    </ActionDialog>
  );
}
