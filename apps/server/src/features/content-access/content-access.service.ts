import { mayDo } from '@holdfast/contract/actions';
import type { ProxyAction } from '@holdfast/contract/proxy-rights';
import type { Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn, type Actor, type Membership } from '../../access/actor.ts';
import type { Sight } from '../marks/index.ts';
import {
  groundsOn,
  isExemptResource,
  itemsIn,
  nothingReached,
  openReach,
  outsideOf,
  personById,
  reachedBy,
  reachesAnything,
  type ContentGround,
  type Person,
  type Reached,
  type SearchReach,
} from './reach.views.ts';
import { holdsPrivate, isAnythingPrivate } from './private.views.ts';

/** Who wants to open content, where. */
export interface ContentAsking {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly tenantId: string;
}

/** Somebody as an account of a tenant, signed in or not. */
export interface Account {
  readonly tenantId: string;
  readonly accountId: string;
}

/** What is wanted of content. To print a mail or to take an attachment of it takes the right to download it, except for an auditor. */
export type ContentAction = ProxyAction | 'print' | 'attachment';

export interface WantedContent {
  readonly action: ContentAction;
  readonly resourceId: string;
  /** Item keys; `all` for the whole resource. */
  readonly items: 'all' | readonly string[];
  /** The restore point of which they are wanted; what was frozen for an auditor opens in that version alone. */
  readonly sequence?: number;
}

/** A message and those around it, each in the version that is shown. */
export interface WantedAround {
  readonly action: 'read' | 'export';
  readonly resourceId: string;
  readonly hit: KeptVersion;
  readonly around: readonly KeptVersion[];
}

interface KeptVersion {
  readonly key: string;
  readonly version: number;
}

/** What opens of a message and those around it. */
export interface OpenedAround {
  readonly ground: ContentGround;
  readonly keys: ReadonlySet<string>;
}

/** Decides who opens what is kept of somebody. Everything that shows contents asks it. */
export interface ContentAccess {
  /** Refuses whoever may not do this to these items; answers why they may, for the audit log. */
  require(tx: Tx, asking: ContentAsking, wanted: WantedContent): Promise<ContentGround>;
  /** The same for an account that nobody is signed in to: a run uses the rights that its person has when it begins. */
  requireBy(tx: Tx, account: Account, wanted: WantedContent): Promise<ContentGround>;
  /**
   * Refuses whoever may not open a message; answers which of those around it they may. A case opens what was said around a message that it
   * finds, in its period; every other right opens of it what it would open alone.
   */
  requireAround(tx: Tx, asking: ContentAsking, wanted: WantedAround): Promise<OpenedAround>;
  /** The same for an account that nobody is signed in to. */
  requireAroundBy(tx: Tx, account: Account, wanted: WantedAround): Promise<OpenedAround>;
  /** Refuses whoever may not take away content that is nobody's: where access is strict it opens to no one. */
  requireUnassigned(tx: Tx, asking: Pick<ContentAsking, 'actor' | 'scope'>): Promise<void>;
  /** Refuses whoever may not see what a case of theirs finds. */
  requireCase(tx: Tx, asking: ContentAsking, caseId: string): Promise<void>;
  /** Whether it is their own mailbox or drive, or the archive of it. */
  owns(tx: Tx, asking: ContentAsking, resourceId: string): Promise<boolean>;
  /** What somebody may search. Refuses whoever may search nothing at all. */
  searchable(tx: Tx, asking: ContentAsking): Promise<SearchReach>;
  /** The same for an account that nobody is signed in to, without a refusal: alerts run on their own. */
  searchableBy(tx: Tx, account: Account): Promise<SearchReach>;
}

/** Single items of one resource. */
export interface CaseContent {
  readonly resourceId: string;
  readonly items: readonly string[];
}

/** What cases let their members open. They are a feature of their own, which asks this one in turn. */
export interface CaseGround {
  /** An open case of theirs that finds all of these items, and its period. */
  caseOf(
    tx: Tx,
    person: Person,
    wanted: CaseContent,
  ): Promise<{ readonly caseId: string; readonly from_at: Date | null; readonly to_at: Date | null } | undefined>;
  /** Whether they are a member whom somebody else has added. */
  opens(tx: Tx, person: Person, caseId: string): Promise<boolean>;
}

/** What was frozen for auditors. It is a feature of its own, which asks this one in turn. */
export interface AuditorGround {
  /** An access of theirs, in force now, whose list has all of these items as this restore point shows them. */
  accessOf(tx: Tx, person: Person, wanted: CaseContent & { readonly sequence: number }): Promise<string | undefined>;
}

interface Asker {
  readonly person: Person;
  readonly role: Membership['role'] | undefined;
}

