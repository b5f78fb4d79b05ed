import { MessageBar, MessageBarBody, Subtitle2, Text } from '@fluentui/react-components';
import { holdNotices } from '@holdfast/contract/hold-notices';
import type { HoldNotice, NoticePerson } from '@holdfast/contract/hold-notices';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { FailedState, FirstStep } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { NoticeForm } from './notice-form.tsx';
import { SentNotice } from './sent-notice.tsx';

export interface NoticesOfHoldProps {
  readonly tenantId: string;
  readonly holdId: string;
  /** Notices are sent while the hold is in force. */
  readonly isInForce: boolean;
}

const POLL_MS = 5_000;

const isUnderway = ({ recipients }: HoldNotice): boolean => recipients.some(({ mail }) => mail === 'waiting');

/** The notices of a hold: whom they went to, and who has acknowledged them. */
export function NoticesOfHold({ tenantId, holdId, isInForce }: NoticesOfHoldProps): ReactElement {
  const text = useText();
  const [isWriting, setWriting] = useState(false);
  const { data, error, refetch } = useQuery({
    ...read(holdNotices.list, { params: { tenantId, holdId }, quiet: true }),
    refetchInterval: (query) => (query.state.data?.items.some(isUnderway) === true ? POLL_MS : false),
  });
  return (
    <Stack>
      <Subtitle2 as="h3">{text('holdNotices.title')}</Subtitle2>
      {error !== null && <FailedState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingShape rows={2} height={32} />}
      {data !== undefined && !data.isMailed && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('holdNotices.noMailServer')}</MessageBarBody>
        </MessageBar>
      )}
      {data !== undefined && isWriting && (
        <NoticeForm tenantId={tenantId} holdId={holdId} untold={data.untold} onClose={() => setWriting(false)} />
      )}
      {data !== undefined && !isWriting && (
        <Told untold={data.untold} notices={data.items} isInForce={isInForce} onWrite={() => setWriting(true)} />
      )}
    </Stack>
  );
}

interface ToldProps {
  readonly untold: readonly NoticePerson[];
  readonly notices: readonly HoldNotice[];
  readonly isInForce: boolean;
  readonly onWrite: () => void;
}

function Told({ untold, notices, isInForce, onWrite }: ToldProps): ReactElement {
  const text = useText();
  if (notices.length === 0) {
    const words = isInForce ? `${text('holdNotices.none')} ${text('holdNotices.lead')}` : text('holdNotices.noneEnded');
    return <FirstStep text={words} label={text('holdNotices.send')} may={isInForce} onClick={onWrite} />;
  }
  return (
    <>
      {isInForce && untold.length > 0 && <Text>{text('holdNotices.untold', { count: untold.length })}</Text>}
      {isInForce && <CommandBar commands={[{ id: 'notice', label: text('holdNotices.send'), run: onWrite }]} />}
      {notices.map((notice) => (
        <SentNotice key={notice.noticeId} notice={notice} />
      ))}
    </>
  );
}
