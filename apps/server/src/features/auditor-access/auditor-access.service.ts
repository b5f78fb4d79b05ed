import { mayDo } from '@holdfast/contract/actions';
import type { AuditorAccess, AuditorAccessBody } from '@holdfast/contract/auditor-access';
import type { ContentAccessEntry } from '@holdfast/contract/access-log';
import type { Page } from '@holdfast/contract/paging';
import { printQuery } from '@holdfast/contract/query/print';
import type { SearchHit } from '@holdfast/contract/search';
import type { Database, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { membershipIn } from '../../access/actor.ts';
import { csvLine } from '../../http/csv.ts';
import { pageFrom, windowOf } from '../../http/paging.ts';
import { accessesTo } from '../access-log/index.ts';
import type { AuditEvent, AuditInbox, AuditValue } from '../audit/index.ts';
import type { CaseAsking, CaseReviews } from '../cases/index.ts';
import { sightOf, unlimitedReach } from '../content-access/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { hitsPage, readQuery, searchPlaceOf, type SearchFeature, type SearchPlace } from '../search/index.ts';
import {
  accessesOf,
  addAccess,
  auditorOf,
  endAccess,
  frozenReach,
  listAccesses,
  ownersIn,
  readAccess,
  type AuditorAccessQuery,
} from './auditor-access.store.ts';

export interface AuditorAccessParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly cases: Pick<CaseReviews, 'searches' | 'find'>;
  readonly saved: SearchFeature['saved'];
}

interface Paging {
  readonly cursor?: string | undefined;
  readonly limit: number;
}
interface Looking {
  readonly query: string;
  readonly reason: string;
}

/** What auditors may read: a list that is frozen, for a time. */
export interface AuditorAccessService {
  list(asking: CaseAsking, query: AuditorAccessQuery): Promise<Page<AuditorAccess>>;
  mine(asking: CaseAsking): Promise<{ items: AuditorAccess[] }>;
  grant(asking: CaseAsking, body: AuditorAccessBody): Promise<AuditorAccess>;
  end(asking: CaseAsking, accessId: string): Promise<void>;
  items(asking: CaseAsking, accessId: string, wanted: Looking & Paging): Promise<Page<SearchHit>>;
  /** The whole list as lines of a file. It is in the log before the first of them. */
  csv(asking: CaseAsking, accessId: string, wanted: Looking): Promise<AsyncIterable<Uint8Array>>;
  log(asking: CaseAsking, accessId: string, wanted: Paging & { readonly search?: string | undefined }): Promise<Page<ContentAccessEntry>>;
}

/** What an access is frozen of. */
interface Source {
  readonly name: string;
  readonly query: string;
  readonly places: readonly SearchPlace[];
}

/** How many lines of a list are read at a time. */
const LINES_A_PAGE = 500;
const LINE = ['at', 'kind', 'title', 'sender', 'mailbox', 'address', 'size', 'attachments', 'id'] as const;

const lineOf = ({ at, kind, title, sender, resource, sizeBytes, attachments, nodeId }: SearchHit): string =>
  csvLine([at, kind, title, sender, resource.name, resource.address, sizeBytes, attachments, nodeId]);

function refuse(code: string, field: string): never {
  throw new AppError(code, { details: { field } });
}

function createGrants(parts: AuditorAccessParts): Pick<AuditorAccessService, 'grant' | 'end'> {
  const { database, clock, ids, audit, cases, saved } = parts;

  async function note(tx: Tx, { actor, caller }: CaseAsking, event: AuditEvent, access: AuditorAccess): Promise<void> {
    const { accessId, auditor, purpose, source, query, items, accessFrom, accessTo } = access;
    await audit.record(tx, {
      event,
      actor: actorEntry(actor, caller),
      subject: { kind: 'auditorAccess', id: accessId, name: auditor },
      reason: purpose,
      details: { source: source.name, query, items, accessFrom, accessTo },
    });
  }

  async function sourceOf(tx: Tx, asking: CaseAsking, source: AuditorAccessBody['source']): Promise<Source> {
    const { tenantId, language } = asking;
    if (source.kind === 'case') {
      const searches = await cases.searches(tx, asking, source.caseId, null);
      const { matter } = await cases.find(tx, asking, source.caseId);
      return { name: matter, query: searches.map(({ readAs }) => readAs).join(' · '), places: searches.map(({ place }) => place) };
    }
    const search = await saved(tx, source.searchId);
    if (search?.tenant_id !== tenantId) throw new AppError('not-found');
    const query = readQuery(search.query, language);
    const sight = sightOf(asking, clock.nowMs());
    const place = await searchPlaceOf(tx, clock, { tenantId, query, reach: unlimitedReach, sight });
    return { name: search.name, query: printQuery(query), places: [place] };
  }

  async function known(tx: Tx, { tenantId }: CaseAsking, accessId: string): Promise<AuditorAccess> {
    const found = await readAccess(tx, { tenantId, accessId }, now(clock));
    if (!found) throw new AppError('not-found');
    const { accountId: _account, ...access } = found;
    return access;
  }

  return {
    grant: (asking, body) =>
      database.within(asking.scope, async (tx) => {
        if (Date.parse(body.accessTo) <= clock.nowMs()) refuse('auditor-access.access-over', 'accessTo');
        const auditor = (await auditorOf(tx, body.userId, now(clock))) ?? refuse('auditor-access.auditor-unknown', 'userId');
        const { places, ...source } = await sourceOf(tx, asking, body.source);
        const accessId = ids.uuid();
        const row = {
          access_id: accessId,
          tenant_id: asking.tenantId,
          account_id: body.userId,
          auditor,
          purpose: body.purpose,
          source_kind: body.source.kind,
          source_id: body.source.kind === 'case' ? body.source.caseId : body.source.searchId,
          source_name: source.name,
          query: source.query,
          access_from: body.accessFrom,
          access_to: body.accessTo,
          granter: asking.actor.email,
          granted_at: now(clock),
        };
        // A list of nothing would open nothing, and look as if it did.
        if ((await addAccess(tx, row, places)) === 0) refuse('auditor-access.nothing-found', 'source');
        const access = await known(tx, asking, accessId);
        await note(tx, asking, 'auditor-access.granted', access);
        return access;
      }),
    end: (asking, accessId) =>
      database.within(asking.scope, async (tx) => {
        await known(tx, asking, accessId);
        if (!(await endAccess(tx, accessId, { ender: asking.actor.email, at: now(clock) }))) throw new AppError('auditor-access.over');
        await note(tx, asking, 'auditor-access.ended', await known(tx, asking, accessId));
      }),
  };
}

