import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Config } from '../../settings/config.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Choices, Identity } from '../identity/index.ts';
import type { ProvidedMembers } from '../organisations/index.ts';
import { createEntra } from './entra.ts';
import { mountMicrosoftSignIn } from './microsoft-sign-in.routes.ts';
import { createMicrosoftSignInService } from './microsoft-sign-in.service.ts';

export interface MicrosoftSignInPorts {
  readonly config: Pick<Config, 'HOLDFAST_ALLOWED_HOSTS'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly sealing: Sealing;
  readonly choices: Choices;
  readonly identity: Pick<Identity, 'provided'>;
  readonly providedMembers: ProvidedMembers;
  readonly publicUrl: () => string;
}

export function createMicrosoftSignInFeature(ports: MicrosoftSignInPorts): Feature {
  const { config, choices, identity, providedMembers, publicUrl } = ports;
  const { provided } = identity;
  const service = createMicrosoftSignInService({
    ...ports,
    accounts: provided,
    members: providedMembers,
    chosen: choices.chosen,
    entra: createEntra({ allowedHosts: config.HOLDFAST_ALLOWED_HOSTS }),
  });
  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => mountMicrosoftSignIn(app, { service, provided, publicUrl }, realm)),
  });
}
