import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  Image,
  Kbd,
  Stack,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide';
import { useState } from 'react';
import { Check, Fact, MemberLink, State, Tag, When } from '../../components/cells.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icons.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { mismatchText } from '../../platform/mismatch-text.ts';
import { Link } from '../../platform/paths.ts';
import type { SlipDecision } from './decision.tsx';

type Detail = Reply<'GET /api/operator/slips/{id}'>;

/** The picture; a click shows it large. */
function Picture({ of: slip }: { of: Detail }) {
  const { t } = useText();
  const [isLarge, setLarge] = useState(false);
  const src = `/api/operator/slips/${encodeURIComponent(slip.id)}/image`;
  const alt = t('slips.image', { name: slip.member.name });
  return (
    <>
      <UnstyledButton
        aria-label={t('slips.zoom')}
        onClick={() => setLarge(true)}
        w={190}
        style={{ flex: 'none', cursor: 'zoom-in' }}
      >
        <Image src={src} alt={alt} mah={340} fit="contain" radius="md" bg="var(--surface-2)" />
      </UnstyledButton>
      {isLarge && (
        <Dialog onClose={() => setLarge(false)} size="auto" title={alt}>
          <Image src={src} alt={alt} />
        </Dialog>
      )}
    </>
  );
}

/** The bank's data of the transfer, beside the member's data. */
function Inquiry({ of: slip }: { of: Detail }) {
  const { t } = useText();
  return (
    <Stack gap={6} style={{ flex: 1, minWidth: 0 }}>
      <Title order={3} size="h6">
        {t('slips.inquiry')}
      </Title>
      {slip.amount === null ? (
        <Text size="sm">{t('slips.noInquiry')}</Text>
      ) : (
        <Fact name={t('col.amount')}>
          <Money amount={slip.amount} currency={slip.currency ?? 'BAHT'} />
        </Fact>
      )}
      <Fact name={t('col.payer')}>{[slip.payerName, slip.payer].filter(Boolean).join(' ') || '–'}</Fact>
      <Fact name={t('slips.memberAccount')}>{slip.memberAccount ?? '–'}</Fact>
      <Fact name={t('slips.receiver')}>{slip.receiverName ?? '–'}</Fact>
      <Fact name={t('slips.to')}>
        {[slip.bankCode && labelOf(t, 'type', slip.bankCode), slip.account].filter(Boolean).join(' ') || '–'}
      </Fact>
      <Fact name={t('col.paidAt')}>
        <When at={slip.paidAt} />
      </Fact>
      <Fact name={t('col.reference')}>{slip.transRef ?? '–'}</Fact>
      {slip.doubts.map((mismatch) => (
        <Check key={mismatch} isRight={false}>
          {mismatchText(t, mismatch)}
        </Check>
      ))}
      {slip.note && <Fact name={t('slips.code')}>{labelOf(t, 'note', slip.note)}</Fact>}
    </Stack>
  );
}

function Uses({ of: slip }: { of: Detail }) {
  const { t } = useText();
  return (
    <Stack gap={6}>
      <Title order={3} size="h6">
        {t('slips.uses')}
      </Title>
      {slip.uses.length === 0 && <Check isRight>{t('slips.noUses')}</Check>}
      {slip.uses.map((use) => (
        <Group key={`${use.kind} ${use.id}`} justify="space-between" wrap="nowrap">
          <Check isRight={false}>{`${labelOf(t, 'type', use.kind)} ${use.id}`}</Check>
          <When at={use.at} />
          {use.member ? (
            <MemberLink of={use.member} />
          ) : (
            <Anchor
              component={Link}
              href={`/unmatched?q=${encodeURIComponent(slip.transRef ?? '')}&state=${use.state}`}
            >
              <State of={use.state} />
            </Anchor>
          )}
        </Group>
      ))}
    </Stack>
  );
}

function Actions({ of: slip, decision }: { of: Detail; decision: SlipDecision }) {
  const { t } = useText();
  if (!may(useMe(), 'slip.decide') || slip.status !== 'REVIEW') return null;
  return (
    <Stack gap="xs">
      <Button rightSection={<Kbd>{'a'}</Kbd>} onClick={() => void decision.openDialog(slip, 'accept')}>
        {t('slips.accept')}
      </Button>
      <Group grow>
        <Button
          className="danger"
          rightSection={<Kbd>{'r'}</Kbd>}
          onClick={() => void decision.openDialog(slip, 'refuse')}
        >
          {t('slips.refuse')}
        </Button>
        <Button variant="default" onClick={() => void decision.openDialog(slip, 'ask')}>
          {t('slips.check')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Beside the list: the slip as handed in, and what it is held against. */
export function SlipPanel({
  id,
  decision,
  onClose,
}: {
  id: string;
  decision: SlipDecision;
  onClose: () => void;
}) {
  const { t } = useText();
  const slip = useQuery({
    queryKey: ['slip', id],
    queryFn: () => api('GET /api/operator/slips/{id}', { params: { id } }),
  });
  return (
    <SidePanel name={id} width={540}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {id}
        </Text>
        <ActionIcon variant="subtle" aria-label={t('btn.close')} onClick={onClose}>
          <Icon of={X} />
        </ActionIcon>
      </Group>
      <ReadError of={slip} />
      {slip.data && (
        <>
          <Group justify="space-between">
            <MemberLink of={slip.data.member} />
            {slip.data.assignment && <Tag tone="brand">{slip.data.assignment.by}</Tag>}
            <State of={slip.data.status} />
          </Group>
          <Group align="flex-start" wrap="nowrap">
            <Picture of={slip.data} />
            <Inquiry of={slip.data} />
          </Group>
          <Uses of={slip.data} />
          <Actions of={slip.data} decision={decision} />
        </>
      )}
    </SidePanel>
  );
}
