import { AppError } from '@holdfast/foundation/errors';
import { withFeatures } from '../product/start-product.ts';
import { required, type Command } from './command.ts';

/** Turns the second factor off for somebody who lost it, and ends their sessions. */
export const resetTwoFactor: Command = {
  name: 'reset-two-factor',
  summary: 'Turns two-factor authentication off for an account, unlocks it and ends its sessions.',
  options: { email: 'address of the account' },
  async run({ config, logger, print }, given) {
    const email = required(given, 'email');
    await withFeatures({ config, logger }, async ({ access }) => {
      const isDone = await access.identity.recovery.resetTwoFactor(email);
      if (!isDone) throw new AppError('admin.unknown-account', { message: `Nobody has the address ${email}.` });
      print(`Two-factor authentication of ${email} is off. It has to be set up again.`);
    });
  },
};
