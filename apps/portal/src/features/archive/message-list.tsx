import { Checkbox, Link, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { AttachRegular, MailRegular } from '@fluentui/react-icons';
import type { ArchivedMessage } from '@holdfast/contract/archived-messages';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import type { Ticked } from '../../ui/use-ticked.ts';

const useStyles = makeStyles({
  row: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM, width: '100%', height: '100%' },
  icon: { flexShrink: 0, fontSize: '20px', color: tokens.colorBrandForeground1 },
  attached: { flexShrink: 0, color: tokens.colorNeutralForeground2 },
  words: { flex: '1 1 auto', minWidth: 0 },
  line: { display: 'block', maxWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  below: { color: tokens.colorNeutralForeground2 },
  date: { flexShrink: 0, fontVariantNumeric: 'tabular-nums' },
  chosen: { fontWeight: tokens.fontWeightSemibold },
});

const listHeight = 560;
const rowHeight = 72;

interface MessageListProps {
  readonly rows: readonly ArchivedMessage[];
  readonly total: number;
  readonly shownId: string | null;
  /** The ticked messages, where something can be done with several. */
  readonly ticked?: Ticked;
  readonly onChoose: (message: ArchivedMessage) => void;
  readonly onNearEnd: () => void;
}

/** Archived messages, newest first; Enter or a click shows one in the reading pane, Space ticks one where that leads somewhere. */
export function MessageList({ rows, total, shownId, ticked, onChoose, onNearEnd }: MessageListProps): ReactElement {
  const text = useText();
  return (
    <VirtualList
      label={text('dashboard.messages')}
      rows={rows}
      total={total}
      height={listHeight}
      rowHeight={rowHeight}
      rowKey={(row) => row.messageId}
      onOpen={onChoose}
      onSelect={(row) => (ticked === undefined ? onChoose(row) : ticked.toggle(row.messageId))}
      onNearEnd={onNearEnd}
      render={(row, tabIndex) => (
        <MessageRow
          message={row}
          tabIndex={tabIndex}
          isShown={row.messageId === shownId}
          tick={ticked && { isTicked: ticked.ids.has(row.messageId), toggle: () => ticked.toggle(row.messageId) }}
          onChoose={() => onChoose(row)}
        />
      )}
    />
  );
}

interface MessageRowProps {
  readonly message: ArchivedMessage;
  readonly tabIndex: 0 | -1;
  readonly isShown: boolean;
  readonly tick: { readonly isTicked: boolean; readonly toggle: () => void } | undefined;
  readonly onChoose: () => void;
}

function MessageRow({ message, tabIndex, isShown, tick, onChoose }: MessageRowProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const { subject, from, folders, receivedAt, hasAttachments } = message;
  const title = subject.trim() || text('archive.noSubject');
  return (
    <span role="gridcell" className={styles.row} aria-selected={isShown}>
      {tick !== undefined && (
        <Checkbox
          tabIndex={tabIndex}
          checked={tick.isTicked}
          onChange={tick.toggle}
          aria-label={text('search.selection.tick', { name: title })}
        />
      )}
      <MailRegular className={styles.icon} aria-hidden />
      <span className={styles.words}>
        <Link as="button" tabIndex={tabIndex} className={mergeClasses(styles.line, isShown && styles.chosen)} onClick={onChoose}>
          {title}
        </Link>
        <Text size={200} className={mergeClasses(styles.line, styles.below)}>
          {[from, folders.join(', ')].filter((part) => part !== '').join(' · ')}
        </Text>
      </span>
      {hasAttachments && <AttachRegular className={styles.attached} aria-label={text('restore.attachments')} />}
      <Text size={200} className={styles.date}>
        {receivedAt === null ? '' : format.date(receivedAt)}
      </Text>
    </span>
  );
}
