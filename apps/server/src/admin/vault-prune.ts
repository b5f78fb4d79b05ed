import { formatBytes } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { required, type Command } from './command.ts';
import { vaultOptions, withVault } from './vault-command.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lets old restore points go. */
export const vaultPrune: Command = {
  name: 'vault prune',
  summary: 'Lets restore points go that are older than so many days; what is marked now is swept by a prune a day later.',
  options: { ...vaultOptions, 'keep-days': 'Restore points younger than this stay; the newest of a resource always does' },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      const days = Number(required(given, 'keep-days'));
      if (!Number.isFinite(days) || days < 1) throw new AppError('admin.bad-option', { message: '--keep-days is a number from 1.' });
      const oldest = systemClock.nowMs() - days * DAY_MS;
      const report = await vault.maintenance.prune({ policy: { keepsPoint: (point) => Date.parse(point.at) >= oldest } });
      context.print(
        `marked ${report.markedPacks.length} packs, swept ${report.sweptPacks.length} (${formatBytes(report.freedBytes)}), locked ${report.lockedPacks.length}`,
      );
    }),
};
