import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  Text,
  tokens,
} from '@fluentui/react-components';
import { BoxSearchRegular } from '@fluentui/react-icons';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, hasStatus } from '../api/api-error.ts';
import { messageOf } from '../api/failures.ts';
import { useText } from '../i18n/use-text.ts';
import { copyText } from './copy-text.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: tokens.spacingVerticalM,
    padding: tokens.spacingVerticalXXXL,
    textAlign: 'center',
    color: tokens.colorNeutralForeground2,
  },
});

/** There is nothing here yet; `action` is the way to the first one. */
export function EmptyState({ text, action }: { readonly text: string; readonly action?: ReactNode }): ReactElement {
  const styles = useStyles();
  return (
    <div className={styles.root}>
      <BoxSearchRegular fontSize={48} aria-hidden />
      <Text size={400} align="center">
        {text}
      </Text>
      {action}
    </div>
  );
}

export interface FirstStepProps {
  readonly text: string;
  readonly label: string;
  /** Whether the reader's role allows the step; otherwise only the words are shown. */
  readonly may: boolean;
  readonly onClick: () => void;
}

/** An empty list with the button that makes its first entry. */
export function FirstStep({ text, label, may, onClick }: FirstStepProps): ReactElement {
  const button = (
    <Button appearance="primary" onClick={onClick}>
      {label}
    </Button>
  );
  return <EmptyState text={text} action={may ? button : null} />;
}

export interface FailedStateProps {
  readonly error: unknown;
  readonly title?: string;
  readonly onRetry?: () => void;
}

/** Something could not be loaded: why, the request id to copy, and the way to try again. */
export function FailedState({ error, title, onRetry }: FailedStateProps): ReactElement {
  const text = useText();
  const { i18n } = useTranslation();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const heading = hasStatus(error, 404) ? text('kit.notFoundHere') : (title ?? text('kit.listFailed'));
  return (
    <MessageBar intent="error" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{heading}</MessageBarTitle>
        {!hasStatus(error, 404) && messageOf(error, text, i18n.language)}
        {requestId !== undefined && ` ${text('common.requestId', { id: requestId })}`}
      </MessageBarBody>
      <MessageBarActions>
        {onRetry !== undefined && <Button onClick={onRetry}>{text('common.retry')}</Button>}
        {requestId !== undefined && <Button onClick={() => void copyText(requestId)}>{text('common.copy')}</Button>}
      </MessageBarActions>
    </MessageBar>
  );
}
