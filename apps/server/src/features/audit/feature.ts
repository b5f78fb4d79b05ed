import path from 'node:path';
import type { Database, Realm } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Config } from '../../settings/config.ts';
import { actorName } from '../../access/actor.ts';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from './audit-inbox.store.ts';
import { hasEvents, type StoredCheckpoint } from './audit-log.store.ts';
import { mountAudit, type NoteExport } from './audit.routes.ts';
import { createAuditService, type AuditService } from './audit.service.ts';
import { createAuditViews } from './audit.views.ts';
import { checkpointKey, type CheckpointKey } from './checkpoint-note.ts';
import { recordDenials } from './denials.routes.ts';
import type { LogStamps } from './log-stamps.ts';
import { createNightly } from './nightly.service.ts';
import { createNightlyStore, type NightlyResult, type NightlyStore } from './nightly.store.ts';
import { createSequencer } from './sequencer.service.ts';
import type { VerifyReport } from './verify-report.ts';
import { verifyAudit } from './verify.service.ts';

export interface AuditPorts {
  readonly config: Pick<Config, 'HOLDFAST_DATA_DIR'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly stamps: LogStamps;
  /** The log is not as it should be. */
  deviated(result: NightlyResult): Promise<void>;
}

export interface AuditFeature extends Feature {
  /** What each night's verification has found. */
  readonly nightly: NightlyStore;
  verify(): Promise<VerifyReport>;
  /** Proves what an event records. */
  readonly proofs: Pick<AuditService, 'proofAbout'>;
  /** The newest checkpoint, made now; undefined while the log is empty. */
  newestCheckpoint(): Promise<StoredCheckpoint | undefined>;
  /** For the printed log. */
  readonly log: PrintedLog;
}

/** Events for the printed log, and the note that somebody has taken them. */
export interface PrintedLog extends Pick<AuditService, 'covered'> {
  readonly noteExport: (realm: Realm) => NoteExport;
}

/** Exports of the log are logged too. */
function noteExportIn({ database, audit }: Pick<AuditPorts, 'database' | 'audit'>, realm: Realm): NoteExport {
  return ({ actor, organisation: { organisationId }, address, requestId }) =>
    database.within({ organisationId, realm }, (tx) =>
      audit.record(tx, {
        event: 'audit.exported',
        actor: { kind: 'account', id: actor.accountId, name: actorName(actor), address, requestId },
      }),
    );
}

/** The audit log of a process: its pages, its sequencer, its nightly verification, and the denials at the edge. */
export function createAuditFeature(ports: AuditPorts): AuditFeature {
  const { config, database, clock, logger, sealing, audit, stamps } = ports;
  const witnessFile = path.join(config.HOLDFAST_DATA_DIR, 'audit', 'checkpoints.jsonl');
  let known: Promise<CheckpointKey> | undefined;
  const key = (): Promise<CheckpointKey> => (known ??= sealing.installationSecret('audit-checkpoints').then(checkpointKey));
  const sequencer = createSequencer({ database, clock, logger, key, witnessFile });
  const verify = async (): Promise<VerifyReport> => {
    await sequencer.drain();
    return verifyAudit({ database, key, witnessFile, stamps });
  };
  const store = createNightlyStore(database);
  const nightly = createNightly({ ...ports, store, verify, hasEvents: () => hasEvents(database) });
  const nowMs = (): number => clock.nowMs();
  const service = createAuditService({ views: createAuditViews(database), sequencer, key, verify, nightly: store, stamps, nowMs });
  return Object.freeze<AuditFeature>({
    nightly: store,
    verify,
    newestCheckpoint: () => service.newestCheckpoint(),
    proofs: { proofAbout: (...asked) => service.proofAbout(...asked) },
    log: { covered: (...asked) => service.covered(...asked), noteExport: (realm) => noteExportIn(ports, realm) },
    guard: (app) => recordDenials(app, { database, audit, logger }),
    mount: (app) => inEachRealm((realm) => mountAudit(app, service, { realm, stamps, noteExport: noteExportIn(ports, realm) })),
    start: {
      // Numbers events, signs checkpoints and verifies every night.
      scheduler() {
        const stops = [nightly.start(), sequencer.start()];
        return async () => {
          for (const stop of stops) await stop();
        };
      },
    },
  });
}
