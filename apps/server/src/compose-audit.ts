import path from 'node:path';
import type { Scope } from '@holdfast/database';
import type { Ground } from './compose-ground.ts';
import {
  checkpointKey,
  createAuditService,
  createAuditViews,
  createNightly,
  createNightlyStore,
  createSequencer,
  hasEvents,
  mountAudit,
  verifyAudit,
  type CheckpointKey,
  type NightlyResult,
  type VerifyReport,
} from './features/audit/index.ts';
import type { Sessions } from './features/identity/index.ts';
import { surfaceOf } from './http/mount.ts';
import type { HttpApp } from './http/http-app.ts';
import { credentialsOf } from './http/authentication.ts';

/** The audit log of a process: its screens, its sequencer, and the events that the edge itself tells. */
export interface AuditLog {
  mount(app: HttpApp, realm: Scope['realm']): void;
  /** Writes refused requests of signed-in people into the log. */
  recordDenials(app: HttpApp, sessions: Sessions): void;
  /** Numbers events, signs checkpoints and verifies every night, until stopped. */
  start(): () => Promise<void>;
  verify(): Promise<VerifyReport>;
}

export function composeAudit(ground: Ground, deviated: (result: NightlyResult) => Promise<void>): AuditLog {
  const { config, database, clock, logger, sealing, audit } = ground;
  const witnessFile = path.join(config.HOLDFAST_DATA_DIR, 'audit', 'checkpoints.jsonl');
  let known: Promise<CheckpointKey> | undefined;
  const key = (): Promise<CheckpointKey> => (known ??= sealing.installationSecret('audit-checkpoints').then(checkpointKey));
  const sequencer = createSequencer({ database, clock, logger, key, witnessFile });
  const verify = async (): Promise<VerifyReport> => {
    await sequencer.drain();
    return verifyAudit({ database, key, witnessFile });
  };
  const nightlyStore = createNightlyStore(database);
  const nightly = createNightly({
    store: nightlyStore,
    verify,
    hasEvents: () => hasEvents(database),
    deviated,
    clock,
    logger,
  });
  const nowMs = (): number => clock.nowMs();
  const service = createAuditService({ views: createAuditViews(database), sequencer, key, verify, nightly: nightlyStore, nowMs });

  async function denied(app: HttpApp, sessions: Sessions, request: Parameters<typeof credentialsOf>[0]): Promise<void> {
    const mounted = app.mounted.find(
      (entry) => entry.name === request.routeOptions.config.contractRoute && entry.path === request.routeOptions.url,
    );
    if (!mounted) return;
    const { audience } = surfaceOf(app, mounted.options);
    const actor = await sessions.read({ ...credentialsOf(request, audience), isBackgroundPoll: true });
    const [home] = actor?.memberships ?? [];
    // A session that is not complete yet was denied nothing: it is told how to complete itself.
    if (!actor || !home || actor.restriction !== undefined) return;
    await database.within({ organisationId: home.organisationId, realm: actor.realm }, (tx) =>
      audit.record(tx, {
        event: 'access.denied',
        outcome: 'denied',
        actor: { kind: 'account', id: actor.accountId, name: actor.email, address: request.ip, requestId: request.id },
        details: { method: request.method, route: mounted.path, action: mounted.route.action },
      }),
    );
  }

  return Object.freeze<AuditLog>({
    verify,
    start() {
      const stops = [nightly.start(), sequencer.start()];
      return async () => {
        for (const stop of stops) await stop();
      };
    },
    mount(app, realm) {
      mountAudit(app, service, {
        realm,
        noteExport: ({ actor, organisation, address, requestId }) =>
          database.within({ organisationId: organisation.organisationId, realm }, (tx) =>
            audit.record(tx, {
              event: 'audit.exported',
              actor: { kind: 'account', id: actor.accountId, name: actor.email, address, requestId },
            }),
          ),
      });
    },
    recordDenials(app, sessions) {
      app.server.addHook('onResponse', async (request, reply) => {
        if (reply.statusCode !== 403) return;
        await denied(app, sessions, request).catch((error: unknown) => logger.warn({ err: error }, 'a denial could not be noted'));
      });
    },
  });
}
