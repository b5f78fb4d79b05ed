import type { ProxyHolder } from '@holdfast/contract/proxy-rights';
import type { Scope } from '@holdfast/database';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import { isGraphError, type GraphClient } from '@holdfast/m365';
import type { TenantGraph } from '../backup/index.ts';

/** A person of the directory with every address that mail reaches them at, and the one they sign in with. */
export interface DirectoryPerson {
  readonly personId: string;
  readonly addresses: readonly string[];
}

/** An account, or a group with its members, as the directory has it now. */
export interface DirectoryParty extends ProxyHolder {
  readonly people: readonly DirectoryPerson[];
}

export interface DirectoryParties {
  /** Undefined when the directory has no such account or group. */
  read(scope: Scope, tenantId: string, party: Pick<ProxyHolder, 'kind' | 'id'>): Promise<DirectoryParty | undefined>;
  /** The account itself or the members of the group; nobody when it is gone. */
  people(scope: Scope, tenantId: string, party: Pick<ProxyHolder, 'kind' | 'id'>): Promise<readonly DirectoryPerson[]>;
}

interface NamedPerson {
  readonly '@odata.type'?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly mail?: string | null | undefined;
  readonly userPrincipalName?: string | null | undefined;
  readonly proxyAddresses?: readonly string[] | null | undefined;
}

const MAIL = /^smtp:/i;

/** The addresses of a person in lower case, each once. `proxyAddresses` also names telephones and directories. */
export function addressesOf({ mail, userPrincipalName, proxyAddresses }: NamedPerson): string[] {
  const aliases = (proxyAddresses ?? []).filter((address) => MAIL.test(address)).map((address) => address.replace(MAIL, ''));
  const all = [mail, userPrincipalName, ...aliases].filter((address) => typeof address === 'string' && address.includes('@'));
  return [...new Set((all as string[]).map((address) => address.trim().toLowerCase()))];
}

/** Members of a group may be groups, devices and apps too. */
function peopleOf(member: NamedPerson): DirectoryPerson[] {
  const isPerson = (member['@odata.type'] ?? '#microsoft.graph.user') === '#microsoft.graph.user';
  return typeof member.id === 'string' && isPerson ? [{ personId: member.id, addresses: addressesOf(member) }] : [];
}

async function membersOf(graph: GraphClient, groupId: string): Promise<DirectoryPerson[]> {
  const people: DirectoryPerson[] = [];
  for await (const member of graph.directory.groupMembers({ groupId })) people.push(...peopleOf(member));
  return people;
}

async function readAccount(graph: GraphClient, id: string): Promise<DirectoryParty | undefined> {
  const user = await graph.directory.user({ userId: id });
  // The directory also finds accounts by their sign-in name; rights name ids, which never change hands.
  if (user.id !== id) return undefined;
  const address = user.mail ?? user.userPrincipalName ?? '';
  return { kind: 'account', id, name: user.displayName ?? address, address, people: peopleOf(user) };
}

async function readGroup(graph: GraphClient, id: string): Promise<DirectoryParty | undefined> {
  for await (const group of graph.directory.groups()) {
    if (group.id !== id) continue;
    return { kind: 'group', id, name: group.displayName ?? '', address: group.mail ?? '', people: await membersOf(graph, id) };
  }
  return undefined;
}

type Named = Pick<ProxyHolder, 'kind' | 'id'>;

export function createDirectoryParties(graph: TenantGraph): DirectoryParties {
  async function whereThere<T>(scope: Scope, tenantId: string, read: (client: GraphClient) => Promise<T>): Promise<T | undefined> {
    try {
      return await graph.use(scope, tenantId, read);
    } catch (cause) {
      if (isGraphError(cause, 'graph.resource-gone', 'graph.item-gone', 'graph.bad-request')) return undefined;
      throw isAppError(cause, 'tenants.deprovisioned') ? cause : new AppError('discovery.directory-unavailable', { cause });
    }
  }
  return Object.freeze<DirectoryParties>({
    read: (scope, tenantId, { kind, id }: Named) =>
      whereThere(scope, tenantId, (client) => (kind === 'account' ? readAccount(client, id) : readGroup(client, id))),
    async people(scope, tenantId, { kind, id }: Named) {
      const people = await whereThere(scope, tenantId, async (client) =>
        kind === 'account' ? (await readAccount(client, id))?.people : membersOf(client, id),
      );
      return people ?? [];
    },
  });
}
