import { Input, Textarea } from '@fluentui/react-components';
import type { InputProps } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { FieldFrame } from './field-frame.tsx';
import { PasswordInput } from './password-input.tsx';
import { textOf, useField } from './use-field.ts';
import type { FieldBasics } from './use-field.ts';

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
    <FieldFrame {...frame}>
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
    </FieldFrame>
  );
}

function textOrMissing(value: string, isOptional = false): string | undefined {
  return isOptional && value === '' ? undefined : value;
}

/** An emptied number field is "missing" to the schema, not 0; undefined would bring the default back under the reader's hands. */
function numberOf(value: string): number | null {
  return value.trim() === '' ? null : Number(value);
}

/** A password of a form. */
export function PasswordField(props: FieldBasics & { readonly autoComplete: 'current-password' | 'new-password' }): ReactElement {
  const { field, bind, frame } = useField(props);
  return (
    <FieldFrame {...frame}>
      <PasswordInput
        name={field.name}
        ref={bind}
        value={textOf(field.value)}
        autoComplete={props.autoComplete}
        onBlur={field.onBlur}
        onChange={(value) => field.onChange(value)}
      />
    </FieldFrame>
  );
}

/** Several lines of text. */
export function TextAreaField(props: FieldBasics & { readonly rows?: number; readonly isOptional?: boolean }): ReactElement {
  const { field, bind, frame } = useField(props);
  return (
    <FieldFrame {...frame}>
      <Textarea
        name={field.name}
        ref={bind}
        value={textOf(field.value)}
        rows={props.rows ?? 4}
        onBlur={field.onBlur}
        onChange={(_event, { value }) => field.onChange(textOrMissing(value, props.isOptional))}
      />
    </FieldFrame>
  );
}
