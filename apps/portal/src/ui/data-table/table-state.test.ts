import { expect, test } from 'vitest';
import { moved, shownColumns } from './column-layout.ts';
import { nextSort, parseTableState, writeTableState } from './table-state.ts';
import { arrange } from './use-rows.ts';

const filters = [{ id: 'status', label: 'Status', choices: [{ value: 'failed', label: 'Failed' }] }];
const known = { filters, sorts: ['name', 'bytes'] };

test('a state goes into the address and comes out the same; what else stands there stays', () => {
  const state = { sort: '-bytes', search: 'a b', filters: { status: 'failed' }, cursors: ['c1', 'c2'] };
  const params = writeTableState(new URLSearchParams('tab=runs'), state, { filterIds: ['status'] });
  expect(params.get('tab')).toBe('runs');
  expect(parseTableState(new URLSearchParams(params.toString()), known)).toEqual(state);
});

test('values that nobody knows are ignored', () => {
  const state = parseTableState(new URLSearchParams('sort=password&status=exploded&search=' + 'x'.repeat(500)), known);
  expect(state).toEqual({ sort: null, search: '', filters: {}, cursors: [] });
});

test('two tables of a page keep apart by their prefix', () => {
  const params = writeTableState(
    new URLSearchParams('sort=name'),
    { sort: '-bytes', search: '', filters: {}, cursors: [] },
    { prefix: 'a-', filterIds: [] },
  );
  expect(params.toString()).toBe('sort=name&a-sort=-bytes');
});

test('a sortable column goes from ascending over descending to unsorted', () => {
  expect(nextSort(null, 'name')).toBe('name');
  expect(nextSort('name', 'name')).toBe('-name');
  expect(nextSort('-name', 'name')).toBeNull();
});

const column = (id: string) => ({
  id,
  title: id,
  render: () => null,
  value: (row: Record<string, string | number>) => row[id] ?? null,
  sort: id,
});

test('whole lists are searched, filtered and sorted in the browser', () => {
  const columns = [column('name'), column('status'), column('size')];
  const rows = [
    { name: 'b', status: 'Failed', size: 2 },
    { name: 'a', status: 'Fine', size: 10 },
    { name: 'c', status: 'Failed', size: 1 },
  ];
  const found = arrange({ rows, columns, filters, state: { sort: '-size', search: '', filters: { status: 'failed' }, cursors: [] } });
  expect(found.map((row) => row['name'])).toEqual(['b', 'c']);
  expect(arrange({ rows, columns, filters, state: { sort: null, search: 'FINE', filters: {}, cursors: [] } })).toEqual([rows[1]]);
});

test('the name column stays first and shown; others move and hide', () => {
  const columns = ['name', 'a', 'b'].map(column);
  const layout = { order: ['name', 'b', 'a'], hidden: ['name'], widths: {}, pageSize: 50 as const };
  expect(shownColumns(columns, layout).map((one) => one.id)).toEqual(['name', 'b', 'a']);
  expect(moved(['name', 'a', 'b'], 'b', -1)).toEqual(['name', 'b', 'a']);
  expect(moved(['name', 'a', 'b'], 'a', -1)).toEqual(['name', 'a', 'b']);
});
