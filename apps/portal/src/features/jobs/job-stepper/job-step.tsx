import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useText } from '../../../i18n/use-text.ts';
import { RadioField } from '../../../ui/choice-fields.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { Stack } from '../../../ui/layout.tsx';
import type { JobArea } from '../job-area.ts';
import { jobTypeNames } from '../job-words.ts';
import { hasWorkload } from './draft.ts';
import type { Draft } from './draft.ts';

const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;

/** Kind, workload, name. What a job is can't change later. */
export function JobStep({ area, isNew }: { readonly area: JobArea; readonly isNew: boolean }): ReactElement {
  const text = useText();
  const type = useWatch<Draft, 'type'>({ name: 'type' });
  return (
    <Stack>
      <TextField name="name" label={text('jobs.name')} required autoFocus />
      {isNew && area.types.length > 1 && (
        <RadioField
          name="type"
          label={text('jobs.type')}
          choices={area.types.map((value) => ({ value, label: text(jobTypeNames[value]) }))}
        />
      )}
      {isNew && area.workload === undefined && hasWorkload(type) && (
        <RadioField
          name="workload"
          label={text('common.workload')}
          choices={workloads.map((value) => ({ value, label: text(`common.${value}`) }))}
        />
      )}
    </Stack>
  );
}
