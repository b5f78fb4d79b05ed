import {
  Checkbox,
  Link,
  makeStyles,
  mergeClasses,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  tokens,
} from '@fluentui/react-components';
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { onMenuAsked } from '../menu-point.ts';
import type { MenuPoint } from '../menu-point.ts';
import { narrowScreen, rowBackgroundHover } from '../theme.ts';
import { ResizeHandle } from './resize-handle.tsx';
import { useSelectionGestures } from './selection-gestures.ts';
import type { SelectionGestures } from './selection-gestures.ts';
import { nextSort } from './table-state.ts';
import type { Column } from './types.ts';

/** Of a column that asks for nothing. */
const usualWidth = 120;
/** Columns that nobody has sized give way to a narrow window down to this share of what they ask for. */
const leeway = 0.72;

const useStyles = makeStyles({
  // On narrow screens rows become cards: each cell says its column's name.
  frame: { overflowX: 'auto', position: 'relative' },
  table: {
    minWidth: 'max(100%, min(var(--columns), 100vw))',
    tableLayout: 'fixed',
    [narrowScreen]: { display: 'block', minWidth: '100%' },
  },
  head: { [narrowScreen]: { display: 'none' } },
  body: { [narrowScreen]: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS } },
  row: {
    [narrowScreen]: {
      display: 'grid',
      // Names of columns stand in whole words; what they leave is for the values.
      gridTemplateColumns: 'fit-content(45%) minmax(0, 1fr)',
      columnGap: tokens.spacingHorizontalS,
      border: `1px solid ${tokens.colorNeutralStroke2}`,
      borderRadius: tokens.borderRadiusMedium,
      padding: tokens.spacingVerticalS,
    },
  },
  // Chosen rows keep their colour under the mouse.
  plain: { ':hover': { backgroundColor: rowBackgroundHover, color: tokens.colorNeutralForeground1 } },
  open: { cursor: 'pointer' },
  cell: {
    height: tokens.lineHeightBase500,
    overflowWrap: 'anywhere',
    paddingTop: tokens.spacingVerticalS,
    paddingBottom: tokens.spacingVerticalS,
    verticalAlign: 'top',
    [narrowScreen]: {
      display: 'grid',
      gridColumn: '1 / -1',
      gridTemplateColumns: 'subgrid',
      height: 'auto',
      width: 'auto',
      '::before': { content: 'attr(data-title)', color: tokens.colorNeutralForeground2, hyphens: 'auto', overflowWrap: 'break-word' },
    },
  },
  // What follows a number begins at the other side of its cell: without room between them the two read as one.
  number: {
    textAlign: 'end',
    fontVariantNumeric: 'tabular-nums',
    paddingInlineEnd: tokens.spacingHorizontalL,
    [narrowScreen]: { textAlign: 'start' },
  },
  numberHead: {
    paddingInlineEnd: tokens.spacingHorizontalL,
    '& .fui-TableHeaderCell__button': { justifyContent: 'end', textAlign: 'end' },
  },
  // The box brings its own room on all sides.
  select: {
    width: '40px',
    paddingTop: 0,
    paddingBottom: 0,
    [narrowScreen]: { '::before': { content: 'none' }, display: 'block', paddingInline: 0, gridColumn: '1 / -1' },
  },
  headCell: {
    position: 'relative',
    fontWeight: tokens.fontWeightSemibold,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    hyphens: 'auto',
    paddingTop: tokens.spacingVerticalXS,
    paddingBottom: tokens.spacingVerticalXS,
    '& .fui-TableHeaderCell__button': { minWidth: 0, overflowWrap: 'anywhere', textAlign: 'start' },
  },
});

export interface RowsProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly widths: Readonly<Record<string, number>>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly rowName: (row: Row) => string;
  readonly sort: string | null;
  readonly onSort: (sort: string | null) => void;
  readonly onWidth: (column: string, width: number) => void;
  readonly onOpen?: ((row: Row) => void) | undefined;
  readonly onMenu?: ((row: Row, at: MenuPoint) => void) | undefined;
  readonly selected?: ReadonlySet<string> | undefined;
  readonly onSelect?: ((selected: ReadonlySet<string>) => void) | undefined;
}

