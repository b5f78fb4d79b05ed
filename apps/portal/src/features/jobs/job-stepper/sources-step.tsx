import { Accordion, AccordionHeader, AccordionItem, AccordionPanel } from '@fluentui/react-components';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useText } from '../../../i18n/use-text.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { CheckField, RadioField } from '../../../ui/choice-fields.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { RouterLink } from '../../../ui/router-link.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { TagField } from '../../../ui/tag-field.tsx';
import { useLocations } from '../../tenants/index.ts';
import { SourcePicker } from '../source-picker.tsx';
import { kindsByWorkload, partsOf, takesFolders } from './draft.ts';
import type { Draft, SourceKind } from './draft.ts';

/** What the job covers: everyone, or those chosen; folders; what belongs to it. */
export function SourcesStep({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const { control } = useFormContext<Draft>();
  const [coverage, workload, type] = useWatch({ control, name: ['coverage', 'workload', 'type'] });
  const { data } = useLocations(tenantId);
  const location = data?.items[0];
  if (data !== undefined && location === undefined) {
    return (
      <EmptyState
        text={text('jobs.noLocation')}
        action={<RouterLink to="/configuration/locations/new">{text('tenants.newLocation')}</RouterLink>}
      />
    );
  }
  return (
    <Stack>
      <RadioField
        name="coverage"
        label={text('jobs.sources')}
        choices={[
          { value: 'everyone', label: text('jobs.protectEveryone') },
          { value: 'chosen', label: text('jobs.protectSome') },
        ]}
      />
      {coverage === 'chosen' && location !== undefined && (
        <Pickers tenantId={tenantId} locationId={location.locationId} kinds={kindsByWorkload[workload]} workload={workload} />
      )}
      <Accordion collapsible>
        <AccordionItem value="details">
          <AccordionHeader>{text('jobs.options')}</AccordionHeader>
          <AccordionPanel>
            <Stack>
              {type !== 'deletion' && <Options type={type} workload={workload} />}
              {location !== undefined && <Excluded {...{ tenantId, workload, type }} locationId={location.locationId} />}
            </Stack>
          </AccordionPanel>
        </AccordionItem>
      </Accordion>
    </Stack>
  );
}

interface PickersProps {
  readonly tenantId: string;
  readonly locationId: string;
  readonly kinds: readonly SourceKind[];
  readonly workload: Draft['workload'];
}

function Pickers({ tenantId, locationId, kinds, workload }: PickersProps): ReactElement {
  const text = useText();
  const [chosen, setChosen] = useState<SourceKind>(kinds[0] ?? 'users');
  const kind = kinds.includes(chosen) ? chosen : (kinds[0] ?? 'users');
  return (
    <Stack>
      {kinds.length > 1 && <Tabs names={kinds} selected={kind} word={(one) => text(`jobs.${one}`)} onSelect={setChosen} />}
      <SourcePicker key={kind} name={kind} kind={kind} {...{ tenantId, locationId, workload }} label={text(`jobs.${kind}`)} />
    </Stack>
  );
}

/** Who is left out, whoever else is covered. */
function Excluded({ tenantId, locationId, workload, type }: Omit<PickersProps, 'kinds'> & Pick<Draft, 'type'>): ReactElement {
  const text = useText();
  const kind = kindsByWorkload[workload][0] ?? 'users';
  return (
    <SourcePicker
      key={kind}
      name="excluded"
      kind={kind}
      {...{ tenantId, locationId, workload }}
      label={text('jobs.excluded')}
      hint={text(type === 'deletion' ? 'jobs.sparedHint' : 'jobs.excludedHint')}
    />
  );
}

function Options({ type, workload }: Pick<Draft, 'type' | 'workload'>): ReactElement {
  const text = useText();
  if (workload === 'onedrive' || workload === 'sharepoint')
    return <TextField name="options.fileVersions" label={text('jobs.fileVersions')} type="number" />;
  return (
    <Stack>
      {partsOf[workload].map((name) => (
        <CheckField key={name} name={`options.${name}`} label={text(`jobs.${name}`)} />
      ))}
      {takesFolders({ type, workload }) && (
        <>
          <TagField name="includeFolders" label={text('jobs.includeFolders')} hint={text('validation.folders')} />
          <TagField name="excludeFolders" label={text('jobs.excludeFolders')} hint={text('validation.folders')} />
        </>
      )}
    </Stack>
  );
}
