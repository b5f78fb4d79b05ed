import type { Scope } from '@holdfast/database';
import type { Random } from '@holdfast/foundation/random';
import type { Sealing } from '../../keys/sealing.ts';
import type { ReceiverRow } from './receivers.store.ts';

/** Signs that nobody mistakes for another one. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789';
const SECRET_SIGNS = 26;

/** The local part of an address that nobody guesses. */
export function newLocalPart(random: Random): string {
  return `journal-${Array.from({ length: SECRET_SIGNS }, () => SIGNS[random.below(SIGNS.length)]).join('')}`;
}

const placeOf = (receiverId: string) => ({ table: 'receivers', column: 'sealed_address', row: receiverId });

/** The secret local parts of receivers, sealed at rest. */
export interface LocalParts {
  seal(scope: Scope, receiverId: string, localPart: string): Promise<Buffer>;
  open(scope: Scope, row: Pick<ReceiverRow, 'receiver_id' | 'sealed_address'>): Promise<string>;
}

export function createLocalParts(sealing: Sealing): LocalParts {
  return {
    seal: (scope, receiverId, localPart) => sealing.seal(scope, localPart, placeOf(receiverId)),
    open: (scope, row) => sealing.open(scope, row.sealed_address, placeOf(row.receiver_id)),
  };
}
