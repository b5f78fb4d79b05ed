import { makeStyles, Text, tokens, Tree, TreeItem, TreeItemLayout } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { useItems } from './restore.queries.ts';
import type { SourcePlace } from './restore.queries.ts';

const useStyles = makeStyles({
  frame: {
    maxHeight: '520px',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    padding: tokens.spacingVerticalS,
  },
  current: { backgroundColor: tokens.colorNeutralBackground1Selected, color: tokens.colorNeutralForeground1Selected },
});

export interface FolderTreeProps {
  readonly place: SourcePlace;
  /** What is said when the contents cannot be read. */
  readonly failure: 'failures.folderContent' | 'failures.siteContent';
  readonly at: string | null;
  readonly nodeId: string;
  readonly onOpen: (nodeId: string) => void;
}

/** Folders, sites, libraries and channels; each level is read when it is opened. */
export function FolderTree(props: FolderTreeProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { nodeId, onOpen } = props;
  return (
    <div className={styles.frame}>
      <Tree aria-label={text('restore.folders')} defaultOpenItems={['root']}>
        <TreeItem itemType="branch" value="root" onClick={() => onOpen('root')}>
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
  const codeText = useCodeText();
  const items = useItems(props.place, { nodeId: parentId, at: props.at, search: '', everywhere: false, sort: null });
  const folders = useMemo(() => (items.data?.pages.flatMap((page) => page.items) ?? []).filter((node) => node.isContainer), [items.data]);
  if (items.isError) return <FailedState error={items.error} title={text(props.failure)} onRetry={() => void items.refetch()} />;
  if (items.isPending) return <Text>{text('common.loading')}</Text>;
  return (
    <>
      {folders.map((folder) => (
        <Branch
          key={folder.nodeId}
          {...props}
          folderId={folder.nodeId}
          name={folder.kind === 'area' ? codeText(folder.name) : folder.name.trim() || text('restore.nameless')}
        />
      ))}
    </>
  );
}

function Branch({ folderId, name, ...props }: FolderTreeProps & { readonly folderId: string; readonly name: string }): ReactElement {
  const styles = useStyles();
  const [open, setOpen] = useState(false);
  return (
    <TreeItem
      itemType="branch"
      value={folderId}
      open={open}
      onOpenChange={(_event, data) => setOpen(data.open)}
      onClick={(event) => {
        event.stopPropagation();
        props.onOpen(folderId);
      }}
    >
      <TreeItemLayout className={props.nodeId === folderId ? styles.current : ''}>{name}</TreeItemLayout>
      {open && (
        <Tree>
          <Level {...props} parentId={folderId} />
        </Tree>
      )}
    </TreeItem>
  );
}