const REFUSALS = {
  read: 'content.read-right-needed',
  export: 'content.export-right-needed',
  print: 'content.export-right-needed',
  attachment: 'content.export-right-needed',
  restore: 'content.restore-right-needed',
} as const satisfies Record<ContentAction, string>;

/** What the rule of the organisation depends on, read in the transaction that opens the content. */
async function isOpenTo(tx: Tx, role: Membership['role'] | undefined): Promise<boolean> {
  if (role !== 'owner' && role !== 'administrator') return false;
  const row = await tx.selectFrom('organisations').select('content_access').executeTakeFirst();
  return row?.content_access === 'open';
}

/** Whether a ground holds for the time of everything that is wanted; one with a limit opens nothing whole. */
async function isInTime(tx: Tx, { resourceId, items }: WantedContent, ground: Reached): Promise<boolean> {
  if (ground.from_at === null && ground.to_at === null) return true;
  return items !== 'all' && (await outsideOf(tx, resourceId, items, ground)).size === 0;
}

const groundOf = ({ proxy_right_id: proxyRightId }: Reached): ContentGround =>
  proxyRightId === null ? { by: 'own' } : { by: 'proxy', proxyRightId };

/** Whoever asks, as far as their rights depend on it. */
export function personOf({ actor, tenantId }: Pick<ContentAsking, 'actor' | 'tenantId'>): Person {
  return { tenantId, accountId: actor.accountId, address: actor.isEmailConfirmed ? actor.email.toLowerCase() : undefined };
}

/** The same as far as it depends on them which marks they see. */
export function sightOf({ actor, scope, tenantId }: ContentAsking, nowMs: number): Sight {
  return { tenantId, accountId: actor.accountId, role: membershipIn(actor, scope.organisationId, nowMs)?.role };
}

interface ContentAccessParts {
  readonly clock: Clock;
  readonly cases: CaseGround;
  readonly auditors: AuditorGround;
}

/** What auditors do with an item of their list, one by one; the item itself they do not take away. */
const AUDITED: ReadonlySet<ContentAction> = new Set<ContentAction>(['read', 'print', 'attachment']);

/** What an auditor is offered of what they want. */
function auditedIn({ role }: Asker, { action, resourceId, items, sequence }: WantedContent) {
  if (role === undefined || !mayDo(role, 'auditorAccess.read')) return undefined;
  if (!AUDITED.has(action) || items === 'all' || sequence === undefined) return undefined;
  return { resourceId, items, sequence };
}

/** What the rights of somebody came to, in the order in which they are asked. */
interface Weighed {
  readonly ground?: ContentGround;
  /** Something would open it but for the mark of its owner: it is refused as private. */
  readonly isMarked?: boolean;
  /** A right is on the mailbox, if not on its time. */
  readonly isReached?: boolean;
}

function createDecision({ clock, cases, auditors }: ContentAccessParts) {
  /** Members of a case read and take away what it finds, item by item. Putting it into somebody's mailbox needs a right. */
  async function byCase(tx: Tx, { person, role }: Asker, { action, resourceId, items }: WantedContent): Promise<ContentGround | undefined> {
    if (action === 'restore' || items === 'all' || !role || !mayDo(role, 'cases.work')) return undefined;
    const found = await cases.caseOf(tx, person, { resourceId, items });
    if (!found) return undefined;
    const { caseId, from_at: from, to_at: to } = found;
    const isLimited = from !== null || to !== null;
    return isLimited && (await outsideOf(tx, resourceId, items, found)).size > 0 ? undefined : { by: 'case', caseId, from, to };
  }

  /** What was frozen for an auditor, before their other rights, so that the log of the access has it. */
  async function byAuditor(tx: Tx, asker: Asker, wanted: WantedContent): Promise<ContentGround | undefined> {
    const audited = auditedIn(asker, wanted);
    const accessId = audited && (await auditors.accessOf(tx, asker.person, audited));
    return accessId === undefined ? undefined : { by: 'auditor', accessId };
  }

  async function byRoleOrList(tx: Tx, asker: Asker, wanted: WantedContent): Promise<ContentGround | undefined> {
    return (await isOpenTo(tx, asker.role)) ? { by: 'role' } : byAuditor(tx, asker, wanted);
  }

  async function byRight(tx: Tx, { person }: Asker, wanted: WantedContent, isPrivate: boolean): Promise<Weighed> {
    const action = wanted.action === 'print' || wanted.action === 'attachment' ? 'export' : wanted.action;
    const grounds = await groundsOn(tx, reachedBy(person, action, now(clock)), wanted.resourceId);
    let isMarked = false;
    for (const ground of grounds) {
      if (!(await isInTime(tx, wanted, ground))) continue;
      if (ground.opens_private || !isPrivate) return { ground: groundOf(ground) };
      isMarked = true;
    }
    return { isMarked, isReached: grounds.length > 0 };
  }

  async function decide(tx: Tx, asker: Asker, wanted: WantedContent): Promise<ContentGround> {
    const { resourceId, items } = wanted;
    const isExempt = await isExemptResource(tx, resourceId);
    const isPrivate = await holdsPrivate(tx, resourceId, items);
    // Neither a role nor a frozen list opens what is exempt or private.
    const offered = isExempt ? undefined : await byRoleOrList(tx, asker, wanted);
    if (offered && !isPrivate) return offered;
    const { ground, isMarked, isReached } = await byRight(tx, asker, wanted, isPrivate);
    const opening = ground ?? (await byCase(tx, asker, wanted));
    if (opening) return opening;
    if (isExempt) throw new AppError('content.exempt');
    if (offered || isMarked === true) throw new AppError('content.private');
    throw new AppError(isReached === true ? 'content.outside-period' : REFUSALS[wanted.action]);
  }

  return decide;
}

