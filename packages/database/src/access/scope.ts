import { isUuid, type Brand } from '@holdfast/foundation/ids';
import { AppError } from '@holdfast/foundation/errors';

/** The boundary of isolation. */
export type OrganisationId = Brand<'OrganisationId'>;

/** Production (`/apollo`) or staging (`/apollo-beta`): the same tables, separate rows. */
export const realms = ['production', 'staging'] as const;
export type Realm = (typeof realms)[number];

/** Whose rows a transaction sees and writes. */
export interface Scope {
  readonly organisationId: OrganisationId;
  readonly realm: Realm;
}

/** A checked id. Throws `database.malformed-id` for anything but a lower-case UUID. */
export function organisationId(text: string): OrganisationId {
  if (!isUuid(text)) throw new AppError('database.malformed-id', { details: { field: 'organisationId' } });
  return text as OrganisationId;
}
