import { Button, Dropdown, Field, Option, Switch } from '@fluentui/react-components';
import type { ReviewTag } from '@holdfast/contract/review-marks';
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
  readonly tags: readonly ReviewTag[];
  /** Whether it is known what the mail of the set repeats. */
  readonly knowsThreads: boolean;
  readonly value: ReviewFilters;
  readonly onChange: (value: ReviewFilters) => void;
}

/** Narrows a set by status, person, reviewer and what is repeated. */
export function ReviewFilterBar({ people, reviewers, tags, knowsThreads, value, onChange }: FiltersProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { status, resourceId, reviewer } = value;
  const chosen = (name: 'status' | 'resourceId' | 'reviewer' | 'tagId') => (word: string) => {
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
      {tags.length > 0 && (
        <Choice
          label={text('reviews.tags.one')}
          value={value.tagId ?? ANY}
          choices={[[ANY, text('reviews.tags.any')], ...tags.map(({ tagId, name }) => [tagId, name] as const)]}
          onChange={chosen('tagId')}
        />
      )}
      {knowsThreads && value.thread === undefined && (
        <Field hint={text('reviews.threads.lessHint')}>
          <Switch
            label={text('reviews.threads.less')}
            checked={value.readLess === true}
            onChange={(_event, { checked }) => onChange({ ...value, readLess: checked })}
          />
        </Field>
      )}
      {value.thread !== undefined && <Button onClick={() => onChange(withoutThread(value))}>{text('reviews.threads.all')}</Button>}
    </Row>
  );
}

function withoutThread(value: ReviewFilters): ReviewFilters {
  const { thread: _thread, ...others } = value;
  return others;
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
