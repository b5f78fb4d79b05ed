import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useText } from '../i18n/use-text.ts';
import { copyText } from './copy-text.ts';
import { LongCode } from './long-code.tsx';

export interface ShownOnceProps {
  readonly title: string;
  /** Where to enter it. */
  readonly use: string;
  readonly value: string;
  /** The button that takes it away. */
  readonly kept: string;
  readonly onCopied: () => void;
  readonly onDone: () => void;
}

/** A secret in the only answer that contains it. */
export function ShownOnce({ title, use, value, kept, onCopied, onDone }: ShownOnceProps): ReactElement {
  const text = useText();
  const handleCopy = async (): Promise<void> => {
    if (await copyText(value)) onCopied();
  };
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{title}</MessageBarTitle>
        {use} <LongCode>{value}</LongCode>
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={() => void handleCopy()}>{text('common.copy')}</Button>
        <Button onClick={onDone}>{kept}</Button>
      </MessageBarActions>
    </MessageBar>
  );
}