/** Reading what was frozen: for its auditor alone, as long as the access is in force. Each look is in the log in the transaction that answers it. */
function createReading(parts: AuditorAccessParts): Pick<AuditorAccessService, 'items' | 'csv'> {
  const { database, clock, audit } = parts;

  async function record(
    tx: Tx,
    { actor, caller, tenantId }: CaseAsking,
    told: { readonly event: AuditEvent; readonly reason: string; readonly details: Readonly<Record<string, AuditValue>> },
  ): Promise<void> {
    const subject = { kind: 'tenant', id: tenantId } as const;
    await audit.record(tx, { ...told, actor: actorEntry(actor, caller), subject });
  }

  async function look<Answer>(
    asking: CaseAsking,
    { accessId, query: text }: { readonly accessId: string; readonly query: string },
    find: (tx: Tx, place: SearchPlace, readAs: string) => Promise<Answer>,
  ): Promise<Answer> {
    const { actor, scope, tenantId, language } = asking;
    return database.within(scope, async (tx) => {
      const role = membershipIn(actor, scope.organisationId, clock.nowMs())?.role;
      const isAuditor = role !== undefined && mayDo(role, 'auditorAccess.read');
      const found = await readAccess(tx, { tenantId, accessId }, now(clock));
      if (!isAuditor || found?.accountId !== actor.accountId || found.state !== 'active') throw new AppError('content.audit-right-needed');
      const query = readQuery(text, language);
      const reach = await frozenReach(tx, accessId);
      const place = await searchPlaceOf(tx, clock, { tenantId, query, reach, sight: sightOf(asking, clock.nowMs()) });
      return find(tx, place, printQuery(query));
    });
  }

  const detailsOf = (accessId: string, query: string, hits: number) => ({ ground: 'auditor', auditorAccess: accessId, query, hits });

  async function* linesOf(asking: CaseAsking, accessId: string, query: string): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from(csvLine(LINE));
    for (let offset = 0; ; offset += LINES_A_PAGE) {
      const { items } = await look(asking, { accessId, query }, (tx, place) => hitsPage(tx, place, { offset, limit: LINES_A_PAGE }));
      for (const hit of items) yield Buffer.from(lineOf(hit));
      if (items.length < LINES_A_PAGE) return;
    }
  }

  return {
    items: (asking, accessId, { query, reason, ...paging }) =>
      look(asking, { accessId, query }, async (tx, place, readAs) => {
        const page = await hitsPage(tx, place, windowOf(paging));
        await record(tx, asking, { event: 'auditor-access.searched', reason, details: detailsOf(accessId, readAs, page.total) });
        return page;
      }),
    async csv(asking, accessId, { query, reason }) {
      await look(asking, { accessId, query }, async (tx, place, readAs) => {
        const { total } = await hitsPage(tx, place, { offset: 0, limit: 1 });
        const details = { ...detailsOf(accessId, readAs, total), resourceIds: await ownersIn(tx, accessId) };
        await record(tx, asking, { event: 'auditor-access.list-taken', reason, details });
      });
      return linesOf(asking, accessId, query);
    },
  };
}

export function createAuditorAccessService(parts: AuditorAccessParts): AuditorAccessService {
  const { database, clock } = parts;
  return Object.freeze<AuditorAccessService>({
    ...createGrants(parts),
    ...createReading(parts),
    list: ({ scope, tenantId }, query) => database.within(scope, (tx) => listAccesses(tx, tenantId, query, now(clock))),
    mine: ({ scope, tenantId, actor }) =>
      database.within(scope, async (tx) => ({
        items: await accessesOf(tx, { tenantId, accountId: actor.accountId }, now(clock)),
      })),
    log: (asking, accessId, { search, ...paging }) =>
      database.within(asking.scope, async (tx) => {
        const { actor, scope, tenantId } = asking;
        const role = membershipIn(actor, scope.organisationId, clock.nowMs())?.role;
        const found = await readAccess(tx, { tenantId, accessId }, now(clock));
        const isTheirs = found?.accountId === actor.accountId || (role !== undefined && mayDo(role, 'proxyRights.manage'));
        if (!found || !isTheirs) throw new AppError('not-found');
        const window = windowOf(paging);
        const reader = { tenantId, accountId: actor.accountId, owned: 'all' } as const;
        const { items, total } = await accessesTo(tx, reader, { auditorAccessId: accessId, search }, window);
        return pageFrom(items, total, window);
      }),
  });
}
