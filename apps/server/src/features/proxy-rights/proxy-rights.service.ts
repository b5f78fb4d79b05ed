import type { Page } from '@holdfast/contract/paging';
import type { ProxyAccount, ProxyHolder, ProxyRight, ProxyRightBody } from '@holdfast/contract/proxy-rights';
import type { Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Approvals } from '../approvals/index.ts';
import type { Asking } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import type { DirectoryParties, DirectoryParty } from './directory-parties.ts';
import type { NamedParty, NewProxyRight, ProxyRightsStore } from './proxy-rights.store.ts';
import {
  listProxyAccounts,
  listProxyRights,
  readProxyRight,
  type ProxyAccountsQuery,
  type ProxyRightsQuery,
} from './proxy-rights.views.ts';

/** Who asks, about which tenant. */
export interface ProxyAsking extends Asking {
  readonly tenantId: string;
}

export interface ProxyRightsParts {
  readonly store: ProxyRightsStore;
  readonly directory: DirectoryParties;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly approvals: Pick<Approvals, 'on' | 'ask' | 'open' | 'lapse'>;
}

export interface ProxyRightsService {
  list(asking: Pick<ProxyAsking, 'scope' | 'tenantId'>, query: ProxyRightsQuery): Promise<Page<ProxyRight>>;
  get(asking: Pick<ProxyAsking, 'scope' | 'tenantId'>, proxyRightId: string): Promise<ProxyRight>;
  accounts(asking: Pick<ProxyAsking, 'scope' | 'tenantId'>, query: ProxyAccountsQuery): Promise<Page<ProxyAccount>>;
  /** A holder with everything they hold or held. */
  account(asking: Pick<ProxyAsking, 'scope' | 'tenantId'>, holderId: string): Promise<{ holder: ProxyHolder; items: ProxyRight[] }>;
  grant(asking: ProxyAsking, body: ProxyRightBody): Promise<ProxyRight>;
  remove(asking: ProxyAsking, proxyRightId: string): Promise<void>;
  /** Reads again from the directory what rights name. Throws after the last when one could not be read. */
  synchronise(scope: Scope, signal?: AbortSignal): Promise<void>;
}

const KIND = 'privateAccess';
const everyone = { kind: 'everyone', id: null, name: '', address: '' } as const;
/** How many rights of a holder are read at a time. */
const PAGE = 200;

function refuse(code: string, field: string): never {
  throw new AppError(code, { details: { field } });
}

/** Reads what a right names, and refuses what the directory does not have. */
async function readParties(
  { directory }: ProxyRightsParts,
  { scope, tenantId }: ProxyAsking,
  { holder, target }: ProxyRightBody,
): Promise<{ readonly holder: DirectoryParty; readonly target: DirectoryParty | typeof everyone }> {
  const held = await directory.read(scope, tenantId, holder);
  if (!held) return refuse('proxy-rights.party-unknown', 'holder');
  if (target.kind === 'everyone') return { holder: held, target: everyone };
  const reached = await directory.read(scope, tenantId, target);
  return reached ? { holder: held, target: reached } : refuse('proxy-rights.party-unknown', 'target');
}

function rowOf(
  { actor, tenantId }: ProxyAsking,
  body: ProxyRightBody,
  { holder, target }: Awaited<ReturnType<typeof readParties>>,
): Omit<NewProxyRight, 'proxy_right_id' | 'granted_at'> {
  return {
    tenant_id: tenantId,
    holder_kind: holder.kind,
    holder_id: holder.id,
    holder_name: holder.name,
    holder_address: holder.address,
    target_kind: target.kind,
    target_id: target.id,
    target_name: target.name,
    target_address: target.address,
    may: [...new Set(body.may)],
    mail_from: body.mailFrom,
    mail_to: body.mailTo,
    access_from: body.accessFrom,
    access_to: body.accessTo,
    purpose: body.purpose,
    granted_by: actor.accountId,
    granter: actor.email,
    remover: null,
  };
}

