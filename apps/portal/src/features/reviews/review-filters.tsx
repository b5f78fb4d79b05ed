import { Dropdown, Field, Option } from '@fluentui/react-components';
import type { ReviewPerson } from '@holdfast/contract/review-values';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';
import { decisions } from './review-status.tsx';
import type { ReviewFilters } from './reviews.queries.ts';

const ANY = '';

interface FiltersProps {
  readonly people: readonly ReviewPerson[];
  readonly reviewers: readonly string[];
  readonly value: ReviewFilters;
  readonly onChange: (value: ReviewFilters) => void;
}

/** Narrows a set by status, person and reviewer. */
export function ReviewFilterBar({ people, reviewers, value, onChange }: FiltersProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { status, resourceId, reviewer } = value;
  const chosen = (name: keyof ReviewFilters) => (word: string) => {
    const { [name]: _before, ...others } = value;
    onChange(word === ANY ? others : { ...others, [name]: word });
  };
  return (
    <Row>
      <Choice
        label={text('reviews.status')}
        value={status ?? ANY}
        choices={[[ANY, text('reviews.anyStatus')], ...decisions.map((one) => [one, text(`reviews.statuses.${one}`)] as const)]}
        onChange={chosen('status')}
      />
      <Choice
        label={text('reviews.person')}
        value={resourceId ?? ANY}
        choices={[
          [ANY, text('reviews.anyPerson')],
          ...people.map((one) => [one.resourceId, `${one.name || one.address} (${format.count(one.contents)})`] as const),
        ]}
        onChange={chosen('resourceId')}
      />
      <Choice
        label={text('reviews.reviewer')}
        value={reviewer ?? ANY}
        choices={[[ANY, text('reviews.anyReviewer')], ...reviewers.map((one) => [one, one] as const)]}
        onChange={chosen('reviewer')}
      />
    </Row>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, choices, onChange }: ChoiceProps): ReactElement {
  return (
    <Field label={label}>
      <Dropdown
        value={choices.find(([one]) => one === value)?.[1] ?? ''}
        selectedOptions={[value]}
        onOptionSelect={(_event, { optionValue = ANY }) => onChange(optionValue)}
      >
        {choices.map(([one, word]) => (
          <Option key={one} value={one}>
            {word}
          </Option>
        ))}
      </Dropdown>
    </Field>
  );
}
