import { Button, MessageBar, MessageBarBody, Subtitle2 } from '@fluentui/react-components';
import { holdNoticeLinks } from '@holdfast/contract/hold-notices';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useParams } from 'react-router';
import { read, useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { LanguageChoice } from '../identity/index.ts';
import { NoticeMessage } from './notice-message.tsx';

/** `/hold-notice/:code`: a notice, as whoever it was sent to reads and acknowledges it. Opening it acknowledges nothing: programs that check mails open links too. */
export default function NoticePage(): ReactElement {
  const text = useText();
  const format = useFormat();
  const { code = '' } = useParams();
  const { data, error, refetch } = useQuery({ ...read(holdNoticeLinks.look, { body: { code }, quiet: true }), staleTime: 'static' });
  const acknowledge = useChange(holdNoticeLinks.acknowledge);
  const notice = acknowledge.data ?? data;
  const lead =
    notice === undefined
      ? ''
      : text('noticePage.lead', {
          sender: notice.sender,
          organisation: notice.organisationName,
          address: notice.address,
          at: format.date(notice.createdAt),
        });
  return (
    <Centred title={text('noticePage.title')} lead={lead} foot={<LanguageChoice />}>
      {error !== null && <FailedState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingShape rows={3} height={32} />}
      {notice !== undefined && (
        <Stack>
          <Subtitle2 as="h2">{notice.subject}</Subtitle2>
          <NoticeMessage message={notice.message} />
          {notice.acknowledgedAt === null ? (
            <Button appearance="primary" disabledFocusable={acknowledge.isPending} onClick={() => acknowledge.mutate({ body: { code } })}>
              {text('noticePage.acknowledge')}
            </Button>
          ) : (
            <MessageBar intent="success" layout="multiline">
              <MessageBarBody>{text('noticePage.acknowledgedAt', { at: format.dateTime(notice.acknowledgedAt) })}</MessageBarBody>
            </MessageBar>
          )}
        </Stack>
      )}
    </Centred>
  );
}
