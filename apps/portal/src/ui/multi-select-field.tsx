import { Dropdown, Option } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import type { Choice } from './choice-fields.tsx';
import { FieldFrame } from './field-frame.tsx';
import { useField, type FieldBasics } from './use-field.ts';

/** Several of some choices, from a list that opens. */
export function MultiSelectField({ choices, ...basics }: FieldBasics & { readonly choices: readonly Choice[] }): ReactElement {
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
