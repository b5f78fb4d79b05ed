import type { Logger } from '@holdfast/foundation/logger';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeAccess, type Access } from './compose-access.ts';
import { composeApprovals, deletionEffects } from './compose-approvals.ts';
import { composeAudit, type AuditLog } from './compose-audit.ts';
import { layGround, type Ground } from './compose-ground.ts';
import { composeJobs, type JobSide } from './compose-jobs.ts';
import { basePathsOf, publicHostOf, type Config } from './config.ts';
import { isLoopback } from './http/caller-address.ts';
import { portalSettingsOf } from './portal-settings.ts';
import { mountApprovals, type Approvals } from './features/approvals/index.ts';
import { conformance, hardened, type IdentityOptions } from './features/identity/index.ts';
import { createHoldsFeature, type Holds } from './features/holds/index.ts';
import { createNotificationsFeature, type Notifications } from './features/notifications/index.ts';
import { createArchiveFeature, type ArchiveFeature } from './features/archive/index.ts';
import { createCasesFeature, type CasesFeature } from './features/cases/index.ts';
import { createComplianceFeature, type ComplianceFeature } from './features/compliance/index.ts';
import { createDocumentsFeature, type DocumentsFeature } from './features/documents/index.ts';
import { createProxyRightsFeature, type ProxyRightsFeature } from './features/proxy-rights/index.ts';
import { createSearchFeature, type SearchFeature } from './features/search/index.ts';
import { allScopes } from './features/organisations/index.ts';
import { createCatalog } from './features/backup/index.ts';
import { createJobsRoutes } from './features/jobs/index.ts';
import { createMonitoringRoutes } from './features/monitoring/index.ts';
import { mountAdministration, mountOrganisations } from './features/organisations/index.ts';
import { createHttpApp } from './http/app.ts';
import { closeApp } from './http/closing.ts';
import type { HttpApp } from './http/http-app.ts';
import { serveHealth, type Health } from './http/health.ts';
import { createIdempotencyStore } from './http/idempotency.store.ts';
import { measureRequests, serveMetrics } from './http/metrics.ts';
import { limitRequests } from './http/rate-limits.ts';
import { createOrganisationResolver } from './features/workers/index.ts';
import { rememberOrganisations } from './http/remembered-organisations.ts';
import { refuseWhenOverloaded } from './http/overload.ts';
import { serveSecurityTxt } from './http/security-txt.ts';
import { serveOpenapi } from './http/openapi-pages.ts';
import { createPortalPages } from './http/portal-files.ts';
import { openInstallation, type Installation } from './installation.ts';
import { createMailFolder, type MailFolder } from './mail/folder-transport.ts';
import { createMailQueue, type MailQueue } from './mail/mail-queue.ts';
import { serveMailbox } from './mail/mailbox.routes.ts';
import { createSmtpTransport } from './mail/smtp-transport.ts';
import { createEventsRoutes } from './work/events.routes.ts';
import { createLiveEvents } from './work/live-events.ts';
import { workerProcess } from './work/worker-process.ts';
import { composeScreens, type Screens } from './compose-screens.ts';
import { composeTenants, type Tenants } from './compose-tenants.ts';

/** What a role runs besides the others: each can be absent. */
export type Role = 'api' | 'worker' | 'scheduler';

/** A running process. */
export interface Running {
  /** Where it answers; undefined for roles without HTTP. */
  readonly address: string | undefined;
  /** One-time address for the first owner, while there is no account. */
  readonly setupAddress: string | undefined;
  /** Drains and stops, in an order that loses nothing. */
  stop(): Promise<void>;
}

export interface ComposeOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly installation: Installation;
  readonly roles: readonly Role[];
  readonly version: string;
  /** Tests: answers that the contract does not declare are errors. */
  readonly isStrict?: boolean;
}

/** How long running work may take to hand itself on. */
const GRACE_MS = 25_000;
const TIDY_MS = 60_000;

