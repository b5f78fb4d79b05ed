import { nobody } from '../features/audit/index.ts';
import { withFeatures } from '../compose.ts';
import { rotateMasterKey } from '../master-key.ts';
import type { Command } from './command.ts';

/** Makes a new master key and wraps every data key with it. */
export const rotateKeys: Command = {
  name: 'rotate-keys',
  summary: 'Makes a new master key and wraps every key with it. Stop the product first; may be run again after a crash.',
  options: {},
  async run({ config, logger, print }) {
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
  },
};
