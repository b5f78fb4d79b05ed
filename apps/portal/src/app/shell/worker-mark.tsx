import { selection } from '@holdfast/contract/workers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useChosenWorker } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { StatePill } from './state-pill.tsx';

const askAgainMs = 60_000;

/** Whether the chosen worker is alive: without it no job runs. */
export function WorkerMark({ className }: { readonly className?: string }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const workerId = useChosenWorker()?.worker.workerId;
  const { data } = useQuery({ ...read(selection.client, { quiet: true, background: true }), refetchInterval: askAgainMs });
  const worker = data?.worker?.workerId === workerId ? data?.worker : undefined;
  const label = text('shell.worker');
  if (worker === null || worker === undefined) {
    const words = text('shell.workerUnknown');
    return <StatePill label={label} state="unknown" words={words} hint={words} className={className} />;
  }
  const words = text(worker.isReachable ? 'shell.workerReachable' : 'shell.workerUnreachable');
  const hint = [worker.name, words, ...(worker.lastSeenAt === null ? [] : [format.dateTime(worker.lastSeenAt)])].join(' – ');
  return <StatePill label={label} state={worker.isReachable ? 'good' : 'bad'} words={words} hint={hint} className={className} />;
}
