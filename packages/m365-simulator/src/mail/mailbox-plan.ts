import type { Person } from '../state/directory.ts';
import { between, logNormal, randomOf } from '../values/seeded.ts';
import type { Tenant } from '../state/tenant.ts';
import { FIRST_PERSONAL, INBOX, personalFolders, wellKnownFolders } from './well-known-folders.ts';

/** How a mailbox looked before anybody touched it: folders, and how many messages each has. */
export interface PlannedFolder {
  readonly number: number;
  readonly displayName: string;
  readonly parent: number;
  readonly wellKnownName: string | undefined;
  readonly isHidden: boolean;
  readonly messages: number;
}

interface TenantPlan {
  readonly sizes: ReadonlyMap<string, number>;
  readonly members: readonly Person[];
  readonly threads: number;
}

const plans = new WeakMap<Tenant, TenantPlan>();

/** Sizes that add up to exactly `total`, in proportion to `weights`. */
function apportion(weights: readonly number[], total: number): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const sizes = weights.map((weight) => Math.floor((weight / sum) * total));
  let left = total - sizes.reduce((all, size) => all + size, 0);
  for (let index = 0; left > 0; index = (index + 1) % sizes.length) {
    if ((weights[index] ?? 0) === 0) continue;
    sizes[index] = (sizes[index] ?? 0) + 1;
    left -= 1;
  }
  return sizes;
}

function sizesOf(tenant: Tenant, owners: readonly Person[]): number[] {
  const { mail } = tenant.recipe;
  if (owners.length === 0) return [];
  const weights = owners.map((_owner, index) =>
    mail.isUniform ? 1 : logNormal(randomOf({ seed: tenant.seed, kind: 'size', owner: '', index }), 1, 0.5),
  );
  const total =
    mail.total ??
    (mail.isUniform
      ? mail.messagesPerUser * owners.length
      : Math.round(mail.messagesPerUser * weights.reduce((all, weight) => all + weight, 0)));
  if (mail.largest === undefined) return apportion(weights, total);
  return [mail.largest, ...apportion(weights.slice(1), total - mail.largest)];
}

/** The people as they were generated: later changes of the directory do not move anybody's mail. */
function planOf(tenant: Tenant): TenantPlan {
  const known = plans.get(tenant);
  if (known) return known;
  const people = tenant.directory.generated();
  const owners = people.filter((person) => person.hasMailbox);
  const sizes = sizesOf(tenant, owners);
  const total = sizes.reduce((all, size) => all + size, 0);
  const plan = {
    sizes: new Map(owners.map((person, index) => [person.id, sizes[index] ?? 0])),
    members: people.filter((person) => person.kind === 'member'),
    threads: Math.max(4, Math.floor(total / 8)),
  };
  plans.set(tenant, plan);
  return plan;
}

/** The generated members, for conversations. */
export function generatedMembers(tenant: Tenant): readonly Person[] {
  return planOf(tenant).members;
}

/** How many conversations the tenant has. */
export function threadCount(tenant: Tenant): number {
  return planOf(tenant).threads;
}

/** The folders of a mailbox as generated. Small, and cheap enough to be made when asked. */
export function plannedFolders(tenant: Tenant, person: Person): PlannedFolder[] {
  const size = planOf(tenant).sizes.get(person.id) ?? 0;
  const random = randomOf({ seed: tenant.seed, kind: 'folders', owner: person.id, index: 0 });
  const count = size === 0 ? 0 : between(random, 2, personalFolders.length);
  const shares = [
    ...wellKnownFolders.map((folder) => ({ number: folder.number, share: folder.share })),
    ...personalFolders.slice(0, count).map((folder, index) => ({ number: FIRST_PERSONAL + index, share: folder.share })),
  ];
  const sizes = apportion(
    shares.map((entry) => entry.share),
    size,
  );
  const messages = new Map(shares.map((entry, index) => [entry.number, sizes[index] ?? 0]));
  const hasChats = tenant.recipe.hasOddities && person.kind === 'member';
  const standard = wellKnownFolders.map((folder) => ({
    number: folder.number,
    displayName: folder.displayNames[person.language],
    parent: folder.parent,
    wellKnownName: folder.name,
    isHidden: folder.isHidden,
    messages: folder.name === 'teamsmessagesdata' && hasChats ? 3 : (messages.get(folder.number) ?? 0),
  }));
  const personal = personalFolders.slice(0, count).map((folder, index) => ({
    number: FIRST_PERSONAL + index,
    displayName: folder.names[person.language],
    parent: folder.parent >= FIRST_PERSONAL + index ? INBOX : folder.parent,
    wellKnownName: undefined,
    isHidden: false,
    messages: messages.get(FIRST_PERSONAL + index) ?? 0,
  }));
  return [...standard, ...personal];
}
