import { AppError } from '@holdfast/foundation/errors';
import { withFeatures } from '../product/start-product.ts';
import { required, secretFrom, type Command } from './command.ts';

/** Makes an owner of a new organisation, with a password from a file. */
export const createOwner: Command = {
  name: 'create-owner',
  summary: 'Makes an account that owns a new organisation.',
  options: {
    email: 'address of the owner',
    'password-file': 'file that holds the password',
    organisation: 'name of the organisation',
  },
  async run({ config, logger, print }, given) {
    const email = required(given, 'email');
    const organisation = given['organisation'] ?? config.HOLDFAST_OWNER_ORGANISATION;
    const password = await secretFrom(required(given, 'password-file'));
    await withFeatures({ config, logger }, async ({ access }) => {
      const made = await access.identity.bootstrap.createOwner({ email, password, organisation }, false);
      if (!made) throw new AppError('identity.already-set-up', { message: 'No owner was made.' });
      print(`${email} owns ${organisation}.`);
    });
  },
};
