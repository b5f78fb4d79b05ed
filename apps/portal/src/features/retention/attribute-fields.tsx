import { Button, Text } from '@fluentui/react-components';
import { retention } from '@holdfast/contract/retention';
import { attributeRulesMax, directoryAttributes } from '@holdfast/contract/retention-terms';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import type { PolicyDraft } from './policy-draft.ts';
import { useAttributeName } from './retention-words.ts';

/** So many values of the directory are named beside the field. */
const shownValues = 20;

export interface AttributeFieldsProps {
  readonly tenantId: string;
  readonly form: Pick<UseFormReturn<PolicyDraft>, 'control'>;
}

/** Conditions about people, each with its values; all of them must be met. */
export function AttributeFields({ tenantId, form }: AttributeFieldsProps): ReactElement {
  const text = useText();
  const nameOf = useAttributeName();
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'attributes' });
  const chosen = useWatch({ control: form.control, name: 'attributes' });
  const state = useQuery(read(retention.directory, { params: { tenantId }, quiet: true }));
  const hintOf = (at: number): string => {
    const known = state.data?.values.find(({ attribute }) => attribute === chosen[at]?.attribute);
    if (state.data?.readAt === null) return text('retention.attributeValuesUnread');
    if (known === undefined) return text('retention.attributeValuesNone');
    return text('retention.attributeValuesHint', { values: known.values.slice(0, shownValues).join(', ') });
  };
  const free = directoryAttributes.find((attribute) => chosen.every((rule) => rule.attribute !== attribute));
  return (
    <Stack>
      {fields.map((rule, at) => (
        <Stack key={rule.id}>
          <SelectField
            name={`attributes.${at}.attribute`}
            label={text('retention.attribute')}
            choices={directoryAttributes.map((value) => ({ value, label: nameOf(value) }))}
          />
          <TextAreaField name={`attributes.${at}.values`} label={text('retention.attributeValues')} hint={hintOf(at)} required />
          {fields.length > 1 && (
            <Row>
              <Button size="small" onClick={() => remove(at)}>
                {text('retention.attributeRemove', { number: at + 1 })}
              </Button>
            </Row>
          )}
        </Stack>
      ))}
      {fields.length < attributeRulesMax && free !== undefined && (
        <Row>
          <Button size="small" onClick={() => append({ attribute: free, values: '' })}>
            {text('retention.attributeAdd')}
          </Button>
        </Row>
      )}
      <Text size={200}>{text('retention.attributesHint')}</Text>
    </Stack>
  );
}
