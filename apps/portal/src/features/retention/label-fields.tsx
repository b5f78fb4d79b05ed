import { Text } from '@fluentui/react-components';
import { retention } from '@holdfast/contract/retention';
import type { Policy } from '@holdfast/contract/retention';
import { retentionSubjects } from '@holdfast/contract/retention-terms';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { RadioField } from '../../ui/choice-fields.tsx';
import { Stack } from '../../ui/layout.tsx';
import { MultiSelectField } from '../../ui/multi-select-field.tsx';

export interface LabelFieldsProps {
  readonly tenantId: string;
  /** The labels of the policy that is edited: nothing may carry them any longer. */
  readonly chosen: Policy['labels'];
}

/** The sensitivity labels that a policy is on, and whether on messages or on files that carry them. */
export function LabelFields({ tenantId, chosen }: LabelFieldsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const state = useQuery(read(retention.labels, { params: { tenantId }, quiet: true }));
  const found = state.data?.items ?? [];
  const others = chosen.filter(({ labelId }) => !found.some((one) => one.labelId === labelId));
  const choices = [...found, ...others.map((label) => ({ ...label, items: 0 }))].map(({ labelId, name, items }) => ({
    value: labelId,
    label: text('retention.labelItems', { name: name === '' ? labelId : name, count: items, items: format.count(items) }),
  }));
  return (
    <Stack>
      <MultiSelectField
        name="labels"
        label={text('retention.labels')}
        hint={text(state.isSuccess && choices.length === 0 ? 'retention.labelsNone' : 'retention.labelsChoose')}
        choices={choices}
        required
      />
      <RadioField
        name="searched"
        label={text('retention.searched')}
        choices={retentionSubjects.map((value) => ({ value, label: text(`retention.searchedKinds.${value}`) }))}
      />
      <Text size={200}>{text('retention.labelsHint')}</Text>
    </Stack>
  );
}