type Decide = ReturnType<typeof createDecision>;

/** A refusal of one message is none of the others; whatever else fails is no answer. */
async function opensAlone(tx: Tx, decide: Decide, asker: Asker, wanted: WantedContent): Promise<boolean> {
  try {
    await decide(tx, asker, wanted);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function decideAround(
  tx: Tx,
  decide: Decide,
  asker: Asker,
  { action, resourceId, hit, around }: WantedAround,
): Promise<OpenedAround> {
  const ground = await decide(tx, asker, { action, resourceId, items: [hit.key], sequence: hit.version });
  const keys = around.map(({ key }) => key);
  if (ground.by === 'case') {
    const outside = await outsideOf(tx, resourceId, keys, { from_at: ground.from, to_at: ground.to });
    return { ground, keys: new Set(keys.filter((key) => !outside.has(key))) };
  }
  if (await opensAlone(tx, decide, asker, { action, resourceId, items: keys })) return { ground, keys: new Set(keys) };
  const opened = new Set([hit.key]);
  for (const { key, version } of around) {
    if (await opensAlone(tx, decide, asker, { action, resourceId, items: [key], sequence: version })) opened.add(key);
  }
  return { ground, keys: opened };
}

export function createContentAccess(parts: ContentAccessParts): ContentAccess {
  const { clock, cases } = parts;
  const decide = createDecision(parts);
  async function accountOf(tx: Tx, { tenantId, accountId }: Account, action: ContentAction): Promise<Asker> {
    const found = await personById(tx, tenantId, accountId, now(clock));
    if (!found) throw new AppError(REFUSALS[action]);
    return found;
  }
  const roleOf = ({ actor, scope }: Pick<ContentAsking, 'actor' | 'scope'>) =>
    membershipIn(actor, scope.organisationId, clock.nowMs())?.role;

  return Object.freeze<ContentAccess>({
    require: (tx, asking, wanted) => decide(tx, { person: personOf(asking), role: roleOf(asking) }, wanted),
    requireBy: async (tx, account, wanted) => decide(tx, await accountOf(tx, account, wanted.action), wanted),
    requireAround: (tx, asking, wanted) => decideAround(tx, decide, { person: personOf(asking), role: roleOf(asking) }, wanted),
    requireAroundBy: async (tx, account, wanted) => decideAround(tx, decide, await accountOf(tx, account, wanted.action), wanted),
    async requireUnassigned(tx, asking) {
      if (!(await isOpenTo(tx, roleOf(asking)))) throw new AppError(REFUSALS.export);
    },
    async requireCase(tx, asking, caseId) {
      if (await isOpenTo(tx, roleOf(asking))) return;
      if (!(await cases.opens(tx, personOf(asking), caseId))) throw new AppError('cases.content-right-needed');
    },
    async owns(tx, asking, resourceId) {
      const grounds = await groundsOn(tx, reachedBy(personOf(asking), 'read', now(clock)), resourceId);
      return grounds.some((ground) => ground.proxy_right_id === null);
    },
    async searchable(tx, asking) {
      const reached = reachedBy(personOf(asking), 'read', now(clock));
      if (await isOpenTo(tx, roleOf(asking))) return openReach(tx, reached);
      if (!(await reachesAnything(tx, reached))) throw new AppError(REFUSALS.read);
      return itemsIn(reached, await isAnythingPrivate(tx));
    },
    async searchableBy(tx, { tenantId, accountId }) {
      const at = now(clock);
      const found = await personById(tx, tenantId, accountId, at);
      if (!found) return nothingReached;
      const reached = reachedBy(found.person, 'read', at);
      return (await isOpenTo(tx, found.role)) ? openReach(tx, reached) : itemsIn(reached, await isAnythingPrivate(tx));
    },
  });
}
