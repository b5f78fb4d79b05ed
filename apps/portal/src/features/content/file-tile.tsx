import { Badge, Checkbox, Link, makeStyles, mergeClasses, tokens, typographyStyles } from '@fluentui/react-components';
import type { Node } from '@holdfast/contract/discovery';
import type { ReactElement, ReactNode } from 'react';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { KindIcon } from './kind-icon.tsx';

/** A picture, the name in one line, what there is to know in another. */
export const fileTileHeight = 184;

const useStyles = makeStyles({
  tile: {
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    boxSizing: 'border-box',
    overflow: 'hidden',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  marked: { border: `2px solid ${tokens.colorBrandStroke1}` },
  picture: {
    position: 'relative',
    flex: '1 1 auto',
    minHeight: 0,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    overflow: 'hidden',
    backgroundColor: tokens.colorNeutralBackground2,
  },
  icon: { fontSize: '48px' },
  words: { padding: tokens.spacingHorizontalS, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXXS },
  name: { ...typographyStyles.body1Strong, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', textAlign: 'start' },
  below: {
    ...typographyStyles.caption1,
    color: tokens.colorNeutralForeground2,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  box: {
    position: 'absolute',
    top: 0,
    insetInlineEnd: 0,
    backgroundColor: tokens.colorNeutralBackground1,
    borderEndStartRadius: tokens.borderRadiusMedium,
  },
});

/** What a tile shows of a file or folder. */
export type TiledNode = Pick<Node, 'kind' | 'name' | 'isContainer' | 'sizeBytes' | 'versions' | 'itemCount' | 'lastSeenAt' | 'path'> &
  Partial<Pick<Node, 'facts'>>;

export interface FileTileProps {
  readonly node: TiledNode;
  readonly tabIndex: 0 | -1;
  /** Its picture; the icon of its kind without one. */
  readonly picture?: ReactNode;
  readonly isChosen: boolean;
  /** It is shown in the pane beside the grid. */
  readonly isOpen: boolean;
  /** Absent where nothing can be chosen. With Shift, every tile from the last one on is meant. */
  readonly onToggle: ((isRange: boolean) => void) | undefined;
  /** Absent for what the reader may not look at. */
  readonly onOpen: (() => void) | undefined;
}

/** A file or folder as a tile: chosen by its box, opened by its name or its picture. */
export function FileTile({ node, tabIndex, picture, isChosen, isOpen, onToggle, onOpen }: FileTileProps): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  const styles = useStyles();
  const name = node.kind === 'area' ? codeText(node.name) : node.name.trim() || text('restore.nameless');
  return (
    <div className={mergeClasses(styles.tile, (isChosen || isOpen) && styles.marked)} title={node.path}>
      {/* The mouse may hit all of it; keys and readers have the name below. */}
      <div className={styles.picture} onClick={onOpen} aria-hidden>
        {picture ?? <KindIcon node={node} className={styles.icon} />}
      </div>
      <div className={styles.words}>
        {onOpen === undefined ? (
          <span className={styles.name}>{name}</span>
        ) : (
          <Link
            as="button"
            className={styles.name}
            tabIndex={tabIndex}
            aria-label={text(node.isContainer ? 'restore.openFolder' : 'restore.previewOf', { name })}
            onClick={onOpen}
          >
            {name}
          </Link>
        )}
        <Below node={node} />
      </div>
      {onToggle !== undefined && (
        <span className={styles.box} data-selects>
          <Checkbox
            tabIndex={tabIndex}
            aria-label={text('restore.selectItem', { name })}
            checked={isChosen}
            onChange={(event) => onToggle('shiftKey' in event.nativeEvent && event.nativeEvent.shiftKey === true)}
          />
        </span>
      )}
    </div>
  );
}

/** Size and versions of a file, how much a folder holds; of what was deleted, the day it was last there. */
function Below({ node }: { readonly node: TiledNode }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const { isContainer, itemCount, versions, sizeBytes, lastSeenAt } = node;
  if (lastSeenAt !== null)
    return (
      <Badge appearance="tint" color="danger">
        {text('restore.lastSeen', { date: format.date(lastSeenAt) })}
      </Badge>
    );
  if (isContainer) return <span className={styles.below}>{itemCount === null ? '' : text('content.itemsIn', { count: itemCount })}</span>;
  return (
    <span className={styles.below}>
      {format.bytes(sizeBytes)}
      {versions > 1 && ` · ${text('content.versionsOf', { count: versions })}`}
    </span>
  );
}
