import { AppError } from '@holdfast/foundation/errors';
import { nobody } from '../features/audit/index.ts';
import { renewVaultKeys } from '../storage/index.ts';
import { allScopes } from '../features/organisations/index.ts';
import { withFeatures } from '../product/start-product.ts';
import { rotateMasterKey } from '../keys/master-key.ts';
import type { Command, CommandContext } from './command.ts';

type Parts = Pick<CommandContext, 'config' | 'logger'>;
type NotReached = Awaited<ReturnType<typeof renewVaultKeys>>['notReached'];

/** Brings every vault to the master key that is current when this is called. */
function renewAll(parts: Parts): ReturnType<typeof renewVaultKeys> {
  return withFeatures(parts, async ({ ground: { database }, storage: { vaults } }) =>
    renewVaultKeys({ database, vaults, scopes: await allScopes(database) }),
  );
}

function named(notReached: NotReached): string {
  return notReached.map(({ name, locationId, code }) => `${name} (${locationId}, ${code})`).join(', ');
}

/** Makes a new master key and wraps every data key and the keys of every vault with it. */
export const rotateKeys: Command = {
  name: 'rotate-keys',
  summary: 'Makes a new master key and wraps every key with it. Stop the product first; may be run again after a crash.',
  options: {},
  async run({ config, logger, print }) {
    // The key before the previous one is not kept: a vault that still needs it would be lost by one more rotation.
    const before = await renewAll({ config, logger });
    if (before.notReached.length > 0) {
      throw new AppError('keys.vault-not-reached', {
        message: `Nothing was changed, because these vaults can't be wrapped with a new key now: ${named(before.notReached)}.`,
        details: { locations: before.notReached.map(({ locationId }) => locationId) },
      });
    }
    await withFeatures({ config, logger }, async ({ ground }) => {
      const { database, audit } = ground;
      const report = await rotateMasterKey(config, database);
      await database.within(nobody, (tx) =>
        audit.record(tx, {
          event: 'keys.rotated',
          actor: { kind: 'console', name: 'console' },
          details: { rewrapped: report.rewrapped, masterKeyId: report.masterKeyId },
        }),
      );
      print(`${report.rewrapped} keys wrapped by the new master key ${report.masterKeyId}. Copy the file master.key to a safe place.`);
    });
    const after = await renewAll({ config, logger });
    print(`${after.renewed} vaults open with the new key.`);
    if (after.notReached.length > 0) {
      print(
        `Keep master.key.previous: these vaults still need it and take the new key when they are next used: ${named(after.notReached)}.`,
      );
    }
  },
};
