import type { Database, Scope, Tx } from '@holdfast/database';
import { archiveExclusion, capturedUpTo, hasCaptured, type Selections } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { AuditInbox } from '../audit/index.ts';
import { selectionOf, sourceWithoutExempt } from './archive-mailboxes.ts';
import { backupsOf, readFolders } from './archive-sources.store.ts';
import { archiveJobs } from './awaited-points.store.ts';
import {
  archivesOfMailbox,
  archivesToCompare,
  compareWithBackups,
  foldersWithMessages,
  forgetLast,
  lockArchive,
  type ComparedArchive,
  type ComparedBackup,
} from './completeness.store.ts';
import { compareSeams, type SeamNews } from './seams.store.ts';

/** How many messages are newly missing, for each place that lacks them. */
export interface NewlyMissing extends SeamNews {
  /** In the archive. */
  readonly missing: number;
}

/** The same of several mailboxes. */
export interface MissingNews extends NewlyMissing {
  readonly mailboxes: readonly string[];
}

export interface CompletenessParts {
  readonly database: Database;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Mails owners and administrators. */
  missing(tx: Tx, scope: Scope, news: MissingNews): Promise<void>;
}

/** Compares archives with the backups of their mailboxes. */
export interface Completeness {
  /** Those that nobody has compared for a day; a few in one turn. */
  compareDue(scope: Scope): Promise<void>;
  /** The archives of one mailbox, now. */
  compareMailbox(scope: Scope, tenantId: string, mailboxId: string): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;
/** Archives of one organisation in one turn: the rest come in the next. */
const AT_ONCE = 200;

/** What jobs take of the backups of the mailbox, and how far they got. A job counts once it has taken in anything by its present choice. */
async function coveredBackups(tx: Tx, archive: ComparedArchive): Promise<readonly ComparedBackup[]> {
  const { tenantId, locationId, graphId, cursor } = archive;
  const jobs = await archiveJobs(tx, tenantId);
  const selections = jobs
    .filter(({ body }) => body.locationId === locationId && sourceWithoutExempt(body).excluded.every(({ id }) => id !== graphId))
    .map(({ body }): Selections => [selectionOf(body)])
    .filter((selection) => hasCaptured(cursor, selection));
  const covered: ComparedBackup[] = [];
  for (const { source_id: id, head_sequence: headSequence } of selections.length === 0 ? [] : await backupsOf(tx, archive)) {
    const folders = await readFolders(tx, id);
    const filled = await foldersWithMessages(tx, id);
    for (const selection of selections) {
      const isExcluded = archiveExclusion(selection, folders);
      const excluded = filled.filter((folder) => isExcluded(folder === '' ? null : folder));
      covered.push({ sourceId: id, place: capturedUpTo(cursor, { id, headSequence }, selection), excluded });
    }
  }
  return covered;
}

interface Compared {
  readonly name: string;
  readonly news: NewlyMissing;
}

const NOTHING: NewlyMissing = { missing: 0, notJournaled: 0, notCaptured: 0, notSearchable: 0 };
const messagesOf = ({ missing, notJournaled, notCaptured, notSearchable }: NewlyMissing): number =>
  missing + notJournaled + notCaptured + notSearchable;

const plus = (a: NewlyMissing, b: NewlyMissing): NewlyMissing => ({
  missing: a.missing + b.missing,
  notJournaled: a.notJournaled + b.notJournaled,
  notCaptured: a.notCaptured + b.notCaptured,
  notSearchable: a.notSearchable + b.notSearchable,
});

async function compareOne(parts: CompletenessParts, tx: Tx, sourceId: string): Promise<Compared | undefined> {
  const archive = await lockArchive(tx, sourceId);
  if (!archive) return undefined;
  const backups = await coveredBackups(tx, archive);
  const told = { at: now(parts.clock), before: await forgetLast(tx, sourceId) };
  const { newlyMissing } = await compareWithBackups(tx, archive, backups, told);
  const news = { missing: newlyMissing, ...(await compareSeams(tx, archive, backups, told)) };
  if (messagesOf(news) > 0) {
    await parts.audit.record(tx, {
      event: 'alarms.archive-incomplete',
      outcome: 'failed',
      actor: { kind: 'system', name: 'archive' },
      subject: { kind: 'resource', id: archive.resourceId, name: archive.name },
      details: { ...news },
    });
  }
  return { name: archive.name, news };
}

export function createCompleteness(parts: CompletenessParts): Completeness {
  const { database, clock, logger } = parts;

  const compare = (scope: Scope, sourceId: string) => database.within(scope, (tx) => compareOne(parts, tx, sourceId));

  async function tell(scope: Scope, compared: readonly (Compared | undefined)[]): Promise<void> {
    const wanting = compared.filter((one) => one !== undefined).filter(({ news }) => messagesOf(news) > 0);
    if (wanting.length === 0) return;
    const news = wanting.reduce((sum, one) => plus(sum, one.news), NOTHING);
    logger.warn(
      { mailboxes: wanting.length, ...news },
      'messages of archives are missing in the archive, the journal, backups or the index',
    );
    await database.within(scope, (tx) => parts.missing(tx, scope, { mailboxes: wanting.map(({ name }) => name), ...news }));
  }

  return Object.freeze<Completeness>({
    async compareDue(scope) {
      const before = new Date(now(clock).getTime() - DAY_MS);
      const compared: (Compared | undefined)[] = [];
      for (const sourceId of await database.within(scope, (tx) => archivesToCompare(tx, before, AT_ONCE))) {
        try {
          compared.push(await compare(scope, sourceId));
        } catch (error) {
          logger.warn({ err: error, sourceId }, 'an archive could not be compared with its backups');
        }
      }
      await tell(scope, compared);
    },
    async compareMailbox(scope, tenantId, mailboxId) {
      const compared: (Compared | undefined)[] = [];
      const archives = await database.within(scope, (tx) => archivesOfMailbox(tx, tenantId, mailboxId));
      for (const sourceId of archives) compared.push(await compare(scope, sourceId));
      await tell(scope, compared);
    },
  });
}
