import { Button } from '@fluentui/react-components';
import { ArrowSortDownRegular, ArrowSortUpRegular } from '@fluentui/react-icons';
import type { Node } from '@holdfast/contract/discovery';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import type { Choice } from './choice.ts';
import { ItemHead, ItemRow } from './item-row.tsx';
import { MailRow } from './mail-row.tsx';

const listHeight = 512;
const mailHeight = 76;

interface ItemRowsProps {
  readonly rows: readonly Node[];
  readonly total: number;
  readonly isMail: boolean;
  readonly sort: string | null;
  readonly onSort: (sort: string | null) => void;
  readonly choice: Choice | undefined;
  readonly read: Node | null;
  readonly onRead: (node: Node) => void;
  readonly open: (node: Node) => void;
  readonly canRead: (node: Node) => boolean;
  readonly takesFocus: boolean;
  readonly onNearEnd: () => void;
}

/** Items below each other: mail in two lines, everything else in columns. While something is read, the arrows read on. */
export function ItemRows(props: ItemRowsProps): ReactElement {
  const { rows, total, isMail, sort, onSort, choice, read, onRead, open, canRead, takesFocus, onNearEnd } = props;
  const text = useText();
  const toggleOf = (row: Node): (() => void) | undefined => (choice === undefined ? undefined : () => choice.toggle(row));
  const isChosen = (row: Node): boolean => choice?.isChosen(row.nodeId) === true;
  const head = isMail ? (
    <MailHead isNewestFirst={sort !== 'modifiedAt'} onSort={onSort} />
  ) : (
    <ItemHead sort={sort} isBesidePane={read !== null} isChosen={choice !== undefined} onSort={onSort} />
  );
  return (
    <VirtualList
      label={text('restore.contents')}
      rows={rows}
      total={total}
      height={listHeight}
      {...(isMail ? { rowHeight: mailHeight } : {})}
      rowKey={(row) => row.nodeId}
      takesFocus={takesFocus}
      head={head}
      onOpen={open}
      onMove={(row) => {
        if (read !== null && canRead(row)) onRead(row);
      }}
      onSelect={(row) => (choice === undefined ? open(row) : choice.toggle(row))}
      render={(row, tabIndex) =>
        isMail ? (
          <MailRow
            row={row}
            tabIndex={tabIndex}
            isOpen={row.nodeId === read?.nodeId}
            isChosen={isChosen(row)}
            onToggle={toggleOf(row)}
            onOpen={() => open(row)}
          />
        ) : (
          <ItemRow
            row={row}
            tabIndex={tabIndex}
            isBesidePane={read !== null}
            isChosen={isChosen(row)}
            onToggle={toggleOf(row)}
            onOpen={() => open(row)}
            onPreview={() => onRead(row)}
          />
        )
      }
      onNearEnd={onNearEnd}
    />
  );
}

function MailHead({
  isNewestFirst,
  onSort,
}: {
  readonly isNewestFirst: boolean;
  readonly onSort: (sort: string | null) => void;
}): ReactElement {
  const text = useText();
  return (
    <span role="columnheader" aria-sort={isNewestFirst ? 'descending' : 'ascending'}>
      <Button
        size="small"
        appearance="transparent"
        icon={isNewestFirst ? <ArrowSortDownRegular /> : <ArrowSortUpRegular />}
        onClick={() => onSort(isNewestFirst ? 'modifiedAt' : null)}
      >
        {text(isNewestFirst ? 'content.newestFirst' : 'content.oldestFirst')}
      </Button>
    </span>
  );
}