function identityOptionsOf(config: Config): IdentityOptions {
  const base = config.HOLDFAST_IDENTITY_PROFILE === 'conformance' ? conformance : hardened;
  if (base.profile === 'conformance') return base;
  const isLocalAlone = isLoopback(publicHostOf(config)) && config.HOLDFAST_SMTP_URL === undefined;
  return {
    ...base,
    registration: config.HOLDFAST_REGISTRATION,
    secondFactor: config.HOLDFAST_SECOND_FACTOR ?? (isLocalAlone ? 'optional' : 'required'),
    emailCharacters: config.HOLDFAST_EMAIL_CHARACTERS,
    password: { kind: 'product', minLength: config.HOLDFAST_PASSWORD_MIN_LENGTH, checkCommon: config.HOLDFAST_PASSWORD_CHECK_COMMON },
  };
}

/** Where mails lie that no server takes. */
function outboxOf({ config, clock, ids }: Ground): MailFolder {
  return createMailFolder({ folder: path.join(config.HOLDFAST_DATA_DIR, 'outbox'), clock, ids });
}

function composeMail(ground: Ground): MailQueue {
  const { config, database, sealing, clock, ids, logger } = ground;
  const url = config.HOLDFAST_SMTP_URL;
  const transport = url ? createSmtpTransport({ url, from: config.HOLDFAST_MAIL_FROM }) : outboxOf(ground);
  return createMailQueue({ database, sealing, transport, clock, ids, logger });
}

function publicUrlOf(config: Config, address: string | undefined): string {
  return config.HOLDFAST_PUBLIC_URL ?? address ?? `http://${config.HOLDFAST_HOST}:${config.HOLDFAST_PORT}`;
}

/** The features of a process, wired to each other. */
interface Features {
  readonly access: Access;
  readonly mail: MailQueue;
  readonly tenants: Tenants;
  readonly jobSide: JobSide;
  readonly notifications: Notifications;
  readonly screens: Screens;
  readonly auditLog: AuditLog;
  readonly approvals: Approvals;
  readonly holds: Holds;
  readonly search: SearchFeature;
  readonly archive: ArchiveFeature;
  readonly cases: CasesFeature;
  readonly compliance: ComplianceFeature;
  readonly documents: DocumentsFeature;
  readonly proxyRights: ProxyRightsFeature;
}

const portalFolder = fileURLToPath(new URL('../../portal/dist', import.meta.url));

async function composeApp(
  ground: Ground & { readonly isStrict: boolean },
  features: Features,
): Promise<{ app: HttpApp; health: Health; readonly end: () => void }> {
  const { config, database, clock, ids, logger, metrics } = ground;
  const { access, auditLog } = features;
  const app = await createHttpApp({
    sessions: access.identity.sessions,
    organisations: rememberOrganisations(createOrganisationResolver({ database, chosen: (actor) => access.chosen(actor) }), clock),
    idempotency: createIdempotencyStore(database, ground.sealing),
    clock,
    ids,
    logger,
    trustedProxies: config.HOLDFAST_TRUSTED_PROXIES.filter((proxy) => proxy !== 'none'),
    isStrict: ground.isStrict,
    basePaths: basePathsOf(config),
    pages: await createPortalPages(portalFolder, portalSettingsOf(config, ground.version)),
  });
  await refuseWhenOverloaded(app.server);
  measureRequests(app.server, metrics);
  serveMetrics(app.server, metrics, config.HOLDFAST_METRICS_TOKEN);
  const health = serveHealth(app.server, [{ name: 'database', check: () => database.ping() }], clock);
  serveOpenapi(app, ground.version);
  serveSecurityTxt(app.server, { contacts: config.HOLDFAST_SECURITY_CONTACT, publicUrl: publicUrlOf(config, undefined), clock });
  const live = createLiveEvents(database, clock);
  if (config.HOLDFAST_DEMO_EMAIL !== undefined && config.HOLDFAST_SMTP_URL === undefined) serveMailbox(app, outboxOf(ground));
  if (access.identity.hasRateLimits) limitRequests(app, database, access.identity.devices);
  auditLog.recordDenials(app, access.identity.sessions);
  mountFeatures(app, features, (realm) => createEventsRoutes(app, live, realm));
  return { app, health, end: () => live.close() };
}

