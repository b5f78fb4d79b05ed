import type { DirectoryState } from '@holdfast/contract/retention';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { GraphClient } from '@holdfast/m365';
import { fill } from '../../http/language.ts';
import { organisationPhrases } from '../../runs/organisation-phrases.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { TenantGraph } from '../backup/index.ts';
import { timeZoneOf } from '../organisations/index.ts';
import {
  askForRead,
  directoryState,
  noteFailedRead,
  rememberFitting,
  takeDueReads,
  takeLeft,
  writePeople,
  type DeletedPerson,
  type DirectoryPerson,
} from './directory.store.ts';
import type { RetentionStore } from './retention.store.ts';

export interface RetainedDirectoryParts {
  readonly database: Database;
  readonly store: RetentionStore;
  readonly graph: TenantGraph;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** What policies know of the directory: whose archives fit their rules, and who has left. */
export interface RetainedDirectory {
  state(scope: Scope, tenantId: string): Promise<DirectoryState>;
  /** Has it read within a minute. */
  ask(scope: Scope, tenantId: string): Promise<DirectoryState>;
  /** Reads the directories of an organisation that are due. */
  turn(scope: Scope): Promise<void>;
}

type GraphUser = Awaited<ReturnType<GraphClient['directory']['user']>>;

/** What somebody's account says of where they work; what is empty is left out. */
function attributesOf({ department, officeLocation, country, companyName, onPremisesExtensionAttributes }: GraphUser) {
  const named = { department, office: officeLocation, country, company: companyName, ...onPremisesExtensionAttributes };
  const filled = Object.entries(named).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '');
  return Object.fromEntries(filled);
}

async function readPeople(graph: GraphClient): Promise<DirectoryPerson[]> {
  const people: DirectoryPerson[] = [];
  for await (const user of graph.directory.users()) {
    if (typeof user.id !== 'string') continue;
    const address = user.mail ?? user.userPrincipalName ?? '';
    people.push({ graphId: user.id, address, isEnabled: user.accountEnabled !== false, attributes: attributesOf(user) });
  }
  // Everybody would seem to have left.
  if (people.length === 0) throw new AppError('discovery.directory-unavailable');
  return people;
}

async function readDeleted(graph: GraphClient): Promise<DeletedPerson[]> {
  const deleted: DeletedPerson[] = [];
  for await (const { id, userPrincipalName, deletedDateTime } of graph.directory.deletedUsers()) {
    const deletedAt = new Date(deletedDateTime ?? Number.NaN);
    if (typeof id !== 'string' || Number.isNaN(deletedAt.getTime())) continue;
    // Microsoft puts the id before the name of a deleted account.
    const address = (userPrincipalName ?? '').replace(id.replaceAll('-', ''), '');
    deleted.push({ graphId: id, address, deletedAt });
  }
  return deleted;
}

async function recordLeft({ store, audit, ids }: RetainedDirectoryParts, tx: Tx, tenantId: string, at: Date): Promise<void> {
  const left = await takeLeft(tx, tenantId, { at, timeZone: await timeZoneOf(tx) });
  if (left.length === 0) return;
  const { retention: phrases } = await organisationPhrases(tx);
  for (const { address, day, resources } of left) {
    const description = fill(phrases.leftByDirectory, { address });
    for (const { resourceId, name } of resources) {
      const id = ids.uuid();
      const what = {
        event_id: id,
        tenant_id: tenantId,
        kind: 'leftCompany',
        resource_id: resourceId,
        description,
        happened_on: day,
      } as const;
      await store.addEvent(tx, { ...what, recorded_by: null, recorder: null, recorded_at: at }, []);
      await audit.record(tx, {
        event: 'retention.event-recorded',
        actor: { kind: 'system', name: 'directory' },
        subject: { kind: 'retentionEvent', id, name },
        details: { kind: 'leftCompany', mailbox: address, items: [], date: day, description },
      });
    }
  }
}

export function createRetainedDirectory(parts: RetainedDirectoryParts): RetainedDirectory {
  const { database, store, graph, clock, logger } = parts;
  const within = <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work);

  async function read(scope: Scope, tenantId: string): Promise<void> {
    const found = await graph.use(scope, tenantId, async (client) => {
      const people = await readPeople(client);
      // Without it days are not known, and somebody says them.
      const deleted = await readDeleted(client).catch((error: unknown) => {
        logger.warn({ err: error, tenantId }, 'the directory does not say who was deleted');
        return [];
      });
      return { people, deleted };
    });
    await within(scope, async (tx) => {
      const at = now(clock);
      // What deletes by what the directory says waits for this, and sees all of it or nothing.
      await store.lock(tx, 'changing');
      await rememberFitting(tx, tenantId, at);
      await writePeople(tx, tenantId, found, at);
      await rememberFitting(tx, tenantId, at);
      await recordLeft(parts, tx, tenantId, at);
    });
  }

  const state = (tx: Tx, tenantId: string): Promise<DirectoryState> =>
    timeZoneOf(tx).then((timeZone) => directoryState(tx, tenantId, timeZone));
  return Object.freeze<RetainedDirectory>({
    state: (scope, tenantId) => within(scope, (tx) => state(tx, tenantId)),
    ask: (scope, tenantId) =>
      within(scope, async (tx) => {
        await askForRead(tx, tenantId, now(clock));
        return state(tx, tenantId);
      }),
    async turn(scope) {
      for (const tenantId of await within(scope, (tx) => takeDueReads(tx, now(clock)))) {
        await read(scope, tenantId).catch(async (error: unknown) => {
          const code = isAppError(error) ? error.code : 'internal';
          await within(scope, (tx) => noteFailedRead(tx, tenantId, code));
          logger.warn({ err: error, tenantId }, 'the directory could not be read; policies go by what it said last');
        });
      }
    },
  });
}
