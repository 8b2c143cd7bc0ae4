import { KYC_DOCUMENTS, KYC_REFUSALS, type KycDocument } from '@krapao/contract/shared';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Checkbox, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide';
import { useState } from 'react';
import { ActionDialog, type DialogField } from '../../components/action-dialog.tsx';
import { Fact, State, Tag } from '../../components/cells.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError, ReadErrorCard } from '../../components/read-error.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import type { Member } from './types.ts';

type Kyc = Reply<'GET /api/operator/members/{id}/kyc'>;
type Document = Kyc['documents'][number];
type Action = 'request' | 'verify' | 'refuse';

const listOf = (value: string): KycDocument[] =>
  KYC_DOCUMENTS.filter((kind) => value.split(',').includes(kind));

/** Sends a decision about the check as it was seen, and reads the member again. */
function useSend(member: Member, check: Kyc) {
  const { t } = useText();
  const notice = useNotice();
  const params = { id: member.id };
  // As it was when the dialog opened: a later round was not looked at.
  const [seen] = useState({ round: check.round, state: check.state });
  const calls = {
    request: ({ documents = '', reason = '' }) =>
      api('POST /api/operator/members/{id}/kyc/request', {
        params,
        body: { seen, documents: listOf(documents), reason },
      }),
    verify: ({ reason = '' }) =>
      api('POST /api/operator/members/{id}/kyc/verify', { params, body: { seen, reason } }),
    refuse: ({ documents = '', refusal = '' }) =>
      api('POST /api/operator/members/{id}/kyc/refuse', {
        params,
        body: { seen, documents: listOf(documents), refusal: refusal as (typeof KYC_REFUSALS)[number] },
      }),
  } satisfies Record<Action, (values: Record<string, string>) => Promise<Kyc>>;
  const done = { request: 'kyc.requestSent', verify: 'kyc.verified', refuse: 'kyc.sentBack' } as const;
  return async (action: Action, values: Record<string, string>) => {
    try {
      await calls[action](values);
      notice.say(t(done[action]));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      for (const key of ['member', 'members', 'today']) void queries.invalidateQueries({ queryKey: [key] });
    }
  };
}

