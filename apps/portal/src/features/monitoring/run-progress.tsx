import { isUnderWay } from '@holdfast/contract/run-status';
import { Field, ProgressBar } from '@fluentui/react-components';
import type { Run } from '@holdfast/contract/monitoring';
import type { ReactElement } from 'react';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';

/** How many items and bytes a second; null while nothing has come yet. */
export function useRate(): (run: Run) => string | null {
  const text = useText();
  const format = useFormat();
  return ({ itemsPerSecond, bytesPerSecond }) =>
    itemsPerSecond === 0
      ? null
      : text('monitoring.perSecond', { items: format.count(Math.round(itemsPerSecond)), bytes: format.bytes(bytesPerSecond) });
}

export interface RunProgressProps {
  readonly run: Run;
  /** Where what a run does, how fast and how long still is not shown beside it. */
  readonly isWhole?: boolean;
}

/** How far a run is: determinate once the total is known. */
export function RunProgress({ run, isWhole = false }: RunProgressProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const rate = useRate();
  const done =
    run.total === null
      ? format.count(run.processed)
      : text('monitoring.processedOf', { processed: format.count(run.processed), total: format.count(run.total) });
  if (!isUnderWay(run)) return <span>{done}</span>;
  const left = run.remainingSeconds === null ? null : text('monitoring.left', { duration: format.duration(run.remainingSeconds * 1000) });
  const waiting =
    run.waiting && text('monitoring.waitingFor', { reason: codeText(run.waiting.code), since: format.timeOfDay(run.waiting.since) });
  const first = run.stage === '' ? done : `${done} · ${codeText(run.stage)}`;
  const lines = [first, waiting, rate(run), left].filter((line) => line !== null);
  return (
    <Field validationMessage={isWhole ? <Lines lines={lines} /> : done} validationState="none">
      <ProgressBar max={100} {...(run.total === null ? {} : { value: run.progress })} aria-label={`${run.jobName}: ${done}`} />
    </Field>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }): ReactElement {
  return (
    <>
      {lines.map((line) => (
        <span key={line} style={{ display: 'block' }}>
          {line}
        </span>
      ))}
    </>
  );
}
