import type { Scope } from '@holdfast/database';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox, AuditService } from '../audit/index.ts';
import type { ContentService } from '../content/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import type { JobsService } from '../jobs/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { mountArchive, mountLegacyArchive } from './archive.routes.ts';
import { createArchiveViews, type ArchiveViewsParts } from './archive.views.ts';
import { mountArchivedMessages } from './archived-messages.routes.ts';
import { createArchivedMessages, type ArchivedMessagesParts } from './archived-messages.service.ts';
import { createArchivedSelections } from './archived-selections.service.ts';
import { createMessageProofs } from './message-proof.service.ts';
import { recountArchives } from './recount.service.ts';

export interface ArchivePorts extends ArchiveViewsParts {
  readonly ids: Ids;
  readonly logger: Logger;
  scopes(): Promise<readonly Scope[]>;
  readonly jobs: Pick<JobsService, 'create'>;
  readonly proofs: Pick<AuditService, 'proofAbout'>;
  readonly audit: AuditInbox;
  readonly contentAccess: ContentAccess;
  /** Reads single items by their tickets. */
  readonly reading: Pick<ContentService, 'message' | 'file'>;
  readonly policiesOf: ArchivedMessagesParts['policiesOf'];
}

/** How often somebody looks whether a week is over. */
const RECOUNT_MS = 60 * 60_000;

function recordIn(audit: AuditInbox): ArchivedMessagesParts['record'] {
  return (tx, { actor, caller, mailboxId, reason }, { mailbox, messages }) =>
    audit.record(tx, {
      event: 'archive.listed',
      actor: actorEntry(actor, caller),
      subject: { kind: 'resource', id: mailboxId, name: mailbox },
      reason,
      details: { messages },
    });
}

export function createArchiveFeature(ports: ArchivePorts): Feature {
  const { audit, contentAccess: access, reading: content } = ports;
  const views = createArchiveViews(ports);
  const record = recordIn(audit);
  const messages = createArchivedMessages({ ...ports, access, content, record });
  const proofs = createMessageProofs({ ...ports, content });
  const selections = createArchivedSelections({ ...ports, access, record });
  const warn = (error: unknown): void => ports.logger.warn({ err: error }, 'the counters of archives could not be compared');
  async function recountAll(): Promise<void> {
    for (const scope of await ports.scopes()) await recountArchives(ports, scope).catch(warn);
  }
  return Object.freeze<Feature>({
    start: { worker: () => ports.clock.every(RECOUNT_MS, () => void recountAll().catch(warn)) },
    mount(app) {
      inEachRealm((realm) => {
        mountArchive(app, views, realm);
        mountArchivedMessages(app, { messages, selections, proofs }, realm);
      });
      mountLegacyArchive(app, views);
    },
  });
}
