import { Button, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import type { MenuPoint } from '../menu-point.ts';
import { narrowScreen, printing, sheet } from '../theme.ts';
import { EmptyState, FailedState } from '../empty-state.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { LiveNews } from '../live-news.tsx';
import { LoadingShape } from '../loading-shape.tsx';
import { ColumnDialog } from './column-dialog.tsx';
import { defaultLayout, keptLayout, shownColumns } from './column-layout.ts';
import type { ColumnLayout } from './column-layout.ts';
import { Pager } from './pager.tsx';
import { Rows } from './rows.tsx';
import { Toolbar } from './toolbar.tsx';
import type { Column, Filter, RowSource, ShownRows } from './types.ts';
import { sortable, useRows } from './use-rows.ts';
import { useTableState } from './use-table-state.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
    minWidth: 0,
    ...sheet,
    [narrowScreen]: { padding: tokens.spacingHorizontalS },
    [printing]: { padding: 0, boxShadow: 'none' },
  },
  busy: { height: '2px' },
  selection: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
});

const none: readonly Filter[] = [];
const noRows: readonly never[] = [];

export interface DataTableProps<Row> {
  /** Names the table in local storage. */
  readonly id: string;
  /** Names the table for the reader, and its export. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly source: RowSource<Row>;
  readonly rowKey: (row: Row) => string;
  readonly rowName: (row: Row) => string;
  readonly filters?: readonly Filter[];
  readonly isSearchable?: boolean;
  readonly onOpen?: (row: Row) => void;
  /** The right mouse button or the menu key was pressed on a row. */
  readonly onMenu?: (row: Row, at: MenuPoint) => void;
  /** What is shown when there is nothing at all. */
  readonly empty: ReactNode;
  /** Checkboxes, and what can be done with the chosen rows. */
  readonly selectionCommands?: (rows: readonly Row[], clear: () => void) => ReactNode;
  /** What is said of a row that has changed by itself. */
  readonly news?: (before: Row, now: Row) => string | null;
  /** Tells two tables of one page apart in the address. */
  readonly prefix?: string;
}

