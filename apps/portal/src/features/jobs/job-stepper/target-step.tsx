import { takes } from '@holdfast/contract/locations';
import type { ReactElement } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useText } from '../../../i18n/use-text.ts';
import { RadioField, SelectField } from '../../../ui/choice-fields.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { Row, Stack } from '../../../ui/layout.tsx';
import { useLocations } from '../../tenants/index.ts';
import type { Draft } from './draft.ts';

/** Where to, and what the kind of job asks for beside it. */
export function TargetStep({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const { control } = useFormContext<Draft>();
  const [type, workload, chosen] = useWatch({ control, name: ['type', 'workload', 'locationId'] });
  const samplesHint = workload === 'teams' ? `${text('jobs.samplesHint')} ${text('jobs.noChatSamples')}` : text('jobs.samplesHint');
  const { data } = useLocations(tenantId);
  // The location of a saved job stays, whatever its use is now.
  const usable = (data?.items ?? []).filter(({ use, locationId }) => takes(use, type) || locationId === chosen);
  const choices = usable.map((location) => ({ value: location.locationId, label: location.name }));
  return (
    <Stack>
      <SelectField name="locationId" label={text('jobs.location')} choices={choices} required />
      {type === 'deletion' && <Retention />}
      {type === 'verify' && <TextField name="budgetPercent" label={text('jobs.budget')} type="number" />}
      {type === 'drill' && <TextField name="samples" label={text('jobs.samples')} hint={samplesHint} type="number" />}
    </Stack>
  );
}

function Retention(): ReactElement {
  const text = useText();
  const { control } = useFormContext<Draft>();
  const mode = useWatch({ control, name: 'retentionMode' });
  const parts = ['daily', 'weekly', 'monthly', 'yearly'] as const;
  return (
    <>
      <RadioField
        name="retentionMode"
        label={text('jobs.retention')}
        choices={[
          { value: 'all', label: text('jobs.retentionAll') },
          { value: 'days', label: text('jobs.retentionDays') },
          { value: 'count', label: text('jobs.retentionCount') },
          { value: 'gfs', label: text('jobs.retentionGfs') },
        ]}
      />
      {mode === 'days' && <TextField name="retentionDays" label={text('jobs.days')} type="number" />}
      {mode === 'count' && <TextField name="retentionCount" label={text('jobs.count')} type="number" />}
      {mode === 'gfs' && (
        <Row>
          {parts.map((part) => (
            <TextField key={part} name={part} label={text(`jobs.${part}`)} type="number" />
          ))}
        </Row>
      )}
    </>
  );
}
