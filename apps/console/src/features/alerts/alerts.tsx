import { ALERT_KINDS, type AlertKind } from '@krapao/contract/alert-kinds';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group } from '@mantine/core';
import { useAlertActions, useAlertRowActions } from '../../components/alert-actions.tsx';
import { useAlertColumns } from '../../components/alert-columns.tsx';
import type { Alert } from '../../components/alert-dismissed.tsx';
import { NameCell, useSelectionColumn } from '../../components/bulk.tsx';
import { KeyHint } from '../../components/cells.tsx';
import { type ChoicesDef, useAssignmentChoices } from '../../components/choices-filter.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { selectionKeys, useRowActions } from '../../components/row-actions.tsx';
import { useAddress } from '../../platform/address.ts';
import { alertText } from '../../platform/alert-text.ts';
import { api, type Query } from '../../platform/api.ts';
import { choicesIn } from '../../platform/choices.ts';
import { may, useMe } from '../../platform/me.ts';
import { useGo } from '../../platform/paths.ts';
import { placeOf } from '../../platform/subject-place.ts';
import { useList } from '../../platform/use-list.ts';

type Filter = Query<'GET /api/operator/alerts'>;

const STATES = ['OPEN', 'INVESTIGATING', 'RESOLVED', 'DISMISSED'] as const;
const OVER: ReadonlySet<string> = new Set(['RESOLVED', 'DISMISSED']);

function Hints() {
  const { t } = useText();
  return (
    <Group gap="sm" visibleFrom="lg">
      <KeyHint keys={['j', 'k']}>{t('keys.move')}</KeyHint>
      <KeyHint keys={['Enter']}>{t('keys.open')}</KeyHint>
      <KeyHint keys={['x']}>{t('keys.select')}</KeyHint>
      <KeyHint keys={['c']}>{t('alerts.take')}</KeyHint>
      <KeyHint keys={['a']}>{t('alerts.resolve')}</KeyHint>
      <KeyHint keys={['r']}>{t('alerts.dismiss')}</KeyHint>
    </Group>
  );
}

/** The kinds of alerts that the operator may see. */
function useKindChoices(): ChoicesDef {
  const { t } = useText();
  const me = useMe();
  const kinds = (Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => may(me, ALERT_KINDS[kind]));
  const options = kinds.map((value) => ({ value, label: alertText(t, value) }));
  return {
    name: 'kind',
    label: t('col.why'),
    options: options.toSorted((one, other) => one.label.localeCompare(other.label)),
  };
}

/** What rules have noticed: those not over, oldest first; what became of the others by state, newest first. */
export function AlertsPage() {
  const { t } = useText();
  const me = useMe();
  const go = useGo();
  const address = useAddress();
  const state = address.get('state');
  const chosen = choicesIn(state);
  const isOver = chosen.length > 0 && chosen.every(({ value, isLeftOut }) => OVER.has(value) !== isLeftOut);
  const order = isOver ? '-openedAt' : 'openedAt';
  const actions = useAlertActions();
  const list = useList({
    queryKey: ['alerts'],
    read: (query: Filter) => api('GET /api/operator/alerts', { query }),
    rowsOf: (reply) => reply.alerts,
    filters: ['state', 'kind', 'assigned'],
    query: { sort: (address.get('sort') || order) as NonNullable<Filter['sort']> },
  });
  const many = useRowActions<Alert>({
    list,
    canSelect: actions.canHandle,
    nameOf: ({ kind, subject }) => <NameCell title={alertText(t, kind)} below={subject} />,
    actions: useAlertRowActions(),
    queryKeys: ['alerts', 'today'],
  });
  const kindChoices = useKindChoices();
  const assignments = useAssignmentChoices();
  const boxes = useSelectionColumn(many.selection);
  const columns = useAlertColumns(actions);
  const open = (subject: string) => {
    const place = placeOf(subject);
    if (place && may(me, place.permission)) go(place.path);
  };
  return (
    <ListPage
      list={list}
      order={order}
      title={t('nav.alerts')}
      empty={t('empty.alerts')}
      columns={may(me, 'alert.close') ? [boxes, ...columns] : columns}
      onEnter={(row) => open(row.subject)}
      keys={(row) => ({
        ...selectionKeys(many.selection, row),
        c: () => row && actions.take(row),
        a: () => row && actions.end(row, 'resolve'),
        r: () => row && actions.end(row, 'dismiss'),
      })}
      selectionBar={many.bar}
      choices={[
        {
          name: 'state',
          label: t('col.state'),
          options: STATES.map((value) => ({ value, label: t(`state.${value}`) })),
        },
        kindChoices,
        assignments,
      ]}
      foot={may(me, 'alert.close') && <Hints />}
    >
      {actions.dialog}
      {many.dialog}
    </ListPage>
  );
}
