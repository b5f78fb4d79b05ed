import type { KeyObject } from 'node:crypto';
import { ed25519Key } from '../../keys/ed25519.ts';
import type { Sealing } from '../../keys/sealing.ts';

/** The key of this installation that signs what leaves it. */
export type ExportKey = () => Promise<{ readonly privateKey: KeyObject; readonly publicKey: KeyObject }>;

export function createExportKey(sealing: Pick<Sealing, 'installationSecret'>): ExportKey {
  let known: ReturnType<ExportKey> | undefined;
  return () => (known ??= sealing.installationSecret('export-manifests').then(ed25519Key));
}
