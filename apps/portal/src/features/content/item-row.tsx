import { Badge, Button, Checkbox, Link, makeStyles, mergeClasses, tokens, typographyStyles } from '@fluentui/react-components';
import { ArrowDownRegular, ArrowUpRegular, EyeRegular } from '@fluentui/react-icons';
import type { Node } from '@holdfast/contract/discovery';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { nextSort } from '../../ui/data-table/table-state.ts';
import { narrowScreen, spokenOnly } from '../../ui/theme.ts';
import { KindIcon } from './kind-icon.tsx';

const useStyles = makeStyles({
  name: { flex: '1 0 160px', minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  extra: {
    width: '100px',
    flexShrink: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    [narrowScreen]: { display: 'none' },
  },
  wide: { width: '160px' },
  small: { width: '80px' },
  // Beside the folders the name needs the room more than its author does, who then stands below it.
  roomy: { '@media (max-width: 1500px)': { display: 'none' } },
  line: { display: 'block', maxWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis' },
  below: { ...typographyStyles.caption1, color: tokens.colorNeutralForeground2, '@media (min-width: 1501px)': { display: 'none' } },
  // As wide with a button as without, so that the columns stand below each other.
  action: { width: '32px', flexShrink: 0 },
  number: { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
  box: { width: '32px', flexShrink: 0 },
  headText: { fontSize: tokens.fontSizeBase200, fontWeight: tokens.fontWeightSemibold },
  sort: { minWidth: 0, paddingInline: 0, fontSize: tokens.fontSizeBase200, fontWeight: tokens.fontWeightSemibold },
  spoken: spokenOnly,
  icon: { verticalAlign: 'text-bottom', marginInlineEnd: tokens.spacingHorizontalS },
  // Beside the reading pane only what tells items apart has room.
  besidePane: { display: 'none' },
});

interface ItemHeadProps {
  readonly sort: string | null;
  readonly isBesidePane: boolean;
  readonly isChosen: boolean;
  readonly onSort: (sort: string | null) => void;
}

/** The names of the columns; those that the server can sort by are buttons. */
export function ItemHead({ sort, isBesidePane, isChosen, onSort }: ItemHeadProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const column = (id: string, title: string, className: string): ReactElement => {
    const isSorted = sort?.replace(/^-/, '') === id;
    const isDown = sort?.startsWith('-') === true;
    return (
      <span role="columnheader" className={className} {...(isSorted ? { 'aria-sort': isDown ? 'descending' : 'ascending' } : {})}>
        <Button
          appearance="transparent"
          size="small"
          className={styles.sort}
          iconPosition="after"
          {...(isSorted ? { icon: isDown ? <ArrowDownRegular /> : <ArrowUpRegular /> } : {})}
          onClick={() => onSort(nextSort(sort, id))}
        >
          {title}
        </Button>
      </span>
    );
  };
  return (
    <>
      {isChosen && (
        <span role="columnheader" className={styles.box}>
          <span className={styles.spoken}>{text('restore.chosen')}</span>
        </span>
      )}
      {column('name', text('restore.name'), styles.name)}
      {column('kind', text('monitoring.kind'), mergeClasses(styles.extra, isBesidePane && styles.besidePane))}
      <span role="columnheader" className={mergeClasses(styles.extra, styles.roomy, styles.headText, isBesidePane && styles.besidePane)}>
        {text('restore.author')}
      </span>
      <span
        role="columnheader"
        className={mergeClasses(
          styles.extra,
          styles.small,
          styles.roomy,
          styles.number,
          styles.headText,
          isBesidePane && styles.besidePane,
        )}
      >
        {text('restore.versions')}
      </span>
      {column('modifiedAt', text('restore.modified'), mergeClasses(styles.extra, styles.wide, isBesidePane && styles.besidePane))}
      {column('sizeBytes', text('restore.size'), mergeClasses(styles.extra, styles.number))}
      <span role="columnheader" className={styles.action}>
        <span className={styles.spoken}>{text('restore.preview')}</span>
      </span>
    </>
  );
}

interface ItemRowProps {
  readonly row: Node;
  readonly tabIndex: 0 | -1;
  readonly isChosen: boolean;
  readonly isBesidePane: boolean;
  /** Absent where nothing can be chosen. */
  readonly onToggle: (() => void) | undefined;
  /** Opens a folder, or the preview of what is none. */
  readonly onOpen: () => void;
  readonly onPreview: () => void;
}

/** Whether there is something to see of the item itself: a post is opened for its answers, and says something. */
export function isLookedAt({ isContainer, kind }: Node): boolean {
  return !isContainer || kind === 'post';
}

interface NameCellProps extends Pick<ItemRowProps, 'row' | 'tabIndex' | 'onOpen' | 'onPreview'> {
  readonly name: string;
}

/** The name of what is no folder: it opens the item for whoever may read it. */
function FileName({ row, name, tabIndex, onPreview }: Omit<NameCellProps, 'onOpen'>): ReactElement {
  const text = useText();
  const styles = useStyles();
  const mayRead = useMay('content.read');
  const shown = (
    <>
      <KindIcon node={row} className={styles.icon} />
      {name}{' '}
    </>
  );
  if (!mayRead) return <span className={styles.line}>{shown}</span>;
  return (
    <Link as="button" className={styles.line} tabIndex={tabIndex} aria-label={text('restore.previewOf', { name })} onClick={onPreview}>
      {shown}
    </Link>
  );
}

/** What opens an item, and whose it is. */
function NameCell({ row, name, tabIndex, onOpen, onPreview }: NameCellProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  return (
    <span role="gridcell" className={styles.name} title={row.path}>
      {row.isContainer ? (
        <Link as="button" className={styles.line} tabIndex={tabIndex} aria-label={text('restore.openFolder', { name })} onClick={onOpen}>
          <KindIcon node={row} className={styles.icon} />
          {name}
        </Link>
      ) : (
        <FileName row={row} name={name} tabIndex={tabIndex} onPreview={onPreview} />
      )}
      {row.lastSeenAt !== null && (
        <Badge appearance="tint" color="danger" className={styles.line}>
          {text('restore.lastSeen', { date: format.date(row.lastSeenAt) })}
        </Badge>
      )}
      {row.author !== null && isLookedAt(row) && <span className={mergeClasses(styles.line, styles.below)}>{row.author}</span>}
    </span>
  );
}

/** One item: chosen by its box, opened by its name, looked at by its eye. A message with answers is both. */
export function ItemRow({ row, tabIndex, isChosen, isBesidePane, onToggle, onOpen, onPreview }: ItemRowProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const codeText = useCodeText();
  const mayRead = useMay('content.read');
  const name = row.kind === 'area' ? codeText(row.name) : row.name.trim() || text('restore.nameless');
  const hidden = isBesidePane && styles.besidePane;
  return (
    <>
      {onToggle !== undefined && (
        <span role="gridcell">
          <Checkbox tabIndex={tabIndex} aria-label={text('restore.selectItem', { name })} checked={isChosen} onChange={onToggle} />
        </span>
      )}
      <NameCell row={row} name={name} tabIndex={tabIndex} onOpen={onOpen} onPreview={onPreview} />
      <span role="gridcell" className={mergeClasses(styles.extra, hidden)}>
        {codeText(row.kind)}
      </span>
      <span role="gridcell" className={mergeClasses(styles.extra, styles.roomy, hidden)}>
        {row.author ?? '–'}
      </span>
      <span role="gridcell" className={mergeClasses(styles.extra, styles.small, styles.roomy, styles.number, hidden)}>
        {row.isContainer ? '–' : format.count(row.versions)}
      </span>
      <span role="gridcell" className={mergeClasses(styles.extra, styles.wide, hidden)}>
        {format.dateTime(row.modifiedAt)}
      </span>
      <span role="gridcell" className={mergeClasses(styles.extra, styles.number)}>
        {row.isContainer ? '–' : format.bytes(row.sizeBytes)}
      </span>
      <span role="gridcell" className={styles.action}>
        {mayRead && row.isContainer && isLookedAt(row) && (
          <Button
            appearance="subtle"
            tabIndex={tabIndex}
            icon={<EyeRegular />}
            aria-label={text('restore.previewOf', { name })}
            onClick={onPreview}
          />
        )}
      </span>
    </>
  );
}
