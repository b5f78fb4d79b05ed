import { randomBytes } from 'node:crypto';
import type { Scope } from '@holdfast/database';
import type { Place, Sealing } from '../../keys/sealing.ts';
import type { DestinationRow } from './destinations.store.ts';
import { secretPrefix } from './webhook-message.ts';

const SECRET_BYTES = 32;

/** The keys that webhooks are signed with: stored sealed, shown once. */
export interface Secrets {
  make(scope: Scope, destinationId: string): Promise<{ readonly secret: string; readonly sealed: Buffer }>;
  /** Empty for a destination that signs nothing. */
  open(scope: Scope, row: DestinationRow): Promise<string>;
}

const placeOf = (destinationId: string): Place => ({ table: 'audit_destinations', column: 'sealed_secret', row: destinationId });

export function createSecrets(sealing: Pick<Sealing, 'seal' | 'open'>): Secrets {
  return {
    async make(scope, destinationId) {
      const secret = `${secretPrefix}${randomBytes(SECRET_BYTES).toString('base64')}`;
      return { secret, sealed: await sealing.seal(scope, secret, placeOf(destinationId)) };
    },
    open: async (scope, { sealed_secret: sealed, destination_id: destinationId }) =>
      sealed === null ? '' : sealing.open(scope, sealed, placeOf(destinationId)),
  };
}
