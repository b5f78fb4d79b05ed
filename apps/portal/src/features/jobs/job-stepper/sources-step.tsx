import { Accordion, AccordionHeader, AccordionItem, AccordionPanel, Text } from '@fluentui/react-components';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { PhraseKey } from '../../../i18n/phrase-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { CheckField, RadioField } from '../../../ui/choice-fields.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { RouterLink } from '../../../ui/router-link.tsx';
import { TagField } from '../../../ui/tag-field.tsx';
import { useLocations } from '../../tenants/index.ts';
import { kindsOf, sourceKindsOf } from '../picker-kind.ts';
import { SourcePickers } from '../source-pickers.tsx';
import type { SourcePickersProps } from '../source-pickers.tsx';
import { excludedOf, partsOfJob, readsFiles, takesExempt, takesFolders } from './draft.ts';
import type { Draft } from './draft.ts';

/** What the job covers: everyone, or those chosen; folders; what belongs to it. */
export function SourcesStep({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const { control } = useFormContext<Draft>();
  const [coverage, workload, type, options] = useWatch({ control, name: ['coverage', 'workload', 'type', 'options'] });
  const kinds = sourceKindsOf(workload, { type, withChats: options.chats });
  const spared = kindsOf(workload, options.chats);
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
        <SourcePickers {...{ tenantId, workload, kinds }} locationId={location.locationId} />
      )}
      <Accordion collapsible>
        <AccordionItem value="details">
          <AccordionHeader>{text('jobs.options')}</AccordionHeader>
          <AccordionPanel>
            <Stack>
              {type !== 'deletion' && <Options type={type} workload={workload} />}
              {location !== undefined && <Excluded {...{ tenantId, workload, type }} kinds={spared} locationId={location.locationId} />}
              {location !== undefined && takesExempt(type) && (
                <Spared
                  title="jobs.exempt"
                  hint="jobs.exemptHint"
                  field="exempt"
                  {...{ tenantId, workload }}
                  kinds={spared}
                  locationId={location.locationId}
                />
              )}
            </Stack>
          </AccordionPanel>
        </AccordionItem>
      </Accordion>
    </Stack>
  );
}

/** Who is left out, whoever else is covered. */
function Excluded({ type, ...asked }: Omit<SourcePickersProps, 'field'> & Pick<Draft, 'type'>): ReactElement {
  const hint = type === 'deletion' ? 'jobs.sparedHint' : 'jobs.excludedHint';
  return <Spared title="jobs.excluded" hint={hint} field={`excluded.${excludedOf[asked.workload]}`} {...asked} />;
}

interface SparedProps extends SourcePickersProps {
  readonly title: PhraseKey;
  readonly hint: PhraseKey;
}

/** A list of those whom the job does not touch, with its name and what it means. */
function Spared({ title, hint, ...asked }: SparedProps): ReactElement {
  const text = useText();
  const titleId = useId();
  return (
    <Stack>
      <div>
        <Text id={titleId} block weight="semibold">
          {text(title)}
        </Text>
        <Text size={200}>{text(hint)}</Text>
      </div>
      <div role="group" aria-labelledby={titleId}>
        <SourcePickers {...asked} />
      </div>
    </Stack>
  );
}

function Options({ type, workload }: Pick<Draft, 'type' | 'workload'>): ReactElement {
  const text = useText();
  return (
    <Stack>
      {readsFiles(workload) && <TextField name="options.fileVersions" label={text('jobs.fileVersions')} type="number" />}
      {partsOfJob({ type, workload }).map((name) => (
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
