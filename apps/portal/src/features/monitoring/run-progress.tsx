import { Field, ProgressBar } from '@fluentui/react-components';
import type { Run } from '@holdfast/contract/monitoring';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { isGoing } from './monitoring.queries.ts';

/** How far a run is: determinate once the total is known. */
export function RunProgress({ run }: { readonly run: Run }): ReactElement {
  const text = useText();
  const format = useFormat();
  const done =
    run.total === null
      ? format.count(run.processed)
      : text('monitoring.processedOf', { processed: format.count(run.processed), total: format.count(run.total) });
  if (!isGoing(run)) return <span>{done}</span>;
  return (
    <Field validationMessage={done} validationState="none">
      <ProgressBar max={100} {...(run.total === null ? {} : { value: run.progress })} aria-label={`${run.jobName}: ${done}`} />
    </Field>
  );
}