function useDocumentsField(label: string, offered: readonly KycDocument[], value: string): DialogField {
  const { t } = useText();
  return {
    name: 'documents',
    label,
    least: 1,
    value,
    draw: (chosen, onChange) => (
      <Checkbox.Group
        key="documents"
        label={label}
        withAsterisk
        value={chosen === '' ? [] : chosen.split(',')}
        onChange={(next) => onChange(next.join(','))}
      >
        <Stack gap="xs" mt="xs">
          {offered.map((kind) => (
            <Checkbox key={kind} value={kind} label={t(`kycDocument.${kind}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
    ),
  };
}

interface QuestionProps {
  member: Member;
  check: Kyc;
  action: Action;
  onClose: () => void;
}

function Question({ member, check, action, onClose }: QuestionProps) {
  const { t } = useText();
  const send = useSend(member, check);
  const isSubmitted = check.state === 'SUBMITTED';
  const wanted = useDocumentsField(t('kyc.documents'), KYC_DOCUMENTS, 'identity,selfie');
  const again = useDocumentsField(t('kyc.again'), check.wanted, check.wanted.join(','));
  const reason = {
    name: 'reason',
    label: t('field.reason'),
    rows: 2,
    least: 3,
    value: action === 'verify' && isSubmitted ? t('kyc.matches') : '',
  };
  const refusal = {
    name: 'refusal',
    label: t('kyc.why'),
    least: 1,
    options: KYC_REFUSALS.map((value) => ({ value, label: t(`kycRefusal.${value}`) })),
  };
  const fields = { request: [wanted, reason], verify: [reason], refuse: [refusal, again] }[action];
  return (
    <ActionDialog
      title={`${t(`kyc.${action}`)} · ${member.name}`}
      yes={t(`kyc.${action}`)}
      fields={fields}
      onYes={(values) => send(action, values)}
      onClose={onClose}
    >
      {action === 'request' && check.state === 'VERIFIED' && <Text size="sm">{t('kyc.noLonger')}</Text>}
    </ActionDialog>
  );
}

/** The picture beside the names it is compared with. The server audits that it was opened. */
function Picture({ member, document, onClose }: { member: Member; document: Document; onClose: () => void }) {
  const { t } = useText();
  const [isBroken, setBroken] = useState(false);
  const title = t(`kycDocument.${document.kind}`);
  return (
    <Dialog onClose={onClose} size="auto" title={title}>
      <Stack gap="sm">
        {isBroken ? (
          <Text role="alert">{t('kyc.pictureFailed')}</Text>
        ) : (
          <Image
            src={`/api/operator/kyc/documents/${document.id}/image`}
            alt={title}
            mah="62vh"
            fit="contain"
            radius="md"
            bg="var(--surface-2)"
            onError={() => setBroken(true)}
          />
        )}
        <Stack gap={6}>
          <Fact name={t('col.member')}>{member.name}</Fact>
          {member.account && <Fact name={t('col.account')}>{member.account.accountName}</Fact>}
          <Fact name={t('kyc.received')}>{dateTimeText(document.receivedAt)}</Fact>
        </Stack>
      </Stack>
    </Dialog>
  );
}

function Moment({ at, by }: { at: string; by: string | null }) {
  return (
    <>
      <Text size="sm">{dateTimeText(at)}</Text>
      {by && (
        <Text size="xs" c="dimmed">
          {by}
        </Text>
      )}
    </>
  );
}

/** When it was requested, submitted and decided, by whom, and what it waits for. */
function Facts({ of: check }: { of: Kyc }) {
  const { t } = useText();
  const { state, requestedAt, submittedAt, decidedAt, decidedBy, requestedBy, refusal } = check;
  if (state === null)
    return (
      <Text size="sm" c="dimmed">
        {t('kyc.none')}
      </Text>
    );
  const isOpen = state === 'REQUESTED' || state === 'REFUSED';
  return (
    <Stack gap={6}>
      {requestedAt && (
        <Fact name={t('kyc.requested')}>
          <Moment at={requestedAt} by={requestedBy ?? t('kyc.byMember')} />
        </Fact>
      )}
      {submittedAt && <Fact name={t('kyc.submitted')}>{dateTimeText(submittedAt)}</Fact>}
      {decidedAt && (
        <Fact name={t('kyc.decided')}>
          <Moment at={decidedAt} by={decidedBy} />
        </Fact>
      )}
      {state === 'REFUSED' && refusal && <Fact name={t('kyc.reason')}>{t(`kycRefusal.${refusal}`)}</Fact>}
      {isOpen && (
        <Fact name={t('kyc.waitingFor')}>
          {check.wanted.map((kind) => (
            <Text key={kind} size="sm">
              {t(`kycDocument.${kind}`)}
            </Text>
          ))}
        </Fact>
      )}
    </Stack>
  );
}

function Documents({
  of: documents,
  onOpen,
}: {
  of: readonly Document[];
  onOpen?: (document: Document) => void;
}) {
  const { t } = useText();
  return (
    <Stack gap="xs">
      {documents.map((document) => {
        const name = t(`kycDocument.${document.kind}`);
        return (
          <Group key={document.id} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm">{name}</Text>
              <Group gap="xs">
                <Text size="xs" c="dimmed">
                  {dateTimeText(document.receivedAt)}
                </Text>
                {document.isReplaced && <Tag tone="ink-2">{t('kyc.replaced')}</Tag>}
              </Group>
            </div>
            {onOpen && (
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<Icon of={Eye} size={16} />}
                aria-label={t('kyc.open', { document: name })}
                onClick={() => onOpen(document)}
              >
                {t('kyc.view')}
              </Button>
            )}
          </Group>
        );
      })}
      {onOpen && documents.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('kyc.audited')}
        </Text>
      )}
    </Stack>
  );
}

/** The identity check of a member: its state, the documents that came, and what the operator may do about it. */
export function KycCard({ of: member }: { of: Member }) {
  const { t } = useText();
  const canDecide = may(useMe(), 'member.kyc');
  const [action, setAction] = useState<Action | null>(null);
  const [opened, setOpened] = useState<Document | null>(null);
  const found = useQuery({
    queryKey: ['member', member.id, 'kyc'],
    queryFn: () => api('GET /api/operator/members/{id}/kyc', { params: { id: member.id } }),
  });
  const check = found.data;
  if (!check) return <ReadErrorCard title={t('kyc.title')} of={found} />;
  const isSubmitted = check.state === 'SUBMITTED';
  return (
    <Paper withBorder p="md" component="section" aria-label={t('kyc.title')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h6">
            {t('kyc.title')}
          </Title>
          <State of={check.state ?? 'NONE'} />
        </Group>
        <ReadError of={found} />
        <Facts of={check} />
        <Documents of={check.documents} {...(canDecide && { onOpen: setOpened })} />
        {canDecide && (
          <Group gap="xs">
            {check.state !== 'VERIFIED' && (
              <Button
                size="xs"
                variant={isSubmitted ? 'filled' : 'default'}
                onClick={() => setAction('verify')}
              >
                {t('kyc.verify')}
              </Button>
            )}
            {isSubmitted ? (
              <Button size="xs" variant="default" onClick={() => setAction('refuse')}>
                {t('kyc.refuse')}
              </Button>
            ) : (
              <Button size="xs" variant="default" onClick={() => setAction('request')}>
                {t('kyc.request')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
      {opened && <Picture member={member} document={opened} onClose={() => setOpened(null)} />}
      {action && <Question {...{ member, check, action }} onClose={() => setAction(null)} />}
    </Paper>
  );
}
