import { createHash, createPrivateKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@holdfast/foundation/errors';
import { type Logger, silentLogger } from '@holdfast/foundation/logger';
import { createSimulatorClock, type SimulatorClock } from './clock/simulator-clock.ts';
import { createRouter } from './http/router.ts';
import { addApp } from './login/add-app.ts';
import { createSessions } from './login/sessions.ts';
import { packagedPermissions } from './permissions/permissions.ts';
import type { Recipe } from './recipes/recipe.ts';
import { recipeNamed } from './recipes/recipes.ts';
import { createAppCertificate, createServerCertificate, type KeyAndCertificate } from './server/certificates.ts';
import { createFront } from './server/front.ts';
import type { Gate } from './server/gate.ts';
import { certificateNames } from './server/hosts.ts';
import { listenHttps, listenProxy } from './server/listen.ts';
import { createPipeline } from './server/pipeline.ts';
import type { Simulation } from './server/simulation.ts';
import { createTenant, DEFAULT_EPOCH_MS } from './state/create-tenant.ts';
import type { Tenant } from './state/tenant.ts';
import { createValidator } from './validation/validator.ts';
import { workloads } from './workloads.ts';

export interface SimulatorOptions {
  /** Names of recipes, or recipes; `tiny` unless given. */
  readonly recipes?: readonly (string | Recipe)[];
  readonly seed?: number;
  readonly port?: number;
  readonly limits?: 'real' | 'off';
  readonly clock?: 'real' | 'virtual';
  /** Where a virtual clock stands at first. */
  readonly startMs?: number;
  /** Checks every response against the metadata. */
  readonly isValidating?: boolean;
  readonly logger?: Logger;
}

/** How to sign in to one tenant. */
export interface TenantAccess {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Private key and certificate, PEM. */
  readonly certificate: string;
  readonly refreshToken: string;
}

/** A running simulator. */
export interface Simulator {
  /** Base addresses without a path; `/v1.0` and `/{tenant}/oauth2/v2.0/token` follow. */
  readonly graph: string;
  readonly login: string;
  readonly proxy: string;
  /** File with the certificate of its authority, PEM; and the same as text. */
  readonly ca: string;
  readonly caPem: string;
  readonly tenants: readonly TenantAccess[];
  readonly clock: SimulatorClock;
  /** The tenants themselves, for tests in this process. */
  readonly simulation: Simulation;
  close(): Promise<void>;
}

const openGate: Gate = {
  admit: () => ({ headers: {}, leave: () => undefined }),
  disturb: (_admission, handle) => handle(new Set()),
};

function checkRoutes(simulation: Simulation): void {
  const unknown = simulation.permissions.unknownRoutes(simulation.router.routes);
  if (unknown.length > 0) throw new AppError('simulator.route-without-permissions', { details: { routes: unknown } });
}

function accessTo(tenant: Tenant, pair: KeyAndCertificate, roles: readonly string[]): TenantAccess {
  const app = addApp(tenant, 'Holdfast', { roles, certificates: [pair.certificate] });
  return { tenantId: tenant.tenantId, ...app, certificate: `${pair.key}${pair.certificate}` };
}

/**
 * Starts a simulator on loopback and resolves when it answers. The caller ends it with `close()`.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const clock = createSimulatorClock(options.clock ?? 'real', options.startMs ?? DEFAULT_EPOCH_MS);
  const [server, app] = await Promise.all([createServerCertificate(certificateNames), createAppCertificate('Holdfast')]);
  const permissions = packagedPermissions();
  const allRoles = [...new Set(Object.values(permissions.sets).flat())];
  const tenants = (options.recipes ?? ['tiny']).map((recipe) =>
    createTenant({ recipe: typeof recipe === 'string' ? recipeNamed(recipe) : recipe, seed: options.seed ?? 1, clock }),
  );
  const simulation: Simulation = {
    clock,
    tenants: new Map(tenants.map((tenant) => [tenant.tenantId, tenant])),
    router: createRouter(workloads.flatMap((workload) => workload.routes)),
    permissions,
    signingKey: {
      privateKey: createPrivateKey(app.key),
      keyId: createHash('sha256').update(app.certificate).digest('base64url').slice(0, 27),
    },
    workloads,
    validator: options.isValidating === true ? createValidator() : undefined,
    logger: options.logger ?? silentLogger,
  };
  checkRoutes(simulation);
  const access = tenants.map((tenant) => accessTo(tenant, app, allRoles));
  const sessions = createSessions({ key: simulation.signingKey, tenants: simulation.tenants, closure: permissions.closure });
  const pipeline = createPipeline(simulation, sessions, openGate);
  const https = await listenHttps(options.port ?? 0, { key: server.key, cert: server.certificate }, createFront(simulation, pipeline));
  const proxy = await listenProxy(0, https.port);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-simulator-'));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, server.ca);
  const base = `https://127.0.0.1:${https.port}`;
  return {
    graph: base,
    login: base,
    proxy: `http://127.0.0.1:${proxy.port}`,
    ca,
    caPem: server.ca,
    tenants: access,
    clock,
    simulation,
    async close() {
      await Promise.all([https.close(), proxy.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
