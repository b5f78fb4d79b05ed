import { Dropdown, Option } from '@fluentui/react-components';
import { mayDo } from '@holdfast/contract/actions';
import { members } from '@holdfast/contract/members';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useChosenWorker } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField, type Choice } from '../../ui/choice-fields.tsx';
import { FieldFrame } from '../../ui/field-frame.tsx';
import { useField, type FieldBasics } from '../../ui/use-field.ts';
import { reviewCounts, stageFields } from './policy-draft.ts';

/** Several of the people who may review. */
function PeopleField({ choices, ...basics }: FieldBasics & { readonly choices: readonly Choice[] }): ReactElement {
  const { field, bind, frame } = useField(basics);
  const chosen = Array.isArray(field.value) ? (field.value as readonly string[]) : [];
  const names = choices.filter(({ value }) => chosen.includes(value)).map(({ label }) => label);
  return (
    <FieldFrame {...frame}>
      <Dropdown
        multiselect
        name={field.name}
        ref={bind}
        value={names.join(', ')}
        selectedOptions={[...chosen]}
        onBlur={field.onBlur}
        onOptionSelect={(_event, { selectedOptions }) => field.onChange(selectedOptions)}
      >
        {choices.map(({ value, label }) => (
          <Option key={value} value={value}>
            {label}
          </Option>
        ))}
      </Dropdown>
    </FieldFrame>
  );
}

/** Who is asked before what is past a maximum is deleted, one stage after the other. */
export function ReviewFields(): ReactElement {
  const text = useText();
  const chosen = useChosenWorker();
  const query = chosen === null ? {} : { organisationId: chosen.clientId };
  const list = useQuery(read(members.list, { query, quiet: true }));
  const reviews: unknown = useWatch({ name: 'reviews' });
  const people = (list.data?.items ?? []).filter(({ role, status }) => status === 'active' && mayDo(role, 'deletion.manage'));
  const choices = people.map(({ userId, email }) => ({ value: userId, label: email }));
  const stages = stageFields.slice(
    0,
    reviewCounts.findIndex((count) => count === reviews),
  );
  return (
    <>
      <SelectField
        name="reviews"
        label={text('retention.reviewStages')}
        hint={text('retention.reviewStagesHint')}
        choices={reviewCounts.map((value) => ({ value, label: text(`retention.reviewCounts.${value}`) }))}
      />
      {stages.map((name, at) => (
        <PeopleField
          key={name}
          name={name}
          label={text('retention.reviewersOf', { stage: at + 1 })}
          hint={text('retention.reviewersHint')}
          choices={choices}
          required
        />
      ))}
    </>
  );
}
