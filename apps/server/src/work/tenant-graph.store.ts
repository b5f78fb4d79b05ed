import { readFile } from 'node:fs/promises';
import type { Scope } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { Secret } from '@holdfast/foundation/secrets';
import { createGraphClient, createMemoryBudgets, type GraphClient, type GraphCredential } from '@holdfast/m365';
import type { Ground } from '../compose-ground.ts';
import type { TenantGraph } from '../features/backup/index.ts';

interface TenantRow {
  readonly tenant_id: string;
  readonly microsoft_tenant_id: string;
  readonly client_id: string;
  readonly credential: 'secret' | 'certificate';
  readonly sealed_secret: Buffer | null;
  readonly sealed_certificate: Buffer | null;
  readonly thumbprint: string | null;
}

const columns = [
  'tenant_id',
  'microsoft_tenant_id',
  'client_id',
  'credential',
  'sealed_secret',
  'sealed_certificate',
  'thumbprint',
] as const;

/** Microsoft 365 of tenants, with the credential they were connected with. */
export function createTenantGraph(ground: Ground): TenantGraph {
  const { database, sealing, config, clock, ids, random, logger, version } = ground;
  const budgets = createMemoryBudgets({ clock, ids });

  async function credentialOf(scope: Scope, row: TenantRow): Promise<GraphCredential> {
    const place = { table: 'tenants', row: row.tenant_id };
    if (row.credential === 'secret' && row.sealed_secret) {
      const clientSecret = new Secret(await sealing.open(scope, row.sealed_secret, { ...place, column: 'sealed_secret' }));
      return { kind: 'secret', clientId: row.client_id, clientSecret };
    }
    if (row.sealed_certificate) {
      const pem = await sealing.open(scope, row.sealed_certificate, { ...place, column: 'sealed_certificate' });
      const thumbprint = row.thumbprint === null ? {} : { thumbprint: row.thumbprint };
      return { kind: 'certificate', clientId: row.client_id, certificatePem: pem, privateKeyPem: new Secret(pem), ...thumbprint };
    }
    throw new AppError('tenants.credential-refused');
  }

  async function open(scope: Scope, tenantId: string): Promise<GraphClient> {
    const row = await database.within(scope, (tx) =>
      tx.selectFrom('tenants').select(columns).where('tenant_id', '=', tenantId).executeTakeFirst(),
    );
    if (!row) throw new AppError('not-found');
    const caFile = config.HOLDFAST_GRAPH_CA_FILE;
    const ca = caFile === undefined ? {} : { ca: await readFile(caFile, 'utf8') };
    return createGraphClient({
      tenantId: row.microsoft_tenant_id,
      credential: await credentialOf(scope, row),
      endpoints: { loginUrl: config.HOLDFAST_LOGIN_URL, graphUrl: config.HOLDFAST_GRAPH_URL, ...ca },
      budgets,
      clock,
      random,
      ids,
      logger,
      userAgentVersion: version,
    });
  }

  return Object.freeze<TenantGraph>({
    async use(scope, tenantId, work) {
      const graph = await open(scope, tenantId);
      try {
        return await work(graph);
      } finally {
        await graph.close();
      }
    },
  });
}
