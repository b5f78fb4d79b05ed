import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { parseTableState, writeTableState } from './table-state.ts';
import type { TableState } from './table-state.ts';
import type { Column, Filter } from './types.ts';

/** The state of a table in the address. A change of search, filter or sort begins at the first page again. */
export function useTableState<Row>(
  columns: readonly Column<Row>[],
  filters: readonly Filter[],
  prefix?: string,
): readonly [TableState, (change: Partial<TableState>) => void] {
  const [params, setParams] = useSearchParams();
  const named = prefix === undefined ? {} : { prefix };
  const state = useMemo(() => {
    const sorts = columns.flatMap((column) => column.sort ?? []);
    return parseTableState(params, { ...(prefix === undefined ? {} : { prefix }), filters, sorts });
  }, [columns, filters, params, prefix]);
  const change = (given: Partial<TableState>): void => {
    const next = { ...state, cursors: [], ...given };
    setParams((before) => writeTableState(before, next, { ...named, filterIds: filters.map((filter) => filter.id) }), {
      // Paging is a step one can go back from; typing a search is not.
      replace: given.cursors === undefined,
    });
  };
  return [state, change];
}
