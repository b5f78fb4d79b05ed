import { pageSizeMax } from '@holdfast/contract/limits';
import type { Page } from '@holdfast/contract/paging';
import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient, SkipToken } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ExportValue } from '../export/export.ts';
import type { TableState } from './table-state.ts';
import type { Column, Filter, PageQuery, PageRead, RowSource, ShownRows } from './types.ts';

export interface RowsRequest<Row> {
  readonly source: RowSource<Row>;
  readonly columns: readonly Column<Row>[];
  readonly filters: readonly Filter[];
  readonly state: TableState;
  readonly pageSize: number;
}

function queryOf(state: TableState, limit: number, cursor: string | undefined): PageQuery {
  return {
    limit,
    filters: state.filters,
    ...(cursor === undefined ? {} : { cursor }),
    ...(state.sort === null ? {} : { sort: state.sort }),
    ...(state.search === '' ? {} : { search: state.search }),
  };
}

/** Lists that are whole here are sorted by every column; pages as the server can. Buttons have nothing to sort by. */
export function sortable<Row>(columns: readonly Column<Row>[], source: RowSource<Row>): readonly Column<Row>[] {
  if (source.kind === 'pages') return columns;
  return columns.map((column) => (column.sort === undefined && column.isCommand !== true ? { ...column, sort: column.id } : column));
}

/** The read of a table whose rows are given: never made. */
function nothing<Row>(): { readonly queryKey: readonly string[]; readonly queryFn: SkipToken | PageRead<Row>['queryFn'] } {
  return { queryKey: ['no pages'], queryFn: skipToken };
}

/** Every row that matches, page after page. */
async function everyRow<Row>(
  read: (cursor: string | undefined) => PageRead<Row>,
  queries: QueryClient,
  { progress, signal }: { readonly progress: (done: number) => void; readonly signal: AbortSignal },
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    signal.throwIfAborted();
    const { queryKey, queryFn } = read(cursor);
    const answer = await queries.fetchQuery({ queryKey, queryFn, staleTime: 0 });
    rows.push(...answer.items);
    progress(rows.length);
    cursor = answer.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

/** The rows of the page shown, whatever their source. Old rows stay visible while new ones load. */
export function useRows<Row>(request: RowsRequest<Row>): ShownRows<Row> {
  const fromServer = usePages(request);
  const fromList = useList(request);
  return request.source.kind === 'pages' ? fromServer : fromList;
}

function usePages<Row>({ source, state, pageSize }: RowsRequest<Row>): ShownRows<Row> {
  const queries = useQueryClient();
  const pages = source.kind === 'pages' ? source : null;
  const read: PageRead<Row> | undefined = pages?.page(queryOf(state, pageSize, state.cursors.at(-1)));
  const query = useQuery({ ...(read ?? nothing<Row>()), placeholderData: keepPreviousData, refetchInterval: pages?.refetchMs ?? false });
  return {
    ...pageOf(query.data),
    isFetching: query.isFetching,
    error: query.data === undefined ? query.error : null,
    retry: () => void query.refetch(),
    all: (progress, signal) =>
      pages === null
        ? Promise.resolve([])
        : everyRow((cursor) => pages.page(queryOf(state, pageSizeMax, cursor)), queries, { progress, signal }),
  };
}

function pageOf<Row>(page: Page<Row> | undefined): Pick<ShownRows<Row>, 'rows' | 'total' | 'nextCursor'> {
  return page === undefined
    ? { rows: undefined, total: 0, nextCursor: null }
    : { rows: page.items, total: page.total, nextCursor: page.nextCursor };
}

const noFault = { error: null as unknown, retry: (): void => undefined };

/** Whole lists are searched, filtered, sorted and paged here, with the same controls. */
function useList<Row>({ source, columns, filters, state, pageSize }: RowsRequest<Row>): ShownRows<Row> {
  const { rows: given, error, retry } = { ...noFault, ...(source.kind === 'list' ? source : { rows: undefined }) };
  const matching = useMemo(
    () => (given === undefined ? undefined : arrange({ rows: given, columns, filters, state })),
    [columns, filters, given, state],
  );
  const start = Number(state.cursors.at(-1) ?? 0) || 0;
  const next = start + pageSize;
  return {
    rows: matching?.slice(start, next),
    total: matching?.length ?? 0,
    nextCursor: matching !== undefined && next < matching.length ? String(next) : null,
    isFetching: given === undefined && error === null,
    error,
    retry,
    all: () => Promise.resolve(matching ?? []),
  };
}

interface Arrangement<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly filters: readonly Filter[];
  readonly state: TableState;
}

/** Searches in every column, filters by the column of the filter's name, sorts by the column's value. */
export function arrange<Row>({ rows, columns, filters, state }: Arrangement<Row>): readonly Row[] {
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (row: Row): boolean => {
    const text = columns
      .map((column) => String(column.value(row) ?? ''))
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word)) && filters.every((filter) => passes(row, filter));
  };
  const passes = (row: Row, filter: Filter): boolean => {
    const wanted = state.filters[filter.id];
    const label = filter.choices.find((choice) => choice.value === wanted)?.label;
    const column = columns.find((one) => one.id === filter.id);
    return wanted === undefined || column === undefined || [wanted, label].includes(String(column.value(row) ?? ''));
  };
  const found = rows.filter(matches);
  const sortBy = columns.find((column) => column.sort !== undefined && column.sort === state.sort?.replace(/^-/, ''));
  if (sortBy === undefined) return found;
  const direction = state.sort?.startsWith('-') === true ? -1 : 1;
  return found.toSorted((left, right) => direction * compare(sortBy.value(left), sortBy.value(right)));
}

function compare(left: ExportValue, right: ExportValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left ?? '').localeCompare(String(right ?? ''), undefined, { numeric: true });
}