/** The rows of a page as a table, or as cards where there is no room for one. */
export function Rows<Row>(props: RowsProps<Row>): ReactElement {
  const styles = useStyles();
  const { columns, widths } = props;
  const gestures = useSelectionGestures(props);
  const sum = columns.reduce((total, column) => total + pixelsOf(column, widths), 0);
  const isSized = columns.some((column) => widths[column.id] !== undefined);
  const columnsWidth = { '--columns': `${isSized ? sum : Math.round(sum * leeway)}px` } as CSSProperties;
  const widthOf = (column: Column<Row>): string =>
    isSized ? `${pixelsOf(column, widths)}px` : `${(100 * pixelsOf(column, widths)) / sum}%`;
  return (
    <div className={styles.frame}>
      <Table aria-label={props.label} className={styles.table} size="medium" style={columnsWidth}>
        <TableHeader className={styles.head}>
          <TableRow>
            <SelectAll {...props} />
            {props.columns.map((column) => (
              <HeadCell key={column.id} column={column} width={widthOf(column)} {...props} />
            ))}
          </TableRow>
        </TableHeader>
        <TableBody className={styles.body} onKeyDown={moveByArrow}>
          {props.rows.map((row) => (
            <OneRow key={props.rowKey(row)} row={row} gestures={gestures} {...props} />
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

/** Up and down lead to the same control of the row above or below; what uses the arrows itself keeps them. */
function moveByArrow(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (event.target as Element).closest('tbody tr');
  if (step === undefined || row === null || (event.target as Element).hasAttribute('aria-haspopup')) return;
  const controlsOf = (of: Element): readonly HTMLElement[] => [...of.querySelectorAll<HTMLElement>('a, button, input')];
  const place = controlsOf(row).indexOf(event.target as HTMLElement);
  const next = step === 1 ? row.nextElementSibling : row.previousElementSibling;
  if (place === -1 || next === null) return;
  event.preventDefault();
  controlsOf(next)[place]?.focus();
}

function pixelsOf<Row>(column: Column<Row>, widths: RowsProps<Row>['widths']): number {
  return widths[column.id] ?? column.width ?? usualWidth;
}

function SelectAll<Row>({ rows, rowKey, selected, onSelect }: RowsProps<Row>): ReactElement | null {
  const text = useText();
  const styles = useStyles();
  if (selected === undefined || onSelect === undefined) return null;
  const keys = rows.map(rowKey);
  const count = keys.filter((key) => selected.has(key)).length;
  const all = count === keys.length && count > 0;
  return (
    <TableHeaderCell className={styles.select}>
      <Checkbox
        aria-label={text('kit.selectAll')}
        checked={all || (count === 0 ? false : 'mixed')}
        onChange={() => onSelect(all ? new Set([...selected].filter((key) => !keys.includes(key))) : new Set([...selected, ...keys]))}
      />
    </TableHeaderCell>
  );
}

interface HeadCellProps<Row> extends RowsProps<Row> {
  readonly column: Column<Row>;
  readonly width: string;
}

function HeadCell<Row>({ column, width, sort, onSort, onWidth }: HeadCellProps<Row>): ReactElement {
  const styles = useStyles();
  const direction = sortDirection(sort, column.sort);
  return (
    <TableHeaderCell
      className={mergeClasses(styles.headCell, column.isNumber === true && styles.numberHead)}
      style={{ width }}
      sortable={column.sort !== undefined}
      {...(direction === undefined ? {} : { sortDirection: direction })}
      onClick={() => {
        if (column.sort !== undefined) onSort(nextSort(sort, column.sort));
      }}
    >
      {column.title}
      <ResizeHandle onWidth={(next) => onWidth(column.id, next)} />
    </TableHeaderCell>
  );
}

function sortDirection(sort: string | null, column: string | undefined): 'ascending' | 'descending' | undefined {
  if (column === undefined || sort?.replace(/^-/, '') !== column) return undefined;
  return sort.startsWith('-') ? 'descending' : 'ascending';
}

interface OneRowProps<Row> extends RowsProps<Row> {
  readonly row: Row;
  readonly gestures: SelectionGestures;
}

function OneRow<Row>(props: OneRowProps<Row>): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { row, columns, rowKey, rowName, onOpen, onMenu, selected, gestures } = props;
  const key = rowKey(row);
  const isSelected = selected?.has(key) === true;
  return (
    <TableRow
      className={mergeClasses(styles.row, !isSelected && styles.plain, onOpen !== undefined && styles.open)}
      appearance={isSelected ? 'brand' : 'none'}
      {...(selected === undefined ? {} : { 'aria-selected': isSelected })}
      {...onMenuAsked(onMenu && ((at) => onMenu(row, at)))}
      {...(selected === undefined ? {} : gestures.ofRow(key))}
      onClick={(event) => {
        // Buttons and links in a row do their own; the rest of it opens the row.
        if ((event.target as Element).closest('[data-selects]') !== null || gestures.takesClick(key, event)) return;
        if (onOpen !== undefined && !(event.target as Element).closest('a, button, input, label, [role="menu"]')) onOpen(row);
      }}
    >
      {selected !== undefined && (
        <TableCell data-selects className={mergeClasses(styles.cell, styles.select)}>
          <Checkbox
            aria-label={text('kit.selectRow', { name: rowName(row) })}
            checked={isSelected}
            onChange={(event) => gestures.onBox(key, 'shiftKey' in event.nativeEvent && event.nativeEvent.shiftKey === true)}
          />
        </TableCell>
      )}
      {columns.map((column, position) => (
        <TableCell
          key={column.id}
          data-title={column.title}
          className={mergeClasses(styles.cell, column.isNumber === true && styles.number)}
        >
          {/* One box for all that a cell holds: on a card it stands beside the name of the column. */}
          <div>
            {position === 0 && onOpen !== undefined ? (
              <Link
                as="button"
                onClick={(event: MouseEvent) => {
                  if (!gestures.isMeant(event)) onOpen(row);
                }}
              >
                {column.render(row)}
              </Link>
            ) : (
              column.render(row)
            )}
          </div>
        </TableCell>
      ))}
    </TableRow>
  );
}
