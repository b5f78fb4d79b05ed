import { Button, Text } from '@fluentui/react-components';
import { LockClosedRegular, LockOpenRegular } from '@fluentui/react-icons';
import type { OpenedMessage } from '@holdfast/contract/archived-messages';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';

interface MessagePrivacyProps {
  readonly message: Pick<OpenedMessage, 'isPrivate' | 'isOwn'>;
  /** Answers false where it was refused, which has been told then. */
  readonly onMark: (isPrivate: boolean) => Promise<boolean>;
}

/** Whether a message is private, and the button by which the owner of the mailbox changes that. */
export function MessagePrivacy({ message: { isPrivate, isOwn }, onMark }: MessagePrivacyProps): ReactElement | null {
  const text = useText();
  const { toasts } = usePortal();
  const [isBusy, setBusy] = useState(false);
  if (!isOwn) return isPrivate ? <Text>{text('archive.isPrivateOfOwner')}</Text> : null;
  const mark = async (): Promise<void> => {
    setBusy(true);
    try {
      if (await onMark(!isPrivate)) toasts.show('success', text(isPrivate ? 'successes.messageNotPrivate' : 'successes.messagePrivate'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Row>
      <Button icon={isPrivate ? <LockOpenRegular /> : <LockClosedRegular />} disabled={isBusy} onClick={() => void mark()}>
        {text(isPrivate ? 'archive.endPrivate' : 'archive.markPrivate')}
      </Button>
      <Text size={200}>{text(isPrivate ? 'archive.isPrivate' : 'archive.privateHint')}</Text>
    </Row>
  );
}
