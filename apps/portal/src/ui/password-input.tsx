import { Button, Input } from '@fluentui/react-components';
import type { InputProps } from '@fluentui/react-components';
import { EyeOffRegular, EyeRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { ReactElement, RefCallback } from 'react';
import { useText } from '../i18n/use-text.ts';

export interface PasswordInputProps extends Pick<InputProps, 'id' | 'aria-describedby' | 'aria-invalid' | 'aria-required' | 'required'> {
  readonly name?: string;
  readonly onBlur?: () => void;
  readonly value: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly onChange: (value: string) => void;
  readonly ref?: RefCallback<HTMLInputElement>;
}

/** A password that may be shown; pasting is allowed, and password managers know what it is. */
export function PasswordInput({ value, onChange, ref, name = 'password', ...rest }: PasswordInputProps): ReactElement {
  const text = useText();
  const [shown, setShown] = useState(false);
  return (
    <Input
      {...rest}
      {...(ref === undefined ? {} : { ref })}
      name={name}
      value={value}
      type={shown ? 'text' : 'password'}
      onChange={(_event, data) => onChange(data.value)}
      contentAfter={
        <Button
          appearance="transparent"
          size="small"
          icon={shown ? <EyeOffRegular /> : <EyeRegular />}
          aria-label={text(shown ? 'common.hidePassword' : 'common.showPassword')}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
