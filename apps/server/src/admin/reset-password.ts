import { AppError } from '@holdfast/foundation/errors';
import { withFeatures } from '../product/start-product.ts';
import { required, type Command } from './command.ts';

/** Prints a link with which somebody who is locked out sets a new password. */
export const resetPassword: Command = {
  name: 'reset-password',
  summary: 'Prints a link, good for 30 minutes and once, that sets a new password.',
  options: { email: 'address of the account' },
  async run({ config, logger, print }, given) {
    const email = required(given, 'email');
    await withFeatures({ config, logger }, async ({ access }) => {
      const link = await access.identity.recovery.resetPassword(email);
      if (link === undefined) throw new AppError('admin.unknown-account', { message: `Nobody has the address ${email}.` });
      print(link);
    });
  },
};
