import { Checkbox, Dropdown, Option, Radio, RadioGroup, Switch } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { FieldFrame } from './field-frame.tsx';
import { textOf, useField } from './use-field.ts';
import type { FieldBasics } from './use-field.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** One of a few choices, from a list that opens. */
export function SelectField(props: FieldBasics & { readonly choices: readonly Choice[] }): ReactElement {
  const { field, bind, frame } = useField(props);
  const value = textOf(field.value);
  return (
    <FieldFrame {...frame}>
      <Dropdown
        name={field.name}
        ref={bind}
        value={props.choices.find((choice) => choice.value === value)?.label ?? ''}
        selectedOptions={value === '' ? [] : [value]}
        disabled={props.disabled ?? false}
        onBlur={field.onBlur}
        onOptionSelect={(_event, { optionValue }) => field.onChange(optionValue)}
      >
        {props.choices.map((choice) => (
          <Option key={choice.value} value={choice.value}>
            {choice.label}
          </Option>
        ))}
      </Dropdown>
    </FieldFrame>
  );
}

/** One of a few choices, all of them in sight. */
export function RadioField(props: FieldBasics & { readonly choices: readonly Choice[] }): ReactElement {
  const { field, frame } = useField(props);
  return (
    <FieldFrame {...frame}>
      <RadioGroup
        name={field.name}
        value={textOf(field.value)}
        onBlur={field.onBlur}
        onChange={(_event, { value }) => field.onChange(value)}
      >
        {props.choices.map((choice) => (
          <Radio
            key={choice.value}
            value={choice.value}
            label={
              choice.hint === undefined ? (
                choice.label
              ) : (
                <>
                  {choice.label}
                  <br />
                  <small>{choice.hint}</small>
                </>
              )
            }
          />
        ))}
      </RadioGroup>
    </FieldFrame>
  );
}

/** What boxes and switches share: their label stands beside them, not above. */
function useToggle(props: FieldBasics) {
  const { field, bind, frame } = useField(props);
  const { label, ...rest } = frame;
  const { name, onBlur, onChange } = field;
  return {
    frame: rest,
    change: onChange,
    control: { name, onBlur, ref: bind, label, checked: field.value === true, disabled: props.disabled ?? false },
  };
}

/** Yes or no, in effect when the form is saved. */
export function CheckField(props: FieldBasics): ReactElement {
  const { frame, control, change } = useToggle(props);
  return (
    <FieldFrame {...frame}>
      <Checkbox {...control} onChange={(_event, { checked }) => change(checked === true)} />
    </FieldFrame>
  );
}

/** On or off. */
export function SwitchField(props: FieldBasics): ReactElement {
  const { frame, control, change } = useToggle(props);
  return (
    <FieldFrame {...frame}>
      <Switch {...control} onChange={(_event, { checked }) => change(checked)} />
    </FieldFrame>
  );
}
