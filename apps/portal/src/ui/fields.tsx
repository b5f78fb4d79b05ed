import { Button, Checkbox, Dropdown, Field, Input, Option, Radio, RadioGroup, Switch, Textarea } from '@fluentui/react-components';
import type { InputProps } from '@fluentui/react-components';
import { EyeOffRegular, EyeRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useText } from '../i18n/use-text.ts';
import { faultText } from './form.tsx';

interface FieldBasics {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

/** What every field shares: its value, its fault in the reader's language, its label. */
function useField({ name, label, hint, required }: FieldBasics) {
  const text = useText();
  const { field, fieldState } = useController({ name });
  const fault = faultText(fieldState.error?.message, text);
  const frame = {
    label,
    ...(hint === undefined ? {} : { hint }),
    ...(required === undefined ? {} : { required }),
    ...(fault === undefined ? {} : { validationMessage: fault, validationState: 'error' as const }),
  };
  const { ref: bind, ...rest } = field;
  return { field: { ...rest, value: rest.value as unknown }, bind, frame };
}

export interface TextFieldProps extends FieldBasics {
  readonly type?: NonNullable<InputProps['type']>;
  readonly autoComplete?: string;
  readonly inputMode?: 'numeric' | 'text' | 'email';
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  /** Left empty means "not given", not the empty text. */
  readonly isOptional?: boolean;
}

/** One line of text. */
export function TextField(props: TextFieldProps): ReactElement {
  const { field, bind, frame } = useField(props);
  const { type = 'text', autoComplete, inputMode, placeholder, autoFocus = false, disabled = false } = props;
  return (
    <Field {...frame}>
      <Input
        name={field.name}
        ref={bind}
        value={textOf(field.value)}
        type={type}
        disabled={disabled}
        autoFocus={autoFocus}
        {...(autoComplete === undefined ? {} : { autoComplete })}
        {...(inputMode === undefined ? {} : { inputMode })}
        {...(placeholder === undefined ? {} : { placeholder })}
        onBlur={field.onBlur}
        onChange={(_event, { value }) => field.onChange(type === 'number' ? numberOf(value) : textOrMissing(value, props.isOptional))}
      />
    </Field>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function textOrMissing(value: string, isOptional = false): string | undefined {
  return isOptional && value === '' ? undefined : value;
}

/** An emptied number field is "missing" to the schema, not 0. */
function numberOf(value: string): number | undefined {
  return value.trim() === '' ? undefined : Number(value);
}

/** A password that may be shown; pasting is allowed, and password managers know what it is. */
export function PasswordField(props: FieldBasics & { readonly autoComplete: 'current-password' | 'new-password' }): ReactElement {
  const text = useText();
  const [shown, setShown] = useState(false);
  const { field, bind, frame } = useField(props);
  return (
    <Field {...frame}>
      <Input
        name={field.name}
        ref={bind}
        value={textOf(field.value)}
        type={shown ? 'text' : 'password'}
        autoComplete={props.autoComplete}
        onBlur={field.onBlur}
        onChange={(_event, { value }) => field.onChange(value)}
        contentAfter={
          <Button
            appearance="transparent"
            size="small"
            icon={shown ? <EyeOffRegular /> : <EyeRegular />}
            aria-label={text(shown ? 'kit.hidePassword' : 'kit.showPassword')}
            onClick={() => setShown(!shown)}
          />
        }
      />
    </Field>
  );
}

/** Several lines of text. */
export function TextAreaField(props: FieldBasics & { readonly rows?: number; readonly isOptional?: boolean }): ReactElement {
  const { field, bind, frame } = useField(props);
  return (
    <Field {...frame}>
      <Textarea
        name={field.name}
        ref={bind}
        value={textOf(field.value)}
        rows={props.rows ?? 4}
        onBlur={field.onBlur}
        onChange={(_event, { value }) => field.onChange(textOrMissing(value, props.isOptional))}
      />
    </Field>
  );
}

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
    <Field {...frame}>
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
    </Field>
  );
}

/** One of a few choices, all of them in sight. */
export function RadioField(props: FieldBasics & { readonly choices: readonly Choice[] }): ReactElement {
  const { field, frame } = useField(props);
  return (
    <Field {...frame}>
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
    </Field>
  );
}

/** Yes or no, in effect when the form is saved. */
export function CheckField(props: FieldBasics): ReactElement {
  const { field, bind, frame } = useField(props);
  const { label, ...rest } = frame;
  return (
    <Field {...rest}>
      <Checkbox
        name={field.name}
        ref={bind}
        label={label}
        checked={field.value === true}
        disabled={props.disabled ?? false}
        onBlur={field.onBlur}
        onChange={(_event, { checked }) => field.onChange(checked === true)}
      />
    </Field>
  );
}

/** On or off. */
export function SwitchField(props: FieldBasics): ReactElement {
  const { field, bind, frame } = useField(props);
  const { label, ...rest } = frame;
  return (
    <Field {...rest}>
      <Switch
        name={field.name}
        ref={bind}
        label={label}
        checked={field.value === true}
        disabled={props.disabled ?? false}
        onBlur={field.onBlur}
        onChange={(_event, { checked }) => field.onChange(checked)}
      />
    </Field>
  );
}