function createChanges(parts: ProxyRightsParts): Pick<ProxyRightsService, 'grant' | 'remove'> {
  const { store, audit, clock, ids, approvals } = parts;

  approvals.on(KIND, {
    async apply(tx, { subjectId, decider }) {
      const isOpen = await store.openPrivate(tx, subjectId, { decider: decider ?? '', at: now(clock) });
      // Whoever holds a right cannot be one of the two who let it open private messages.
      if (isOpen === undefined) throw new AppError('proxy-rights.own');
      return isOpen;
    },
    drop: () => Promise.resolve(),
  });

  async function askForPrivate(tx: Tx, { scope, actor, tenantId }: ProxyAsking, { proxyRightId, holder, target, purpose }: ProxyRight) {
    const details = { contentOf: target.kind === 'everyone' ? 'Microsoft 365' : target.name, reason: purpose };
    await approvals.ask(tx, { scope, actor, tenantId, kind: KIND, subject: { id: proxyRightId, name: holder.name }, details });
  }

  async function note(tx: Tx, { actor, caller }: ProxyAsking, event: AuditEvent, right: ProxyRight): Promise<void> {
    const { holder, target, may, mailFrom, mailTo, accessFrom, accessTo } = right;
    await audit.record(tx, {
      event,
      actor: actorEntry(actor, caller),
      subject: { kind: 'proxyRight', id: right.proxyRightId, name: holder.name },
      reason: right.purpose,
      details: { contentOf: target.kind === 'everyone' ? 'everyone' : target.name, may, mailFrom, mailTo, accessFrom, accessTo },
    });
  }

  async function read(tx: Tx, { tenantId }: ProxyAsking, id: string, at: Date): Promise<ProxyRight> {
    const right = await readProxyRight(tx, tenantId, id, at);
    if (!right) throw new AppError('not-found');
    return right;
  }

  return {
    async grant(asking, body) {
      const { holder, target } = body;
      if (target.kind === holder.kind && target.id === holder.id) refuse('proxy-rights.already-selected', 'target');
      if (Date.parse(body.accessTo) <= clock.nowMs()) refuse('proxy-rights.access-over', 'accessTo');
      const parties = await readParties(parts, asking, body);
      const own = asking.actor.email.toLowerCase();
      if (parties.holder.people.some(({ addresses }) => addresses.includes(own))) refuse('proxy-rights.own', 'holder');
      const at = now(clock);
      const row = { ...rowOf(asking, body, parties), proxy_right_id: ids.uuid(), granted_at: at };
      return store.within(asking.scope, async (tx) => {
        await store.lock(tx);
        if (await store.overlaps(tx, row)) refuse('proxy-rights.already-holds', 'holder');
        for (const party of [parties.holder, parties.target]) {
          if (party.kind !== 'everyone') await store.keepParty(tx, { ...party, tenantId: asking.tenantId }, party.people, at);
        }
        await store.add(tx, row);
        const right = await read(tx, asking, row.proxy_right_id, at);
        await note(tx, asking, 'proxy-rights.granted', right);
        if (!body.includesPrivate) return right;
        await askForPrivate(tx, asking, right);
        return read(tx, asking, row.proxy_right_id, at);
      });
    },
    remove: (asking, proxyRightId) =>
      store.within(asking.scope, async (tx) => {
        const at = now(clock);
        await read(tx, asking, proxyRightId, at);
        const isEnded = await store.end(tx, { tenantId: asking.tenantId, id: proxyRightId }, { remover: asking.actor.email, at });
        if (!isEnded) throw new AppError('proxy-rights.over');
        await approvals.lapse(tx, { kind: KIND, subjectId: proxyRightId });
        await note(tx, asking, 'proxy-rights.removed', await read(tx, asking, proxyRightId, at));
      }),
  };
}

export function createProxyRightsService(parts: ProxyRightsParts): ProxyRightsService {
  const { store, directory, clock } = parts;

  async function synchroniseParty(scope: Scope, named: NamedParty): Promise<void> {
    const people = await directory.people(scope, named.tenantId, named);
    await store.within(scope, (tx) => store.keepParty(tx, named, people, now(clock)));
  }

  return Object.freeze<ProxyRightsService>({
    ...createChanges(parts),
    list: ({ scope, tenantId }, query) => store.within(scope, (tx) => listProxyRights(tx, tenantId, query, now(clock))),
    get: ({ scope, tenantId }, proxyRightId) =>
      store.within(scope, async (tx) => {
        const right = await readProxyRight(tx, tenantId, proxyRightId, now(clock));
        if (!right) throw new AppError('not-found');
        return right;
      }),
    accounts: ({ scope, tenantId }, query) => store.within(scope, (tx) => listProxyAccounts(tx, tenantId, query, now(clock))),
    account: ({ scope, tenantId }, holderId) =>
      store.within(scope, async (tx) => {
        const items: ProxyRight[] = [];
        for (let cursor: string | null | undefined; cursor !== null;) {
          const page = await listProxyRights(tx, tenantId, { holderId, limit: PAGE, cursor }, now(clock));
          items.push(...page.items);
          cursor = page.nextCursor;
        }
        const [first] = items;
        if (!first) throw new AppError('not-found');
        return { holder: first.holder, items };
      }),
    async synchronise(scope, signal) {
      const faults: unknown[] = [];
      for (const named of await store.within(scope, (tx) => store.parties(tx, now(clock)))) {
        if (signal?.aborted === true) return;
        await synchroniseParty(scope, named).catch((error: unknown) => faults.push(error));
      }
      if (faults.length > 0) throw new AggregateError(faults, 'accounts and groups of proxy rights could not be read');
    },
  });
}
