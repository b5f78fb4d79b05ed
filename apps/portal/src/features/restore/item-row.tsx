import { Button, Checkbox, Link, makeStyles, mergeClasses, tokens, typographyStyles } from '@fluentui/react-components';
import { ArrowDownRegular, ArrowUpRegular, ChatRegular, EyeRegular, FolderRegular } from '@fluentui/react-icons';
import type { Node } from '@holdfast/contract/discovery';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { nextSort } from '../../ui/data-table/table-state.ts';
import { narrowScreen, spokenOnly } from '../../ui/theme.ts';

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
  icon: { verticalAlign: 'text-bottom', marginInlineEnd: tokens.spacingHorizontalXS },
});

interface ItemHeadProps {
  readonly sort: string | null;
  readonly onSort: (sort: string | null) => void;
}

/** The names of the columns; those that the server can sort by are buttons. */
export function ItemHead({ sort, onSort }: ItemHeadProps): ReactElement {
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
      <span role="columnheader" className={styles.box}>
        <span className={styles.spoken}>{text('restore.chosen')}</span>
      </span>
      {column('name', text('restore.name'), styles.name)}
      {column('kind', text('monitoring.kind'), styles.extra)}
      <span role="columnheader" className={mergeClasses(styles.extra, styles.roomy, styles.headText)}>
        {text('restore.author')}
      </span>
      <span role="columnheader" className={mergeClasses(styles.extra, styles.small, styles.roomy, styles.number, styles.headText)}>
        {text('restore.versions')}
      </span>
      {column('modifiedAt', text('restore.modified'), mergeClasses(styles.extra, styles.wide))}
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
  readonly onToggle: () => void;
  /** Opens a folder, or the preview of what is none. */
  readonly onOpen: () => void;
  readonly onPreview: () => void;
}

/** Whether there is something to see of the item itself: a post is opened for its answers, and says something. */
function isLookedAt({ isContainer, kind }: Node): boolean {
  return !isContainer || kind === 'post';
}

/** What opens an item, and whose it is. */
function NameCell({
  row,
  name,
  tabIndex,
  onOpen,
}: Pick<ItemRowProps, 'row' | 'tabIndex' | 'onOpen'> & { readonly name: string }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const Icon = row.kind === 'post' ? ChatRegular : FolderRegular;
  return (
    <span role="gridcell" className={styles.name} title={row.path}>
      {row.isContainer ? (
        <Link as="button" className={styles.line} tabIndex={tabIndex} aria-label={text('restore.openFolder', { name })} onClick={onOpen}>
          <Icon className={styles.icon} aria-hidden />
          {name}
        </Link>
      ) : (
        <span className={styles.line}>{name} </span>
      )}
      {row.author !== null && isLookedAt(row) && <span className={mergeClasses(styles.line, styles.below)}>{row.author}</span>}
    </span>
  );
}

/** One item: chosen by its box, opened by its name, looked at by its eye. A message with answers is both. */
export function ItemRow({ row, tabIndex, isChosen, onToggle, onOpen, onPreview }: ItemRowProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const codeText = useCodeText();
  const mayRead = useMay('content.read');
  const name = row.kind === 'area' ? codeText(row.name) : row.name.trim() || text('restore.nameless');
  const kind = row.lastSeenAt === null ? codeText(row.kind) : text('restore.lastSeen', { date: format.date(row.lastSeenAt) });
  return (
    <>
      <span role="gridcell">
        <Checkbox tabIndex={tabIndex} aria-label={text('restore.selectItem', { name })} checked={isChosen} onChange={onToggle} />
      </span>
      <NameCell row={row} name={name} tabIndex={tabIndex} onOpen={onOpen} />
      <span role="gridcell" className={styles.extra}>
        {kind}
      </span>
      <span role="gridcell" className={mergeClasses(styles.extra, styles.roomy)}>
        {row.author ?? '–'}
      </span>
      <span role="gridcell" className={`${styles.extra} ${styles.small} ${styles.roomy} ${styles.number}`}>
        {row.isContainer ? '–' : format.count(row.versions)}
      </span>
      <span role="gridcell" className={`${styles.extra} ${styles.wide}`}>
        {format.dateTime(row.modifiedAt)}
      </span>
      <span role="gridcell" className={`${styles.extra} ${styles.number}`}>
        {row.isContainer ? '–' : format.bytes(row.sizeBytes)}
      </span>
      <span role="gridcell" className={styles.action}>
        {mayRead && isLookedAt(row) && (
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
