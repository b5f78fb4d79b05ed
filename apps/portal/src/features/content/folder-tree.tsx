import { makeStyles, Text, tokens, Tree, TreeItem, TreeItemLayout } from '@fluentui/react-components';
import type { Node } from '@holdfast/contract/discovery';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { narrowScreen } from '../../ui/theme.ts';
import { rootNode } from './choice.ts';
import type { OpenNode } from './choice.ts';
import { useItems } from './content.queries.ts';
import type { SourcePlace } from './content.queries.ts';
import { KindIcon } from './kind-icon.tsx';

const useStyles = makeStyles({
  frame: {
    maxHeight: '560px',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    padding: tokens.spacingVerticalS,
    [narrowScreen]: { maxHeight: '240px' },
  },
  current: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    color: tokens.colorNeutralForeground1Selected,
    borderRadius: tokens.borderRadiusMedium,
    fontWeight: tokens.fontWeightSemibold,
  },
  name: { overflowWrap: 'anywhere' },
  count: { fontVariantNumeric: 'tabular-nums', color: tokens.colorNeutralForeground2 },
});

/** Outlook's order: what every mailbox has comes first. */
const mailOrder = ['inbox', 'drafts', 'sentitems', 'deleteditems', 'junkemail', 'archive', 'outbox', 'conversationhistory'];

function rankOf({ facts }: Node): number {
  const place = mailOrder.indexOf(facts?.wellKnown ?? '');
  return place < 0 ? mailOrder.length : place;
}

export interface FolderTreeProps {
  readonly place: SourcePlace;
  /** What is said when the contents cannot be read. */
  readonly failure: 'failures.folderContent' | 'failures.siteContent';
  readonly at: string | null;
  readonly nodeId: string;
  readonly onOpen: (node: OpenNode) => void;
}

/** Folders, sites, libraries and channels with how much is in them; each level is read when it is opened. */
export function FolderTree(props: FolderTreeProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { nodeId, onOpen } = props;
  return (
    <div className={styles.frame}>
      <Tree aria-label={text('restore.folders')} defaultOpenItems={['root']} size="small">
        <TreeItem itemType="branch" value="root" onClick={() => onOpen(rootNode)}>
          <TreeItemLayout className={nodeId === 'root' ? styles.current : ''}>{text('restore.root')}</TreeItemLayout>
          <Tree>
            <Level {...props} parentId="root" />
          </Tree>
        </TreeItem>
      </Tree>
    </div>
  );
}

function Level({ parentId, ...props }: FolderTreeProps & { readonly parentId: string }): ReactElement {
  const text = useText();
  const items = useItems(props.place, { nodeId: parentId, at: props.at });
  const folders = useMemo(() => {
    const all = (items.data?.pages.flatMap((page) => page.items) ?? []).filter((node) => node.isContainer && node.kind !== 'post');
    return all.toSorted((one, other) => rankOf(one) - rankOf(other));
  }, [items.data]);
  if (items.isError) return <FailedState error={items.error} title={text(props.failure)} onRetry={() => void items.refetch()} />;
  if (items.isPending) return <Text>{text('common.loading')}</Text>;
  return (
    <>
      {folders.map((folder) => (
        <Branch key={folder.nodeId} {...props} folder={folder} isOnly={parentId === 'root' && folders.length === 1} />
      ))}
    </>
  );
}

function Branch({ folder, isOnly, ...props }: FolderTreeProps & { readonly folder: Node; readonly isOnly: boolean }): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  const format = useFormat();
  const styles = useStyles();
  const { nodeId, kind, facts, itemCount } = folder;
  // Mail is what people look for, and what holds everything need not be opened to get there.
  const [open, setOpen] = useState(isOnly || (kind === 'area' && folder.name === 'mail'));
  const name = kind === 'area' ? codeText(folder.name) : folder.name.trim() || text('restore.nameless');
  const isCounted = kind === 'mailFolder' && itemCount !== null && itemCount > 0;
  return (
    <TreeItem
      itemType="branch"
      value={nodeId}
      open={open}
      onOpenChange={(_event, data) => setOpen(data.open)}
      onClick={(event) => {
        event.stopPropagation();
        props.onOpen({ nodeId, kind });
      }}
    >
      <TreeItemLayout
        className={props.nodeId === nodeId ? styles.current : ''}
        iconBefore={<KindIcon node={{ kind, name: folder.name, facts }} />}
        {...(isCounted ? { aside: <span className={styles.count}>{format.count(itemCount)}</span> } : {})}
      >
        <span className={styles.name}>{name}</span>
      </TreeItemLayout>
      {open && (
        <Tree>
          <Level {...props} parentId={nodeId} />
        </Tree>
      )}
    </TreeItem>
  );
}
