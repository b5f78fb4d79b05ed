import { formatBytes } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Vault } from '@holdfast/vault';
import { withFeatures } from '../product/start-product.ts';
import { allScopes } from '../features/organisations/index.ts';
import { required, type Command, type CommandContext } from './command.ts';
import { vaultOptions, withVault } from './vault-command.ts';

const HOLDS =
  'A vault alone does not tell what is on hold since its last prune. Use a deletion job, or say --holds ask where the database of this installation can be reached, or --no-holds yes when nothing here is; what an earlier prune kept for a hold stays in any case.';
const STRANGER =
  'No location of this installation has ever opened this vault, so that its database cannot tell what is on hold. Nothing was deleted.';
const DAY_MS = 24 * 60 * 60 * 1000;

interface Keeping {
  readonly holds: ReadonlySet<string>;
  readonly policies: ReadonlySet<string>;
}

/** The holds in force on the tenants whose locations hold this vault, and the policies that keep messages in these locations. */
async function keepingOver({ config, logger }: CommandContext, { info: { vaultId } }: Vault): Promise<Keeping> {
  return withFeatures({ config, logger }, async ({ ground: { database }, holds, retention }) => {
    const names = new Set<string>();
    const policies = new Set<string>();
    let isKnown = false;
    for (const scope of await allScopes(database)) {
      await database.within(scope, async (tx) => {
        const places = await tx.selectFrom('locations').select(['tenant_id', 'location_id']).where('vault_id', '=', vaultId).execute();
        for (const { tenant_id: tenantId, location_id: locationId } of places) {
          for (const name of await holds.heldBy(tx, tenantId)) names.add(name);
          for (const name of await retention.keptIn(tx, tenantId, locationId)) policies.add(name);
        }
        isKnown ||= places.length > 0;
      });
    }
    if (!isKnown) throw new AppError('admin.holds-unknown', { message: STRANGER });
    return { holds: names, policies };
  });
}

/** Refuses while something in the vault is on hold or kept by a policy, or nobody can say. */
async function requireNothingKept(
  context: CommandContext,
  given: Readonly<Record<string, string | undefined>>,
  vault: Vault,
): Promise<void> {
  if (given['holds'] !== 'ask') {
    if (given['no-holds'] !== 'yes') throw new AppError('admin.holds-unknown', { message: HOLDS });
    return;
  }
  const { holds, policies } = await keepingOver(context, vault);
  if (holds.size > 0) {
    throw new AppError('admin.under-hold', {
      message: `On hold: ${[...holds].join(', ')}. Nothing was deleted. A deletion job keeps what is held and deletes the rest.`,
    });
  }
  if (policies.size === 0) return;
  throw new AppError('admin.under-retention', {
    message: `Kept by retention policies: ${[...policies].join(', ')}. Nothing was deleted. A deletion job keeps what they keep and deletes the rest.`,
  });
}

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
    'Lets restore points go that are older than so many days, counted from the newest commit; what is marked now is swept by a prune a day later. Refuses while something is on hold or kept by a retention policy, or nobody can say.',
  options: {
    ...vaultOptions,
    'keep-days': 'Restore points younger than this stay; the newest of a resource always does',
    holds:
      'Write "ask" to ask the database of this installation for legal holds and retention policies: while one keeps something, nothing is deleted',
    'no-holds': 'Write "yes" instead, where there is no database any more, to say that nothing in this vault is on hold or has to be kept',
  },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      await requireNothingKept(context, given, vault);
      const days = Number(required(given, 'keep-days'));
      if (!Number.isFinite(days) || days < 1) throw new AppError('admin.bad-option', { message: '--keep-days is a number from 1.' });
      const oldest = (await judgedAt(vault)) - days * DAY_MS;
      const report = await vault.maintenance.prune({ policy: { keepsPoint: (point) => Date.parse(point.at) >= oldest } });
      context.print(
        `marked ${report.markedPacks.length} packs, swept ${report.sweptPacks.length} (${formatBytes(report.freedBytes)}), locked ${report.lockedPacks.length}`,
      );
    }),
};
