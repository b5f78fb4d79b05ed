import { formatBytes } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Vault } from '@holdfast/vault';
import { required, type Command } from './command.ts';
import { vaultOptions, withVault } from './vault-command.ts';

const HOLDS =
  'A vault alone does not tell what is on hold since its last prune. Use a deletion job, or say --no-holds yes when nothing here is; what an earlier prune kept for a hold stays in any case.';
const DAY_MS = 24 * 60 * 60 * 1000;

/** The time by which the age of points is told: never later than the newest commit, for the clock of this machine may be ahead. */
async function judgedAt(vault: Vault): Promise<number> {
  let newestMs = 0;
  for await (const { head } of vault.resources({ onLost: () => undefined })) newestMs = Math.max(newestMs, Date.parse(head.at));
  return Math.min(systemClock.nowMs(), newestMs);
}

/** Lets old restore points go. */
export const vaultPrune: Command = {
  name: 'vault prune',
  summary:
    'Lets restore points go that are older than so many days, counted from the newest commit; what is marked now is swept by a prune a day later. Sees no legal holds but those that an earlier prune kept something for.',
  options: {
    ...vaultOptions,
    'keep-days': 'Restore points younger than this stay; the newest of a resource always does',
    'no-holds': 'Write "yes" to say that nothing in this vault is on hold: holds are in the database, which this command does not ask',
  },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      if (given['no-holds'] !== 'yes') throw new AppError('admin.holds-unknown', { message: HOLDS });
      const days = Number(required(given, 'keep-days'));
      if (!Number.isFinite(days) || days < 1) throw new AppError('admin.bad-option', { message: '--keep-days is a number from 1.' });
      const oldest = (await judgedAt(vault)) - days * DAY_MS;
      const report = await vault.maintenance.prune({ policy: { keepsPoint: (point) => Date.parse(point.at) >= oldest } });
      context.print(
        `marked ${report.markedPacks.length} packs, swept ${report.sweptPacks.length} (${formatBytes(report.freedBytes)}), locked ${report.lockedPacks.length}`,
      );
    }),
};
