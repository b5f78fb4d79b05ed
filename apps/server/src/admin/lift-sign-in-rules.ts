import { AppError } from '@holdfast/foundation/errors';
import { withFeatures } from '../product/start-product.ts';
import { required, type Command } from './command.ts';

/** The way back for an owner whom the rules of their own organisation keep out. */
export const liftSignInRules: Command = {
  name: 'lift-sign-in-rules',
  summary: 'Opens every organisation that an account owns from any network and without a required second factor.',
  options: { email: 'address of an owner' },
  async run({ config, logger, print }, given) {
    const email = required(given, 'email');
    await withFeatures({ config, logger }, async ({ access }) => {
      const accountId = await access.identity.recovery.accountOf(email);
      const names = accountId === undefined ? [] : await access.signInRules.liftFor(accountId);
      if (names.length === 0) throw new AppError('admin.unknown-account', { message: `${email} owns no organisation.` });
      for (const name of names) print(`${name} opens from any network.`);
    });
  },
};
