import { fileURLToPath } from 'node:url';
import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { basePathsOf, publicUrlOf, type Config } from '../settings/config.ts';
import { createHttpApp } from '../http/app.ts';
import { closeApp } from '../http/closing.ts';
import { serveHealth } from '../http/health.ts';
import type { HttpApp } from '../http/http-app.ts';
import { createIdempotencyStore } from '../http/idempotency.store.ts';
import { measureRequests, serveMetrics, type Metrics } from '../http/metrics.ts';
import { serveOpenapi } from '../http/openapi-pages.ts';
import { refuseWhenOverloaded } from '../http/overload.ts';
import { readSlowBodiesInTurns } from '../http/slow-bodies.ts';
import { createPortalPages } from '../http/portal-files.ts';
import type { OrganisationResolver, SessionReader } from '../http/ports.ts';
import { serveSecurityTxt } from '../http/security-txt.ts';
import type { Sealing } from '../keys/sealing.ts';
import { portalSettingsOf } from '../settings/portal-settings.ts';
import type { Feature } from './feature.ts';

/** What the HTTP side of a process stands on. */
export interface ProductAppPorts {
  readonly config: Config;
  readonly database: Database;
  readonly sealing: Sealing;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  readonly isStrict: boolean;
  readonly sessions: SessionReader;
  readonly organisations: OrganisationResolver;
}

/** The HTTP side of a process, before it listens. */
export interface ProductApp {
  /** Answers from now on. Returns the address. */
  listen(): Promise<string>;
  /** Says that it takes no more, then waits for the answers that are on their way. */
  close(): Promise<void>;
}

const portalFolder = fileURLToPath(new URL('../../../portal/dist', import.meta.url));

async function listenAt(app: HttpApp, config: Config): Promise<string> {
  await app.server.listen({ host: config.HOLDFAST_HOST, port: config.HOLDFAST_PORT });
  const bound = app.server.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.HOLDFAST_PORT;
  const host = config.HOLDFAST_HOST.includes(':') ? `[${config.HOLDFAST_HOST}]` : config.HOLDFAST_HOST;
  return `http://${host}:${port}`;
}

/** Everything that is answered: the portal's pages, the process itself, and the routes of the features. */
export async function createProductApp(ports: ProductAppPorts, features: readonly Feature[]): Promise<ProductApp> {
  const { config, database, clock, metrics, version } = ports;
  const app = await createHttpApp({
    ...ports,
    idempotency: createIdempotencyStore(database, ports.sealing),
    trustedProxies: config.HOLDFAST_TRUSTED_PROXIES.filter((proxy) => proxy !== 'none'),
    basePaths: basePathsOf(config),
    pages: await createPortalPages(portalFolder, portalSettingsOf(config, version)),
  });
  refuseWhenOverloaded(app.server, clock);
  readSlowBodiesInTurns(app.server, clock);
  measureRequests(app.server, metrics);
  serveMetrics(app.server, metrics, config.HOLDFAST_METRICS_TOKEN);
  const health = serveHealth(app.server, [{ name: 'database', check: () => database.ping() }], clock);
  serveOpenapi(app, version);
  serveSecurityTxt(app.server, { contacts: config.HOLDFAST_SECURITY_CONTACT, publicUrl: publicUrlOf(config), clock });
  for (const feature of features) feature.guard?.(app);
  for (const feature of features) feature.mount?.(app);
  return Object.freeze<ProductApp>({
    listen: () => listenAt(app, config),
    close() {
      health.drain();
      return closeApp(app, clock);
    },
  });
}
