import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { VirtualList } from './virtual-list.tsx';

test('rows that stay in sight are not drawn again: a step draws the row that is left and the one that is reached', async () => {
  const names = Array.from({ length: 200 }, (_, at) => `Row ${at}`);
  const drawn: string[] = [];
  const draw = (name: string) => {
    drawn.push(name);
    return <span role="gridcell">{name}</span>;
  };
  const nothing = (): void => undefined;
  const { user } = await renderPage(
    <VirtualList
      label="Names"
      rows={names}
      total={200}
      height={320}
      rowKey={(name) => name}
      render={draw}
      onNearEnd={nothing}
      onOpen={nothing}
      onSelect={nothing}
    />,
  );
  const [first] = await screen.findAllByRole('row');
  first?.focus();
  drawn.length = 0;
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('Row 1');
  expect([...new Set(drawn)].toSorted()).toEqual(['Row 0', 'Row 1']);
});
