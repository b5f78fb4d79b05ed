import { passwordText, specialCharacter } from '@holdfast/contract/identity';
import { passwordMinLength } from '@holdfast/contract/limits';
import { z } from 'zod';

/** A new password, typed twice; the floor is checked here, a stricter policy by the server. */
export const newPassword = z.object({
  password: passwordText
    .min(passwordMinLength, { error: 'validation.passwordMinimum' })
    .regex(specialCharacter, { error: 'validation.password' }),
  repeated: z.string(),
});

/** The two entries must be the same. */
export const newPasswordTwice = newPassword.refine((values) => values.password === values.repeated, {
  path: ['repeated'],
  error: 'validation.passwordMismatch',
});
