import { Badge, Button, makeStyles, mergeClasses, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { content, gapsAfter, gapsBefore, type Conversation as Answer } from '@holdfast/contract/content';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { FocusGroup } from '../../ui/focus-group.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import type { ItemPlace } from './use-ticket.ts';

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0, maxHeight: '60vh', overflowY: 'auto' },
  message: { padding: tokens.spacingVerticalS, overflowWrap: 'anywhere' },
  reply: { marginInlineStart: tokens.spacingHorizontalXXL },
  hit: {
    borderInlineStartWidth: '4px',
    borderInlineStartStyle: 'solid',
    borderInlineStartColor: tokens.colorBrandStroke1,
    backgroundColor: tokens.colorNeutralBackground2,
  },
  text: { whiteSpace: 'pre-wrap' },
});

interface ConversationProps {
  readonly place: ItemPlace;
  /** It is logged: the messages around an item are opened by themselves. */
  readonly reason: string;
  /** Shows it at once, such as in a case; elsewhere the reader asks for it. */
  readonly isShown?: boolean;
}

/** A message of a chat or channel among those around it. */
export function Conversation({ place, reason, isShown = false }: ConversationProps): ReactElement {
  const text = useText();
  const [wasAsked, setAsked] = useState(isShown);
  return (
    <FocusGroup label={text('content.conversation.title')}>
      <Stack>
        <Subtitle2 as="h3">{text('content.conversation.title')}</Subtitle2>
        {wasAsked ? (
          <Transcript place={place} reason={reason} />
        ) : (
          <Row>
            <Button size="small" onClick={() => setAsked(true)}>
              {text('content.conversation.show')}
            </Button>
          </Row>
        )}
      </Stack>
    </FocusGroup>
  );
}

function Transcript({ place, reason }: ConversationProps): ReactElement {
  const { client } = usePortal();
  const { tenantId, ...item } = place;
  const opened = useQuery({
    queryKey: ['content', 'conversation', place, reason],
    queryFn: () => client.send(content.conversation, { params: { tenantId }, body: { ...item, reason }, quiet: true }),
    // Each opening is in the audit log: once is enough.
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
  if (opened.isPending) return <LoadingShape rows={4} />;
  if (opened.isError) return <FailedState error={opened.error} onRetry={() => void opened.refetch()} />;
  return <Messages conversation={opened.data} />;
}

type EndGap = (typeof gapsBefore | typeof gapsAfter)[number];

/** What may be missing at one end. */
function Gaps({ conversation, of }: { readonly conversation: Answer; readonly of: readonly EndGap[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const values = { oldest: format.dateTime(conversation.oldestPointAt), newest: format.dateTime(conversation.newestPointAt) };
  return (
    <>
      {of
        .filter((gap) => conversation.gaps.includes(gap))
        .map((gap) => (
          <Text key={gap} size={200} weight="semibold">
            {text(`content.conversation.gaps.${gap}`, values)}
          </Text>
        ))}
    </>
  );
}

function Messages({ conversation }: { readonly conversation: Answer }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const { kind, title, from, to, gaps, messages } = conversation;
  return (
    <Stack>
      <Text size={200}>{text(kind === 'chat' ? 'content.conversation.ofChat' : 'content.conversation.ofThread', { title })}</Text>
      <Text size={200}>{text('content.conversation.between')}</Text>
      {gaps.includes('limitedRight') && <Text size={200}>{text('content.conversation.gaps.limitedRight')}</Text>}
      <Text size={200}>
        {from === null ? text('content.conversation.threadBegins') : text('content.conversation.begins', { date: format.dateTime(from) })}
      </Text>
      <Gaps conversation={conversation} of={gapsBefore} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls a long list by its keys */}
      <ol className={styles.list} tabIndex={0} aria-label={text('content.conversation.title')}>
        {messages.map((message) => (
          <Message key={message.nodeId} message={message} />
        ))}
      </ol>
      <Gaps conversation={conversation} of={gapsAfter} />
      <Text size={200}>
        {to === null ? text('content.conversation.threadEnds') : text('content.conversation.ends', { date: format.dateTime(to) })}
      </Text>
    </Stack>
  );
}

interface MessageProps {
  readonly message: Answer['messages'][number];
}

/** Who said it and when, and what there is to know of it. */
function MessageHead({ message }: MessageProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { author, at, isHit, isReply, isDeleted, isEdited } = message;
  return (
    <Row>
      <Text weight="semibold">{author ?? text('content.unknownSender')}</Text>
      {at !== null && <Text size={200}>{format.dateTime(at)}</Text>}
      {isHit && <Badge appearance="filled">{text('content.conversation.hit')}</Badge>}
      {isReply && <Badge appearance="outline">{text('content.conversation.reply')}</Badge>}
      {isEdited && <Badge appearance="outline">{text('content.conversation.edited')}</Badge>}
      {isDeleted && (
        <Badge appearance="tint" color="danger">
          {text('content.conversation.deleted')}
        </Badge>
      )}
    </Row>
  );
}

function Message({ message }: MessageProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { subject, attachments, isHit, isReply } = message;
  return (
    <li
      className={mergeClasses(styles.message, isReply && styles.reply, isHit && styles.hit)}
      {...(isHit ? { 'aria-current': true as const } : {})}
    >
      <MessageHead message={message} />
      {subject !== null && <Text weight="semibold">{subject}</Text>}
      <div className={styles.text}>{message.text ?? text('content.conversation.noText')}</div>
      {attachments.length > 0 && (
        <Text size={200}>
          {text('restore.attachments')}: {attachments.join(', ')}
        </Text>
      )}
    </li>
  );
}
