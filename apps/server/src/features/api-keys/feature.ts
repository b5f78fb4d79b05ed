import type { Database, Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { SessionReader } from '../../http/ports.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import { announceAccount, type Choices, type Identity } from '../identity/index.ts';
import { createMembershipReader } from '../organisations/index.ts';
import { createApiKeyReader, type KeyPerson } from './api-key-reader.ts';
import { mountApiKeys } from './api-keys.routes.ts';
import { createApiKeysService } from './api-keys.service.ts';

export interface ApiKeysFeaturePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly choices: Choices;
  readonly identity: Pick<Identity, 'invitations' | 'sessions'>;
}

export interface ApiKeysFeature extends Feature {
  /** Reads whoever sends a request: a session, or a key. */
  readonly callers: SessionReader;
  /** Ends the keys of somebody who is no member any more, within the transaction that ends the membership. */
  endOf(tx: Tx, accountId: string, by: string): Promise<void>;
}

export function createApiKeysFeature({ choices, identity, ...ports }: ApiKeysFeaturePorts): ApiKeysFeature {
  const { database, clock } = ports;
  const people = {
    memberships: createMembershipReader(database, clock),
    async person(accountId: string): Promise<KeyPerson | undefined> {
      const found = await database.installation((tx) => identity.invitations.accounts(tx, [accountId]));
      return found.get(accountId);
    },
  };
  const service = createApiKeysService({ ...ports, ...people, chosen: choices.chosen, announce: announceAccount });
  return Object.freeze<ApiKeysFeature>({
    callers: createApiKeyReader({ database, clock, ...people }).over(identity.sessions),
    endOf: (tx, accountId, by) => service.endOf(tx, accountId, by),
    mount: (app) => inEachRealm((realm) => mountApiKeys(app, service, realm)),
  });
}
