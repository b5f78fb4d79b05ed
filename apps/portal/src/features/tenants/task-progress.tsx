import { Field, MessageBar, MessageBarBody, ProgressBar } from '@fluentui/react-components';
import { tenants } from '@holdfast/contract/tenants';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

const everyMs = 2_000;
const ended = new Set(['finished', 'failed', 'cancelled']);

interface TaskProgressProps {
  readonly tenantId: string;
  readonly taskId: string;
  /** What is said when the task has succeeded; a badge without it. */
  readonly finished?: PhraseKey;
}

/** A task of a tenant while it goes on, polled in the background, and how it ended. */
export function TaskProgress({ tenantId, taskId, finished }: TaskProgressProps): ReactElement | null {
  const text = useText();
  const codeText = useCodeText();
  const { data } = useQuery({
    ...read(tenants.task, { params: { tenantId, taskId }, quiet: true, background: true }),
    refetchInterval: (query) => (query.state.data !== undefined && ended.has(query.state.data.status) ? false : everyMs),
  });
  const queries = useQueryClient();
  const isOver = data !== undefined && ended.has(data.status);
  // What the task changed is read again, also where no live events tell of it: a first tenant has no stream yet.
  useEffect(() => {
    if (isOver) void queries.invalidateQueries();
  }, [isOver, queries]);
  if (data === undefined) return null;
  if (data.status === 'failed') {
    return (
      <MessageBar intent="error" layout="multiline">
        <MessageBarBody>{text('tenants.taskFailed', { message: codeText(data.message) })}</MessageBarBody>
      </MessageBar>
    );
  }
  if (data.status === 'finished' && finished !== undefined) {
    return (
      <MessageBar intent="success">
        <MessageBarBody>{text(finished)}</MessageBarBody>
      </MessageBar>
    );
  }
  if (data.status === 'finished') return <StatusBadge status="finished" />;
  const label = text('tenants.taskRunning', { stage: codeText(data.stage), progress: Math.round(data.progress) });
  return (
    <Field validationMessage={label} validationState="none">
      <ProgressBar value={data.progress} max={100} aria-label={label} />
    </Field>
  );
}