/** Every route of the product, on its three surfaces. */
export function mountFeatures(
  app: HttpApp,
  features: Omit<Features, 'mail' | 'notifications'>,
  mountEvents: (realm: 'production' | 'staging') => void,
): void {
  const { access, tenants, jobSide, screens, auditLog, approvals, holds } = features;
  for (const realm of ['production', 'staging'] as const) {
    access.identity.mountMain(app, realm);
    mountOrganisations(app, access, realm);
    tenants.mountMain(app, realm);
    createJobsRoutes(app, jobSide.jobs, realm);
    createMonitoringRoutes(app, jobSide.runViews, realm);
    screens.mount(app, realm);
    auditLog.mount(app, realm);
    mountApprovals(app, approvals, realm);
    holds.mount(app, realm);
    features.search.mount(app, realm);
    features.cases.mount(app, realm);
    features.archive.mount(app, realm);
    features.compliance.mount(app, realm);
    features.proxyRights.mount(app, realm);
    mountEvents(realm);
  }
  access.identity.mountLegacy(app);
  mountAdministration(app, access.members);
  tenants.mountLegacy(app);
  screens.mountLegacy(app);
  features.archive.mountLegacy(app);
  for (const realm of ['production', 'staging'] as const) features.documents.mount(app, realm);
}

async function listen(app: HttpApp, config: Config): Promise<string> {
  await app.server.listen({ host: config.HOLDFAST_HOST, port: config.HOLDFAST_PORT });
  const bound = app.server.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.HOLDFAST_PORT;
  const host = config.HOLDFAST_HOST.includes(':') ? `[${config.HOLDFAST_HOST}]` : config.HOLDFAST_HOST;
  return `http://${host}:${port}`;
}

/** The first owner, when the settings name one and there is no account yet. Done before the first request can come. */
async function makeFirstOwner({ config, logger }: Ground, access: Access): Promise<void> {
  const { HOLDFAST_OWNER_EMAIL: email, HOLDFAST_OWNER_PASSWORD: password, HOLDFAST_OWNER_ORGANISATION: organisation } = config;
  if (email === undefined || !password) return;
  const made = await access.identity.bootstrap.createOwner({ email, password: password.reveal(), organisation }, true);
  if (made) logger.info({ email }, 'first owner created from the settings');
}

/** Tasks that need no request and no run, now and then. Returns how to stop them. */
function startTidying(
  { clock, logger }: Ground,
  { access, notifications, approvals }: Pick<Features, 'access' | 'notifications' | 'approvals'>,
): () => void {
  return clock.every(TIDY_MS, () => {
    notifications.sweep().catch((error: unknown) => logger.warn({ err: error }, 'notifications could not be sent'));
    approvals.sweep().catch((error: unknown) => logger.warn({ err: error }, 'approvals could not come into force'));
    access.identity.tidy().catch((error: unknown) => logger.warn({ err: error }, 'tidying failed'));
  });
}

/** Makes every feature of a process and binds them to each other. */
function composeFeatures(ground: Ground, publicUrl: () => string): Features {
  const { config, database, clock, ids, random, sealing, audit } = ground;
  const mail = composeMail(ground);
  const approvals = composeApprovals(ground, mail, publicUrl);
  const holds = createHoldsFeature(ground, approvals);
  const tenants = composeTenants(ground, approvals, holds);
  const access = composeAccess({
    database,
    clock,
    ids,
    random,
    sealing,
    audit,
    mail,
    hasMailTransport: config.HOLDFAST_SMTP_URL !== undefined,
    publicUrl,
    basePaths: basePathsOf(config),
    identity: identityOptionsOf(config),
    approverDays: config.HOLDFAST_APPROVER_DAYS,
    onFounded: (organisationId) => tenants.onFounded(organisationId),
  });
  const notifications = createNotificationsFeature({ ...ground, mail, publicUrl });
  const jobSide = composeJobs(ground, tenants, notifications);
  approvals.on('deletionJob', deletionEffects(jobSide.jobs));
  return {
    access,
    mail,
    tenants,
    jobSide,
    notifications,
    screens: composeScreens(ground, { ...tenants, notifications, approvals }, jobSide),
    auditLog: composeAudit(ground, (result) => notifications.auditDeviated(result)),
    approvals,
    holds,
    search: createSearchFeature({
      ...ground,
      access: ground.contentAccess,
      vaults: jobSide.vaults,
      catalogOf: (scope, locationId) => createCatalog({ database, scope, locationId, ids }),
      scopes: () => allScopes(database),
      notify: (tx, scope, found) => notifications.searchFound(tx, scope, found),
    }),
    archive: createArchiveFeature({ ...ground, runs: jobSide.runViews }),
    cases: createCasesFeature({ ...ground, holds: holds.ofCases }),
    compliance: createComplianceFeature({ ...ground, scopes: () => allScopes(database) }),
    documents: createDocumentsFeature({
      ...ground,
      vaults: jobSide.vaults,
      quotaBytes: config.HOLDFAST_DOCUMENTS_QUOTA_MB * 1024 * 1024,
      allowsActive: config.HOLDFAST_DOCUMENTS_ACTIVE_CONTENT,
      scopes: () => allScopes(database),
    }),
    proxyRights: createProxyRightsFeature({ ...ground, graph: tenants.graph, scopes: () => allScopes(database) }),
  };
}

