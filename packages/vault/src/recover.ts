import { nowIso, type Clock } from '@holdfast/foundation/clock';
import type { BlobStore } from './blob/blob-store.ts';
import type { Escrow } from './crypto/escrow.ts';
import type { KeyRing } from './crypto/key-ring.ts';
import { vaultError } from './shared/errors.ts';
import { makeHeader, writeHeader } from './header/header.ts';
import { listResources } from './journal/resources.ts';

/**
 * Writes new headers for a vault whose headers or master key are lost, from its escrow and a new
 * master key. Refuses (`vault.wrong-key`) when the escrow does not open what is there.
 */
export async function recoverFromEscrow(options: {
  readonly store: BlobStore;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly escrow: Escrow;
}): Promise<void> {
  const { store, keyRing, clock, escrow } = options;
  const { vaultId, organisationId, vaultKey } = escrow;
  const { header, keys } = await makeHeader({ vaultId, organisationId, name: '', createdAt: nowIso(clock), keyRing, vaultKey });
  try {
    for await (const _ of listResources({ store, keys })) break;
  } catch (cause) {
    throw vaultError('vault.wrong-key', 'The escrow is not of this vault.', { vaultId }, cause);
  }
  await writeHeader(store, keys, { ...header, keyVersion: clock.nowMs() });
}
