import type { ReactNode } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Moment, Size } from '../moment.tsx';
import type { Column } from './types.ts';

type Given<Row> = Pick<Column<Row>, 'id' | 'title'> & Partial<Pick<Column<Row>, 'sort' | 'width' | 'isExtra'>>;

/** Columns of the usual kinds: a value looks and is exported the same in every list. */
export interface ColumnKinds<Row> {
  readonly words: (column: Given<Row>, of: (row: Row) => string) => Column<Row>;
  readonly count: (column: Given<Row>, of: (row: Row) => number | null) => Column<Row>;
  readonly size: (column: Given<Row>, of: (row: Row) => number | null) => Column<Row>;
  readonly moment: (column: Given<Row>, of: (row: Row) => string | null) => Column<Row>;
  /** What can be done with each row. */
  readonly actions: (render: (row: Row) => ReactNode, width?: number) => Column<Row>;
}

/** The kinds of columns, in the reader's language. What is empty or not known is a dash on the screen and nothing in an export. */
export function useColumnKinds<Row>(): ColumnKinds<Row> {
  const text = useText();
  const format = useFormat();
  const counted = (count: number | null): string => (count === null ? '–' : format.count(count));
  return {
    words: (column, of) => ({ ...column, value: of, render: (row) => of(row) || '–' }),
    count: (column, of) => ({ ...column, isNumber: true, value: of, render: (row) => counted(of(row)) }),
    size: (column, of) => ({ ...column, isNumber: true, value: of, render: (row) => <Size bytes={of(row)} /> }),
    moment: (column, of) => ({ ...column, value: (row) => format.iso(of(row)), render: (row) => <Moment at={of(row)} /> }),
    actions: (render, width) => ({
      id: 'actions',
      title: text('common.actions'),
      isCommand: true,
      value: () => null,
      render,
      ...(width === undefined ? {} : { width }),
    }),
  };
}
