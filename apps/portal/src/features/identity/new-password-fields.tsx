import { passwordMinLength } from '@holdfast/contract/limits';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { PasswordField } from '../../ui/fields.tsx';
import { usePolicy } from './sign-in.queries.ts';

/** The two entries of a new password, with the rule that the organisation has set. */
export function NewPasswordFields(): ReactElement {
  const text = useText();
  const policy = usePolicy();
  return (
    <>
      <PasswordField
        name="password"
        label={text('signIn.newPassword')}
        autoComplete="new-password"
        hint={text('signIn.passwordRule', { count: policy?.minLength ?? passwordMinLength })}
      />
      <PasswordField name="repeated" label={text('signIn.repeatPassword')} autoComplete="new-password" />
    </>
  );
}
