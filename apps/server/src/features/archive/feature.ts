import type { Scope } from '@holdfast/database';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
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
import { mountCompleteness } from './completeness.routes.ts';
import { createCompleteness, type CompletenessParts } from './completeness.service.ts';
import { createMessageProofs } from './message-proof.service.ts';
import { createPrivateMessages } from './private-messages.service.ts';
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
  readonly reading: Pick<ContentService, 'message' | 'file' | 'ticketed'>;
  readonly policiesOf: ArchivedMessagesParts['policiesOf'];
  readonly missing: CompletenessParts['missing'];
}

/** How often somebody looks which archives are due: to be compared after a day, to be recounted after a week. */
const LOOK_MS = 5 * 60_000;

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
  const privacy = createPrivateMessages({ ...ports, access, content });
  const selections = createArchivedSelections({ ...ports, access, record });
  const warn = (error: unknown): void => ports.logger.warn({ err: error }, 'archives could not be checked');
  const completeness = createCompleteness(ports);
  async function turn(): Promise<void> {
    for (const scope of await ports.scopes()) {
      await recountArchives(ports, scope).catch(warn);
      await completeness.compareDue(scope).catch(warn);
    }
  }
  return Object.freeze<Feature>({
    start: { worker: () => repeat({ clock: ports.clock, everyMs: LOOK_MS, turn, onError: warn }) },
    mount(app) {
      inEachRealm((realm) => {
        mountArchive(app, views, realm);
        mountCompleteness(app, { database: ports.database, completeness }, realm);
        mountArchivedMessages(app, { messages, selections, proofs, privacy }, realm);
      });
      mountLegacyArchive(app, views);
    },
  });
}
