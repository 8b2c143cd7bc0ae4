import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { consoleApp } from '../../testing/console-app.tsx';
import { useWaitingColumns } from './columns.tsx';

const app = await consoleApp();

test('the withdrawal times of one day name the currency of each row', async () => {
  const times = { paid: 1, automatic: 1, median: 2, manualMedian: null, ninety: 3, longest: 3 };
  function Cells() {
    const columns = useWaitingColumns();
    return (['BAHT', 'LAK'] as const).map((currency) => (
      <div key={currency} data-testid={currency}>
        {columns.map(({ id, cell }) => (
          <span key={id}>{cell({ id: currency, day: '2026-11-02', currency, ...times })}</span>
        ))}
      </div>
    ));
  }
  app.show(<Cells />);
  const [baht, kip] = [await screen.findByTestId('BAHT'), screen.getByTestId('LAK')];
  expect(baht.textContent).toContain('฿');
  expect(kip.textContent).toContain('₭');
});