/** Starts the roles of a process over an open installation. What was started is stopped when a later step fails. */
export async function compose(options: ComposeOptions): Promise<Running> {
  const { config, logger, installation, roles, version } = options;
  const has = (role: Role): boolean => roles.includes(role);
  const ground = await layGround({ config, logger, installation, version, supervises: has('worker') || has('scheduler') });
  const stops: (() => Promise<void> | void)[] = [() => ground.queue.stop(GRACE_MS)];
  // A step that fails, as some do without a database, must not leave the others running.
  const stop = async (): Promise<void> => {
    for (const step of stops.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        logger.warn({ err: error }, 'a part of the process could not be stopped properly');
      }
    }
  };
  try {
    let address: string | undefined;
    const features = composeFeatures(ground, () => publicUrlOf(config, address));
    const { access, mail, jobSide, tenants } = features;
    stops.unshift(async () => {
      access.identity.sessions.close();
      await jobSide.vaults.close();
      await tenants.close();
    });
    const isAlone = !has('api');
    if (has('api')) await tenants.serve();
    else if (has('worker')) await tenants.joinAlone();
    if (has('worker')) {
      await jobSide.startWorking(workerProcess(config.HOLDFAST_WORKER_IP, process.pid));
      stops.push(
        await tenants.startWorking(jobSide, { isAlone, onSynchronised: (scope) => features.proxyRights.synchronise(scope) }),
        features.search.start(),
        features.compliance.start(),
        features.documents.start(),
        features.proxyRights.start(),
      );
    }
    if (has('scheduler')) {
      const stopping = new AbortController();
      const scheduling = jobSide.scheduler.run(stopping.signal);
      const stopMail = mail.start();
      const stopTidying = startTidying(ground, features);
      const stopChecking = tenants.startChecking();
      const stopAudit = features.auditLog.start();
      stops.push(async () => {
        stopping.abort();
        stopChecking();
        stopTidying();
        await stopMail();
        await stopAudit();
        await scheduling;
      });
    }
    if (!has('api')) return { address: undefined, setupAddress: undefined, stop };
    const { app, health, end } = await composeApp({ ...ground, isStrict: options.isStrict ?? false }, features);
    stops.push(async () => {
      health.drain();
      end();
      await closeApp(app, ground.clock);
    });
    await makeFirstOwner(ground, access);
    address = await listen(app, config);
    const setupToken = await access.identity.bootstrap.openSetup();
    const setupAddress = setupToken === undefined ? undefined : `${publicUrlOf(config, address)}/signin#setup=${setupToken}`;
    return { address, setupAddress, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Works with the features of an installation without serving anything: for the console. */
export async function withFeatures<T>(
  parts: { readonly config: Config; readonly logger: Logger; readonly version?: string },
  work: (features: Features & { readonly ground: Ground }) => Promise<T>,
): Promise<T> {
  const { config, logger } = parts;
  const installation = await openInstallation(config, logger, 'guest');
  try {
    const ground = await layGround({ config, logger, installation, version: parts.version ?? '', supervises: false });
    try {
      const features = composeFeatures(ground, () => publicUrlOf(config, undefined));
      try {
        return await work({ ...features, ground });
      } finally {
        await features.jobSide.vaults.close();
        features.access.identity.sessions.close();
      }
    } finally {
      await ground.queue.stop(0);
    }
  } finally {
    await installation.close();
  }
}
