import { AppError } from '@holdfast/foundation/errors';
import { withFeatures } from '../product/start-product.ts';
import { counted, required, type Command } from './command.ts';

/** Signs an account out on every device, at once. */
export const endSessions: Command = {
  name: 'end-sessions',
  summary: 'Signs an account out on every device.',
  options: { email: 'address of the account' },
  async run({ config, logger, print }, given) {
    const email = required(given, 'email');
    await withFeatures({ config, logger }, async ({ access }) => {
      const ended = await access.identity.recovery.endSessions(email);
      if (ended === undefined) throw new AppError('admin.unknown-account', { message: `Nobody has the address ${email}.` });
      print(`${counted(ended, 'session')} ended.`);
    });
  },
};
