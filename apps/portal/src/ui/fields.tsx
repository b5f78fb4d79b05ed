import { Button, Field, Input, Textarea } from '@fluentui/react-components';
import type { InputProps } from '@fluentui/react-components';
import { EyeOffRegular, EyeRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/use-text.ts';
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
