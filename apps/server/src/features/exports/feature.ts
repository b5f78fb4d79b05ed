import type { Database, Scope, Tx } from '@holdfast/database';
import type { Catalog } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RunsStore } from '../../runs/index.ts';
import type { Vaults } from '../../storage/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { CaseExports } from '../cases/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import type { RequestExports } from '../data-requests/index.ts';
import type { Notifications } from '../notifications/index.ts';
import { actorEntry } from '../organisations/index.ts';
import type { ReviewExports } from '../reviews/index.ts';
import { createSelectionReader, type SearchFeature } from '../search/index.ts';
import { createExportLinksStore } from './export-links.store.ts';
import { createExportFilesStore } from './export-files.store.ts';
import { createExportKey } from './export-key.ts';
import { mountExports } from './exports.routes.ts';
import { createExportsService, type ExportNote, type ExportsParts } from './exports.service.ts';
import { createFreezeExport } from './freeze-export.ts';

export interface ExportsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly vaults: Vaults;
  readonly runs: RunsStore;
  readonly contentAccess: ContentAccess;
  readonly contentOpened: Notifications['contentOpened'];
  readonly caseExports: CaseExports;
  readonly reviewExports: ReviewExports;
  readonly requestExports: RequestExports;
  readonly saved: SearchFeature['saved'];
  catalogOf(scope: Scope, locationId: string): Catalog;
  scopes(): Promise<readonly Scope[]>;
}

const TIDY_MS = 60 * 60_000;

/** The same in the log of a case. */
const IN_CASE = {
  'exports.requested': 'cases.exported',
  'exports.resumed': 'cases.export-resumed',
  'exports.cancelled': 'cases.export-cancelled',
  'exports.deleted': 'cases.export-deleted',
  'content.downloaded': 'cases.export-downloaded',
} as const satisfies Record<ExportNote['event'], string>;

/** Every access to content is about the tenant; what is done with an export of a case is in the log of the case as well. */
function recordIn({ audit, caseExports }: ExportsPorts): ExportsParts['record'] {
  return async (tx, asking, { event, exported, part, resourceIds }) => {
    const { actor, caller, tenantId } = asking;
    const { export_id: exportId, name, query, items: hits, reason, case_id: caseId } = exported;
    const which = part === undefined ? {} : { part };
    await audit.record(tx, {
      event,
      actor: actorEntry(actor, caller),
      subject: { kind: 'tenant', id: tenantId },
      reason,
      details: { exportId, name, query, hits, ...which, ...(resourceIds ? { resourceIds: [...resourceIds] } : {}) },
    });
    if (caseId === null) return;
    await caseExports.note(tx, asking, caseId, { event: IN_CASE[event], reason, details: { name, query, hits, ...which } });
  };
}

export function createExportsFeature(ports: ExportsPorts): Feature {
  const { database, clock, logger, contentAccess: access, caseExports: cases, sealing } = ports;
  const service = createExportsService({
    ...ports,
    access,
    cases,
    key: createExportKey(sealing),
    files: createExportFilesStore(database),
    links: createExportLinksStore(database, access),
    selections: createSelectionReader(database),
    freeze: createFreezeExport({ ...ports, access, cases, reviews: ports.reviewExports, requests: ports.requestExports }),
    record: recordIn(ports),
    contentOpened: (tx: Tx, { actor, scope }, { sourceId, reason }) =>
      ports.contentOpened(tx, scope, { content: { by: 'source', value: sourceId }, reader: actor, reason }),
  });
  const warn = (error: unknown): void => logger.warn({ err: error }, 'exports whose time is over could not be forgotten');

  async function expireAll(): Promise<void> {
    for (const scope of await ports.scopes()) await database.within(scope, (tx) => service.expire(tx)).catch(warn);
  }

  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => mountExports(app, service, realm)),
    start: { worker: () => clock.every(TIDY_MS, () => void expireAll().catch(warn)) },
  });
}
