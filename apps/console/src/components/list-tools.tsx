import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Menu, Text, VisuallyHidden } from '@mantine/core';
import { Bookmark, Columns3, Download, Link2, Pin, Plus, Trash2 } from 'lucide';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAddress } from '../platform/address.ts';
import { api } from '../platform/api.ts';
import { may, useMe } from '../platform/me.ts';
import { useGo } from '../platform/paths.ts';
import {
  isFirstList,
  isFixed,
  keepColumns,
  PAGE_SIZES,
  pathOf,
  readViewsAgain,
  useChosenColumns,
  usePageSize,
  useShownColumns,
  useViews,
  type View,
  type ViewPage,
} from '../platform/saved-views.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { Column } from './column.ts';
import { Icon } from './icons.tsx';
import { useNotice } from './notice.tsx';
import { ViewCount } from './view-count.tsx';

interface ToolsProps {
  pageName: ViewPage;
  // biome-ignore lint/suspicious/noExplicitAny: of no matter here what the rows are
  columns: readonly Column<any>[];
  /** Ids of columns that only other views of the page have: a choice here leaves them shown there. */
  otherColumns?: readonly string[] | undefined;
  /** The query of the list. */
  query: object;
}

/**
 * The tools for the list of a page: named views, its columns, and
 * all of it as a file.
 */
export function ListTools(props: ToolsProps) {
  return (
    <>
      <Views {...props} />
      <Columns {...props} />
      <Export pageName={props.pageName} query={props.query} />
    </>
  );
}

const FORMATS = ['csv', 'xlsx'] as const;

