import type { AppSetup, AppSetupBody, appSetupCheckBody } from '@holdfast/contract/app-setups';
import type { ConnectionReport } from '@holdfast/contract/tenants';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { readCertificate } from '@holdfast/m365';
import type { z } from 'zod';
import type { Place, Sealing } from '../../../keys/sealing.ts';
import type { AuditInbox } from '../../audit/index.ts';
import type { Actor } from '../../../access/actor.ts';
import type { Caller } from '../../identity/index.ts';
import { actorEntry } from '../../organisations/index.ts';
import { managedScope } from '../chosen-scope.ts';
import { failedReport, permissionsFor } from '../connection-report.ts';
import { graphCredential } from '../credential.ts';
import type { TenantGraphService } from '../tenant-graph.service.ts';
import { makeCertificate } from '../../../keys/certificate.ts';
import { azureCliScript, manifestOf, powerShellScript } from './app-scripts.ts';
import { addSetup, readSetup, removeSetupsBefore, takeSetup, type AppSetupRow } from './app-setups.store.ts';

const DAY_MS = 86_400_000;
/** How long a prepared key waits for its tenant. */
const SETUP_DAYS = 7;
/** Entra accepts up to two years by default; one is what its own advice names as a limit to set. */
const CERTIFICATE_DAYS = 365;

export interface AppSetupsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly graph: Pick<TenantGraphService, 'tryOut'>;
  readonly chosen: (actor: Actor) => Promise<string | undefined>;
  readonly graphUrl: string;
  readonly loginUrl: string;
}

/** Who asks, and for which organisation: the one chosen last when none is named. */
export interface SetupAsking {
  readonly actor: Actor;
  readonly caller: Caller;
  readonly organisationId: string | undefined;
}

/** App registrations that are prepared here and made in Microsoft Entra by an administrator. */
export interface AppSetupsService {
  prepare(asking: SetupAsking, body: AppSetupBody): Promise<AppSetup>;
  get(asking: SetupAsking, setupId: string): Promise<AppSetup>;
  /** What the app has been granted by now. A sign-in that fails is an answer, too: the app may not be there yet. */
  check(asking: SetupAsking, setupId: string, body: z.output<typeof appSetupCheckBody>): Promise<ConnectionReport>;
  /** Certificate and key as one PEM text. */
  certificateOf(scope: Scope, setupId: string): Promise<string>;
  /** Ends a preparation whose certificate has become a tenant's credential. */
  take(tx: Tx, setupId: string): Promise<void>;
}

function keyPlace(setupId: string): Place {
  return { table: 'app_setups', column: 'sealed_key', row: setupId };
}

function viewOf(row: AppSetupRow, parts: Pick<AppSetupsParts, 'graphUrl' | 'loginUrl'>): AppSetup {
  const workloads = row.workloads as AppSetup['workloads'];
  const permissions = permissionsFor(workloads, row.restores);
  const app = { appName: row.app_name, certificate: row.certificate, permissions, graphUrl: parts.graphUrl };
  const certificate = row.certificate === null ? null : readCertificate(row.certificate);
  return {
    setupId: row.setup_id,
    appName: row.app_name,
    workloads,
    restores: row.restores,
    credential: row.credential,
    certificate: row.certificate,
    thumbprint: certificate?.thumbprint ?? null,
    certificateExpiresAt: certificate?.validTo ?? null,
    permissions,
    scripts: { azureCli: azureCliScript(app), powerShell: powerShellScript(app) },
    manifest: manifestOf(permissions),
    consentUrl: `${parts.loginUrl}/{tenant}/adminconsent?client_id={client}`,
    createdAt: row.created_at.toISOString(),
    expiresAt: new Date(row.created_at.getTime() + SETUP_DAYS * DAY_MS).toISOString(),
  };
}

export function createAppSetupsService(parts: AppSetupsParts): AppSetupsService {
  const { database, clock, ids, sealing, audit, graph } = parts;
  const oldest = (): Date => new Date(clock.nowMs() - SETUP_DAYS * DAY_MS);

  async function existing(scope: Scope, setupId: string): Promise<AppSetupRow> {
    const row = await database.within(scope, (tx) => readSetup(tx, setupId));
    if (!row || row.created_at < oldest()) throw new AppError('not-found');
    return row;
  }

  async function certificateOf(scope: Scope, setupId: string): Promise<string> {
    const row = await existing(scope, setupId);
    if (row.certificate === null || row.sealed_key === null)
      throw new AppError('tenants.credential-refused', { details: { field: 'clientSecret' } });
    return row.certificate + (await sealing.open(scope, row.sealed_key, keyPlace(setupId)));
  }

  return Object.freeze<AppSetupsService>({
    async prepare({ actor, caller, organisationId }, body) {
      const scope = await managedScope(parts, actor, organisationId);
      const setupId = ids.uuid();
      const at = now(clock);
      const ends = new Date(at.getTime() + CERTIFICATE_DAYS * DAY_MS);
      const made = body.credential === 'certificate' ? await makeCertificate({ commonName: body.appName, from: at, to: ends }) : null;
      const sealedKey = made === null ? null : await sealing.seal(scope, made.privateKeyPem, keyPlace(setupId));
      await database.within(scope, async (tx) => {
        await removeSetupsBefore(tx, oldest());
        await addSetup(tx, {
          setup_id: setupId,
          app_name: body.appName,
          workloads: [...new Set(body.workloads)],
          restores: body.restores,
          credential: body.credential,
          certificate: made?.certificatePem ?? null,
          sealed_key: sealedKey,
          created_at: at,
        });
        const subject = { kind: 'app-setup', id: setupId, name: body.appName };
        await audit.record(tx, { event: 'tenants.app-prepared', actor: actorEntry(actor, caller), subject });
      });
      return viewOf(await existing(scope, setupId), parts);
    },
    async get({ actor, organisationId }, setupId) {
      return viewOf(await existing(await managedScope(parts, actor, organisationId), setupId), parts);
    },
    async check({ actor, organisationId }, setupId, { clientId, microsoftTenantId, clientSecret }) {
      const scope = await managedScope(parts, actor, organisationId);
      const row = await existing(scope, setupId);
      const proof = row.credential === 'secret' ? { secret: clientSecret ?? '' } : { certificate: await certificateOf(scope, setupId) };
      try {
        return await graph.tryOut(microsoftTenantId, graphCredential(clientId, proof, clock.nowMs()));
      } catch (error) {
        if (isAppError(error)) return failedReport(error.code, now(clock));
        throw error;
      }
    },
    certificateOf,
    async take(tx, setupId) {
      if (!(await takeSetup(tx, setupId))) throw new AppError('not-found');
    },
  });
}
