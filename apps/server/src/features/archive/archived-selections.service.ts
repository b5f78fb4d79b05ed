import type { ChosenMessages } from '@holdfast/contract/archived-messages';
import { jobBody } from '@holdfast/contract/jobs';
import { recoverySettings, type RecoverySettings, type Selection } from '@holdfast/contract/selections';
import type { Database, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Caller } from '../../access/caller.ts';
import type { ContentAccess } from '../content-access/index.ts';
import type { Asking } from '../identity/index.ts';
import type { JobsService } from '../jobs/index.ts';
import { forgetSelections, keepSelection, readSelection, selectionExpiry } from '../search/index.ts';
import { findArchivedMailbox } from './archived-mailboxes.views.ts';
import type { LookingIn } from './archived-messages.service.ts';
import { selectedMessages } from './archived-messages.views.ts';

export interface ArchivedSelectionsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly access: ContentAccess;
  readonly jobs: Pick<JobsService, 'create'>;
  /** Writes the look into the audit log, in the transaction that answers it. */
  record(tx: Tx, looking: LookingIn, found: { readonly mailbox: string; readonly messages: number }): Promise<void>;
}

/** Which messages of which mailbox go back, whereto. */
export interface ArchiveRestore extends ChosenMessages {
  readonly mailboxId: string;
  readonly target: RecoverySettings['target'];
  readonly collisions: RecoverySettings['collisions'];
}

/** Messages of archives, chosen to be put back or handed out. */
export interface ArchivedSelections {
  select(looking: LookingIn, chosen: Omit<ChosenMessages, 'reason'>): Promise<Selection>;
  /** Chooses messages and restores them by a job that runs at once. */
  restore(
    asking: Asking & { readonly tenantId: string },
    by: Caller,
    restore: ArchiveRestore,
  ): Promise<{ readonly jobId: string; readonly selectionId: string }>;
}

/** What was asked for, as lists and the audit log show it. */
function wordsOf(mailbox: string, { folder, subject }: Omit<ChosenMessages, 'reason'>): string {
  return [mailbox, folder ?? '', subject === undefined ? '' : `"${subject}"`].filter((part) => part !== '').join(' / ');
}

/** A name that no other job has. */
function jobNameOf(words: string, at: Date): string {
  const plain = words.replaceAll(/[^\p{L}\p{N} ._-]/gu, ' ').slice(0, 70);
  return `${plain} ${at.toISOString().slice(0, 23).replace('T', ' ').replaceAll(':', '.')}`.trim();
}

export function createArchivedSelections(parts: ArchivedSelectionsParts): ArchivedSelections {
  const { database, clock, ids, access, jobs } = parts;

  const select: ArchivedSelections['select'] = (looking, chosen) =>
    database.within(looking.scope, async (tx) => {
      const { tenantId, mailboxId, actor, reason } = looking;
      const at = now(clock);
      await forgetSelections(tx, at);
      const reach = await access.searchable(tx, looking);
      const mailbox = await findArchivedMailbox(tx, tenantId, mailboxId);
      if (!mailbox) throw new AppError('not-found');
      const { sourceId, locationId, name } = mailbox;
      if (sourceId === null || locationId === null) throw new AppError('search.nothing-selected');
      const selectionId = ids.uuid();
      const made = { selectionId, query: wordsOf(name, chosen), reason, ownerId: actor.accountId, at, expiresAt: selectionExpiry(at) };
      const messages = await keepSelection(tx, tenantId, made, {
        chosen: selectedMessages({ sourceId, locationId }, reach, chosen),
        coverage: null,
      });
      if (messages === 0) throw new AppError('search.nothing-selected');
      await parts.record(tx, looking, { mailbox: name, messages });
      const kept = await readSelection(tx, tenantId, selectionId);
      if (!kept) throw new AppError('search.selection-unknown');
      const { ownerId: _owner, reason: _reason, coverage: _coverage, ...selection } = kept;
      return selection;
    });

  return Object.freeze<ArchivedSelections>({
    select,
    async restore({ tenantId, ...asking }, by, { mailboxId, reason, target, collisions, ...chosen }) {
      const { selectionId, query } = await select({ ...asking, tenantId, mailboxId, reason }, chosen);
      const archivedFolder = chosen.folder === undefined ? {} : { archivedFolder: chosen.folder };
      const recovery = recoverySettings.parse({ selectionId, target, collisions, reason, ...archivedFolder });
      const name = jobNameOf(query, now(clock));
      const body = jobBody.parse({ type: 'recovery', name, schedule: { mode: 'afterCreation' }, recovery });
      const { jobId } = await jobs.create(by, tenantId, body);
      return { jobId, selectionId };
    },
  });
}
