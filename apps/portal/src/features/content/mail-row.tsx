import { Avatar, Badge, Checkbox, Link, makeStyles, mergeClasses, tokens, typographyStyles } from '@fluentui/react-components';
import { AttachRegular, FlagFilled, ImportantFilled } from '@fluentui/react-icons';
import type { Node } from '@holdfast/contract/discovery';
import type { ReactElement } from 'react';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { spokenOnly } from '../../ui/theme.ts';
import { useShortTime } from './use-short-time.ts';

const useStyles = makeStyles({
  row: { display: 'flex', flex: '1 1 auto', minWidth: 0, height: '100%', alignItems: 'center', gap: tokens.spacingHorizontalM },
  open: { backgroundColor: tokens.colorNeutralBackground1Selected, borderRadius: tokens.borderRadiusMedium },
  words: { flex: '1 1 auto', minWidth: 0 },
  line: { display: 'block', maxWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  subject: { textAlign: 'start' },
  unread: { fontWeight: tokens.fontWeightSemibold },
  below: { ...typographyStyles.caption1, color: tokens.colorNeutralForeground2 },
  end: { display: 'flex', flexDirection: 'column', alignItems: 'end', gap: tokens.spacingVerticalXXS, flexShrink: 0 },
  time: { ...typographyStyles.caption1, fontVariantNumeric: 'tabular-nums', color: tokens.colorNeutralForeground2 },
  marks: { display: 'flex', gap: tokens.spacingHorizontalXXS, fontSize: '16px', minHeight: '16px' },
  flag: { color: tokens.colorPaletteRedForeground1 },
  spoken: spokenOnly,
});

export interface MailRowProps {
  readonly row: Node;
  readonly tabIndex: 0 | -1;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  readonly onToggle: (() => void) | undefined;
  readonly onOpen: () => void;
}

/** A message as a mail program lists it: who, what about, when, and its marks. */
export function MailRow({ row, tabIndex, isOpen, isChosen, onToggle, onOpen }: MailRowProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const styles = useStyles();
  const shortTime = useShortTime();
  const subject = row.name.trim() || text('content.noSubject');
  const author = row.author ?? text('content.unknownSender');
  const isUnread = row.facts?.isUnread === true;
  return (
    <>
      {onToggle !== undefined && (
        <span role="gridcell">
          <Checkbox tabIndex={tabIndex} aria-label={text('restore.selectItem', { name: subject })} checked={isChosen} onChange={onToggle} />
        </span>
      )}
      <span role="gridcell" className={mergeClasses(styles.row, isOpen && styles.open)} aria-selected={isOpen}>
        <Avatar name={author} color="colorful" size={32} aria-hidden />
        <span className={styles.words}>
          <span className={mergeClasses(styles.line, isUnread && styles.unread)}>{author}</span>
          <Link
            as="button"
            tabIndex={tabIndex}
            className={mergeClasses(styles.line, styles.subject, isUnread && styles.unread)}
            aria-label={text('restore.previewOf', { name: subject })}
            onClick={onOpen}
          >
            {subject}
          </Link>
          {row.lastSeenAt !== null && (
            <Badge appearance="tint" color="danger">
              {text('restore.lastSeen', { date: format.date(row.lastSeenAt) })}
            </Badge>
          )}
          <span className={styles.spoken}>
            {codeText(row.kind)}
            {isUnread && `, ${text('content.unread')}`}
          </span>
        </span>
        <span className={styles.end}>
          <time className={styles.time} dateTime={row.modifiedAt ?? undefined} title={format.dateTime(row.modifiedAt)}>
            {shortTime(row.modifiedAt)}
          </time>
          <Marks row={row} />
        </span>
      </span>
    </>
  );
}

function Marks({ row: { facts } }: Pick<MailRowProps, 'row'>): ReactElement {
  const text = useText();
  const styles = useStyles();
  return (
    <span className={styles.marks}>
      {facts?.isImportant === true && <ImportantFilled className={styles.flag} aria-label={text('content.important')} />}
      {facts?.isFlagged === true && <FlagFilled className={styles.flag} aria-label={text('content.flagged')} />}
      {facts?.hasAttachments === true && <AttachRegular aria-label={text('content.withAttachments')} />}
    </span>
  );
}