/** The one table of the portal: search, filters, sorting, pages, columns, selection, export. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactElement {
  const styles = useStyles();
  const { id, label, source, filters = none, isSearchable = true } = props;
  const columns = sortable(props.columns, source);
  const [layout, setLayout] = useColumnLayout(id, columns);
  const [state, change] = useTableState(columns, filters, props.prefix);
  const [columnsOpen, setColumnsOpen] = useState(false);
  const shown = useRows({ source, columns, filters, state, pageSize: layout.pageSize });
  const visible = shownColumns(columns, layout);
  return (
    <section className={styles.root} aria-label={label} aria-busy={shown.isFetching}>
      <Toolbar
        label={label}
        state={state}
        filters={filters}
        isSearchable={isSearchable}
        onChange={change}
        onColumns={() => setColumnsOpen(true)}
        exportMenu={
          <ExportMenu name={label} columns={visible.filter((column) => column.isCommand !== true)} total={shown.total} rows={shown.all} />
        }
      />
      <div className={styles.busy}>
        {shown.isFetching && shown.rows !== undefined && <ProgressBar thickness="medium" aria-label={label} />}
      </div>
      <Content {...props} columns={columns} shown={shown} layout={layout} onLayout={setLayout} state={state} onChange={change} />
      {props.news !== undefined && <LiveNews rows={shown.rows ?? noRows} rowKey={props.rowKey} news={props.news} />}
      {shown.total > 0 && (
        <Pager
          page={state.cursors.length}
          pageSize={layout.pageSize}
          shown={shown.rows?.length ?? 0}
          total={shown.total}
          hasNext={shown.nextCursor !== null}
          onPrevious={() => change({ cursors: state.cursors.slice(0, -1) })}
          onNext={() => change({ cursors: [...state.cursors, shown.nextCursor ?? ''] })}
          onPageSize={(pageSize) => {
            setLayout({ ...layout, pageSize });
            change({});
          }}
        />
      )}
      {columnsOpen && <ColumnDialog columns={columns} layout={layout} onChange={setLayout} onClose={() => setColumnsOpen(false)} />}
    </section>
  );
}

function useColumnLayout<Row>(id: string, columns: readonly Column<Row>[]): readonly [ColumnLayout, (layout: ColumnLayout) => void] {
  const kept = useMemo(() => keptLayout(localStorage, id), [id]);
  const [layout, setLayout] = useState(() => kept.read() ?? defaultLayout(columns));
  const save = (next: ColumnLayout): void => {
    kept.write(next);
    setLayout(next);
  };
  return [layout, save];
}

interface ContentProps<Row> extends DataTableProps<Row> {
  readonly shown: ShownRows<Row>;
  readonly layout: ColumnLayout;
  readonly onLayout: (layout: ColumnLayout) => void;
  readonly state: ReturnType<typeof useTableState>[0];
  readonly onChange: ReturnType<typeof useTableState>[1];
}

function Content<Row>(props: ContentProps<Row>): ReactElement {
  const text = useText();
  const { shown, state, layout, columns, onChange, onLayout } = props;
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  if (shown.error !== null && shown.error !== undefined) return <FailedState error={shown.error} onRetry={shown.retry} />;
  if (shown.rows === undefined) return <LoadingShape rows={8} />;
  if (shown.rows.length === 0) {
    const isNarrowed = state.search !== '' || Object.keys(state.filters).length > 0;
    if (!isNarrowed) return <>{props.empty}</>;
    const clear = <Button onClick={() => onChange({ search: '', filters: {} })}>{text('kit.clearFilters')}</Button>;
    return <EmptyState text={text('kit.noMatches')} action={clear} />;
  }
  const isSelectable = props.selectionCommands !== undefined;
  const here = new Map(shown.rows.map((row) => [props.rowKey(row), row]));
  // Who is chosen on one page stays chosen on the next: what is done with them needs them all.
  const select = (keys: ReadonlySet<string>): void =>
    setSelected(
      new Map(
        [...keys].flatMap((key) => {
          const row = here.get(key) ?? selected.get(key);
          return row === undefined ? [] : [[key, row] as const];
        }),
      ),
    );
  return (
    <>
      {isSelectable && selected.size > 0 && <SelectionBar {...props} rows={shown} selected={selected} onSelect={setSelected} />}
      <Rows
        label={props.label}
        columns={shownColumns(columns, layout)}
        widths={layout.widths}
        rows={shown.rows}
        rowKey={props.rowKey}
        rowName={props.rowName}
        sort={state.sort}
        onSort={(sort) => onChange({ sort })}
        onWidth={(column, width) => onLayout({ ...layout, widths: { ...layout.widths, [column]: width } })}
        onOpen={props.onOpen}
        onMenu={props.onMenu}
        {...(isSelectable ? { selected: new Set(selected.keys()), onSelect: select } : {})}
      />
    </>
  );
}

interface SelectionBarProps<Row> extends ContentProps<Row> {
  readonly rows: ShownRows<Row>;
  readonly selected: ReadonlyMap<string, Row>;
  readonly onSelect: (selected: ReadonlyMap<string, Row>) => void;
}

/** How many are chosen, what can be done with them, and the choice of every row that matches. */
function SelectionBar<Row>({ rows, rowKey, selected, onSelect, selectionCommands }: SelectionBarProps<Row>): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const clear = (): void => onSelect(new Map());
  const selectEvery = async (): Promise<void> => {
    // What can not be read has been told; the choice stays as it is.
    const all = await rows.all(() => undefined, new AbortController().signal).catch(() => undefined);
    if (all !== undefined) onSelect(new Map(all.map((row) => [rowKey(row), row])));
  };
  return (
    <div className={styles.selection} role="group" aria-label={text('kit.selected', { count: selected.size })}>
      <Text weight="semibold" role="status">
        {text('kit.selected', { count: selected.size })}
      </Text>
      {selectionCommands?.([...selected.values()], clear)}
      {rows.total > selected.size && (
        <Button appearance="subtle" onClick={() => void selectEvery()}>
          {text('kit.selectEvery', { total: format.count(rows.total) })}
        </Button>
      )}
      <Button appearance="subtle" onClick={clear}>
        {text('kit.clearSelection')}
      </Button>
    </div>
  );
}