/** All that fits the filter as a file for a spreadsheet, in the order shown; the trail tells who took it. */
export function Export({ pageName, query }: { pageName: string; query: object }) {
  const { t, language } = useText();
  if (!may(useMe(), 'export.read')) return null;
  const filters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && !['page', 'cursor', 'limit'].includes(name)) filters.set(name, String(value));
  filters.set('language', language);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon of={Download} />}>
          {t('btn.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={`/api/operator/export/${pageName}.${format}?${filters}`}
            download
          >
            {t(`export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Columns({
  pageName,
  columns,
  otherColumns = [],
}: Pick<ToolsProps, 'pageName' | 'columns' | 'otherColumns'>) {
  const { t } = useText();
  const notice = useNotice();
  const address = useAddress();
  const shown = useShownColumns(pageName, columns).map(({ id }) => id);
  const free = columns.filter((column) => !isFixed(column));
  const before = useChosenColumns(pageName);
  const elsewhere = before.length > 0 ? before : otherColumns;
  const others = elsewhere.filter((id) => !columns.some((column) => column.id === id));
  const choose = (here: string[]) => {
    const isAll = here.length === free.length;
    const ids = [...here, ...others];
    address.set({
      cols: isAll ? null : ids.join(','),
      page: address.get('page'),
      cursor: address.get('cursor'),
    });
    keepColumns(pageName, isAll ? [] : ids).catch(notice.complain);
  };
  const chosen = free.map(({ id }) => id).filter((id) => shown.includes(id));
  const toggle = (id: string) =>
    choose(free.map((column) => column.id).filter((other) => chosen.includes(other) !== (other === id)));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon of={Columns3} />}>
          {t('table.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {free.map((column) => (
          <Menu.CheckboxItem
            key={column.id}
            checked={chosen.includes(column.id)}
            disabled={chosen.length === 1 && chosen.includes(column.id)}
            onChange={() => toggle(column.id)}
          >
            {column.head}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item disabled={chosen.length === free.length} onClick={() => choose(free.map(({ id }) => id))}>
          {t('table.allColumns')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The address as a colleague must have it: what is otherwise the operator's own choice is written out. */
function useFilters({ pageName, columns }: Pick<ToolsProps, 'pageName' | 'columns'>): string {
  const address = useAddress();
  const shown = useShownColumns(pageName, columns);
  const { size } = usePageSize(pageName);
  const params = new URLSearchParams(address.key);
  params.delete('page');
  params.delete('cursor');
  if (size !== PAGE_SIZES[0]) params.set('size', String(size));
  if (shown.length < columns.length)
    params.set(
      'cols',
      shown
        .filter((column) => !isFixed(column))
        .map(({ id }) => id)
        .join(','),
    );
  return params.toString();
}

/** The filters for another operator: `mine` alone is replaced by the sender's name, else the assignment is left out. */
function linkOf(filters: string, sender: string): string {
  const params = new URLSearchParams(filters);
  const assigned = params.get('assigned')?.split(',') ?? [];
  if (assigned.some((value) => value.endsWith('mine'))) {
    // Beside other values the sender's name cannot stand.
    params.delete('assigned');
    if (assigned.length === 1 && assigned[0] === 'mine') params.set('assignee', sender);
  }
  return params.toString();
}

/** Named views of a page, and its address for a colleague. */
export function Views(props: Pick<ToolsProps, 'pageName' | 'columns'>) {
  const { t } = useText();
  const notice = useNotice();
  const [path, go] = useLocation();
  const [dialog, setDialog] = useState<'save' | 'default' | 'remove' | null>(null);
  const views = useViews(props.pageName);
  const filters = useFilters(props);
  const me = useMe();
  const copy = () =>
    navigator.clipboard
      .writeText(`${location.origin}${path}?${linkOf(filters, me.name)}`)
      .then(() => notice.say(t('views.copied')), notice.complain);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Icon of={Bookmark} />}>
            {t('views.title')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>{t('views.none')}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item
              key={view.id}
              fw={view.address === filters ? 700 : undefined}
              rightSection={<ViewNotes of={view} />}
              onClick={() => go(pathOf(view))}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <WithoutView pageName={props.pageName} />}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon of={Plus} size={16} />} onClick={() => setDialog('save')}>
            {t('views.save')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon of={Link2} size={16} />} onClick={copy}>
            {t('views.copy')}
          </Menu.Item>
          {views.length > 0 && isFirstList(props.pageName) && (
            <Menu.Item leftSection={<Icon of={Pin} size={16} />} onClick={() => setDialog('default')}>
              {t('views.default')}
            </Menu.Item>
          )}
          {views.some((view) => view.mine) && (
            <Menu.Item leftSection={<Icon of={Trash2} size={16} />} onClick={() => setDialog('remove')}>
              {t('views.remove')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' && (
        <Save pageName={props.pageName} filters={filters} onClose={() => setDialog(null)} />
      )}
      {dialog === 'default' && (
        <ChooseDefault pageName={props.pageName} views={views} onClose={() => setDialog(null)} />
      )}
      {dialog === 'remove' && (
        <Remove own={views.filter((view) => view.mine)} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

/** What is beside the name of a view: that the page opens with it, whose it is, and how many rows it has. */
function ViewNotes({ of: view }: { of: View }) {
  const { t } = useText();
  return (
    <Group gap={8} wrap="nowrap">
      {view.isDefault && (
        <>
          <Icon of={Pin} size={14} />
          <VisuallyHidden>{t('views.isDefault')}</VisuallyHidden>
        </>
      )}
      {!view.mine && (
        <Text size="xs" c="dimmed">
          {view.owner}
        </Text>
      )}
      <ViewCount of={view} />
    </Group>
  );
}

/** Leads to the list as it is without filters. */
function WithoutView({ pageName }: { pageName: ViewPage }) {
  const { t } = useText();
  const go = useGo();
  const address = pageName === 'doubts' ? 'list=doubts' : '';
  return <Menu.Item onClick={() => go(pathOf({ pageName, address }))}>{t('views.without')}</Menu.Item>;
}

/** Chosen for none: no view has such an id. */
const NONE = 'none';

interface ChooseDefaultProps {
  pageName: ViewPage;
  views: View[];
  onClose: () => void;
}

/** Which view the page opens with. */
function ChooseDefault({ pageName, views, onClose }: ChooseDefaultProps) {
  const { t } = useText();
  const notice = useNotice();
  const choose = async ({ id = NONE }: Record<string, string>) => {
    const body = { pageName, id: id === NONE ? null : id };
    await api('POST /api/operator/default-view', { body }).catch((error) => {
      notice.complain(error);
      throw error;
    });
    notice.say(t('views.defaultSaved'));
    void readViewsAgain();
  };
  return (
    <ActionDialog
      title={t('views.default')}
      yes={t('views.default')}
      fields={[
        {
          name: 'id',
          label: t('views.isDefault'),
          value: views.find((view) => view.isDefault)?.id ?? NONE,
          options: [
            { value: NONE, label: t('views.noDefault') },
            ...views.map(({ id, name }) => ({ value: id, label: name })),
          ],
        },
      ]}
      onYes={choose}
      onClose={onClose}
    />
  );
}

function Save({ pageName, filters, onClose }: { pageName: ViewPage; filters: string; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const save = async ({ name = '', audience }: Record<string, string>) => {
    const body = { pageName, name: name.trim(), address: filters, audience: audience as View['audience'] };
    await api('POST /api/operator/views', { body }).catch((error) => {
      notice.complain(error);
      throw error;
    });
    notice.say(t('views.saved'));
    void readViewsAgain();
  };
  return (
    <ActionDialog
      title={t('views.save')}
      yes={t('views.save')}
      fields={[
        { name: 'name', label: t('views.name'), least: 1 },
        {
          name: 'audience',
          label: t('views.audience'),
          value: 'me',
          options: (['me', 'role', 'all'] as const).map((value) => ({ value, label: t(`views.${value}`) })),
        },
      ]}
      onYes={save}
      onClose={onClose}
    />
  );
}

function Remove({ own, onClose }: { own: View[]; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const remove = async ({ id = '' }: Record<string, string>) => {
    await api('POST /api/operator/views/{id}/remove', { params: { id } }).catch((error) => {
      notice.complain(error);
      throw error;
    });
    notice.say(t('views.removed'));
    void readViewsAgain();
  };
  return (
    <ActionDialog
      title={t('views.remove')}
      yes={t('views.remove')}
      isDangerous
      fields={[
        {
          name: 'id',
          label: t('views.name'),
          value: own[0]?.id ?? '',
          options: own.map(({ id, name }) => ({ value: id, label: name })),
        },
      ]}
      onYes={remove}
      onClose={onClose}
    />
  );
}
