import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { TileGrid } from './tile-grid.tsx';

const names = Array.from({ length: 1_000 }, (_, at) => `Tile ${at}`);

async function aGrid() {
  const opened: string[] = [];
  const chosen: string[] = [];
  const page = await renderPage(
    <TileGrid
      label="Names"
      tiles={names}
      total={names.length}
      height={400}
      tileHeight={88}
      tileKey={(name) => name}
      render={(name) => name}
      onNearEnd={() => undefined}
      onOpen={(name) => opened.push(name)}
      onSelect={(name) => chosen.push(name)}
    />,
  );
  const [first] = await screen.findAllByRole('gridcell');
  first?.focus();
  return { ...page, opened, chosen };
}
const focused = (): string | null | undefined => document.activeElement?.textContent;

test('the arrows lead to the tiles beside and below, and never past the edge', async () => {
  const { user, checkAccessibility } = await aGrid();
  await checkAccessibility();
  await user.keyboard('{ArrowRight}{ArrowDown}');
  expect(focused()).toBe('Tile 5');
  await user.keyboard('{ArrowLeft}{ArrowUp}');
  expect(focused()).toBe('Tile 0');
  await user.keyboard('{ArrowUp}');
  expect(focused()).toBe('Tile 0');
});

test('Enter opens a tile, Space chooses it', async () => {
  const { user, opened, chosen } = await aGrid();
  await user.keyboard('{ArrowRight}{Enter}{ArrowRight} ');
  expect(opened).toEqual(['Tile 1']);
  expect(chosen).toEqual(['Tile 2']);
});

test('only what is in sight is in the document, and the grid tells how much there is', async () => {
  await aGrid();
  expect(screen.getAllByRole('gridcell').length).toBeLessThan(60);
  expect(screen.getByRole('grid', { name: 'Names' }).getAttribute('aria-rowcount')).toBe('250');
});
