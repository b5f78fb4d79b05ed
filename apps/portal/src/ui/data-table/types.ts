import type { Page } from '@holdfast/contract/paging';
import type { QueryFunctionContext } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ExportValue } from '../export/export.ts';

/** A column: what it shows, what it exports, how it is sorted. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  /** For the export and for sorting in the browser, formatted for the reader's language. */
  readonly value: (row: Row) => ExportValue;
  /** The server's name for sorting by this column; without one only lists that are whole here are sorted by it. */
  readonly sort?: string;
  /** Numbers stand to the right, in tabular figures. */
  readonly isNumber?: boolean;
  readonly width?: number;
  /** Hidden until the reader chooses it. */
  readonly isExtra?: boolean;
  /** What can be done with the row: nothing to export or to sort by. */
  readonly isCommand?: boolean;
}

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
}

/** A filter that the server knows by `id`. */
export interface Filter {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly FilterChoice[];
  /** What holds while nothing is chosen, where everything at once is not to be had. */
  readonly initial?: string;
}

/** What a page of rows is asked for. The names are those of the lists of the API. */
export interface PageQuery {
  readonly cursor?: string;
  readonly limit: number;
  readonly sort?: string;
  readonly search?: string;
  readonly filters: Readonly<Record<string, string>>;
}

/** A read that answers a page. */
export interface PageRead<Row> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: QueryFunctionContext) => Promise<Page<Row>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Where rows come from: page by page from the server, or a whole list that is paged here. One that is at hand cannot fail. */
export type RowSource<Row> =
  | { readonly kind: 'pages'; readonly page: (query: PageQuery) => PageRead<Row>; readonly refetchMs?: number }
  | { readonly kind: 'list'; readonly rows: readonly Row[] | undefined; readonly error?: unknown; readonly retry?: () => void };

/** The rows on the screen and what is known of the rest. */
export interface ShownRows<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly total: number;
  readonly nextCursor: string | null;
  readonly isFetching: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  /** Every row that matches, page after page, for the export. */
  readonly all: (progress: (done: number) => void, signal: AbortSignal) => Promise<readonly Row[]>;
}
