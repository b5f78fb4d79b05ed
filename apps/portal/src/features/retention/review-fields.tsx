import { mayDo } from '@holdfast/contract/actions';
import { members } from '@holdfast/contract/members';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useChosenWorker } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { MultiSelectField } from '../../ui/multi-select-field.tsx';
import { reviewCounts, stageFields } from './policy-draft.ts';

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
        <MultiSelectField
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
