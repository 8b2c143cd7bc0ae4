import { useText } from '@krapao/ui/text/text.tsx';
import { SegmentedControl } from '@mantine/core';
import { useAddress } from '../../platform/address.ts';

const LISTS = ['reports', 'doubts'] as const;

/** Which of the page's lists is shown. */
export function useListShown(): (typeof LISTS)[number] {
  const named = useAddress().get('list');
  return LISTS.find((list) => list === named) ?? 'reports';
}

/** Leads from one of the page's lists to the other, whose filters are its own. */
export function ListSwitch() {
  const { t } = useText();
  const address = useAddress();
  const go = (list: string) =>
    address.set({
      list: list === 'reports' ? null : list,
      ...Object.fromEntries(['state', 'q', 'sort', 'cols', 'from', 'to'].map((name) => [name, null])),
    });
  return (
    <SegmentedControl
      value={useListShown()}
      onChange={go}
      data={LISTS.map((value) => ({ value, label: t(`reports.${value}`) }))}
      style={{ alignSelf: 'flex-start' }}
    />
  );
}
