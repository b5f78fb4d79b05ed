import type { User } from '@microsoft/microsoft-graph-types';
import { isGraphError } from '../errors/errors.ts';
import type { Caller } from '../client/caller.ts';
import { list } from '../client/paging/listing.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import { closeRoles } from '../sign-in/permissions.ts';

/** Reads that show whether Exchange itself grants a role. RBAC for Applications has no role for To Do. */
const PROBES = {
  'Mail.Read': { route: 'GET /users/{id}/mailFolders', query: { $top: '1' } },
  'MailboxSettings.Read': { route: 'GET /users/{id}/mailboxSettings' },
  'Calendars.Read': { route: 'GET /users/{id}/calendars', query: { $top: '1' } },
  'Contacts.Read': { route: 'GET /users/{id}/contactFolders', query: { $top: '1' } },
} as const satisfies Record<string, Pick<GraphCall, 'route' | 'query'>>;
type ProbedRole = keyof typeof PROBES;
const PROBED = Object.keys(PROBES) as readonly ProbedRole[];

const MOST_MAILBOXES = 20;
/** A mailbox outside the scope, or none at all: another one may be inside. */
const REFUSALS = ['graph.permission-missing', 'graph.access-denied', 'graph.mailbox-closed', 'graph.mailbox-missing'] as const;

async function* mailboxes(caller: Caller): AsyncGenerator<string, void, undefined> {
  let count = 0;
  const query = { $select: 'id,mail,assignedLicenses' };
  for await (const user of list<User>(caller, { route: 'GET /users', query }, { by: 'top', size: 100 })) {
    if (!user.mail || (user.assignedLicenses ?? []).length === 0) continue;
    if (count >= MOST_MAILBOXES) return;
    count += 1;
    yield user.id;
  }
}

async function opens(caller: Caller, userId: string, role: ProbedRole): Promise<boolean> {
  try {
    await caller.send({ ...PROBES[role], params: [userId], isProbe: true });
    return true;
  } catch (error) {
    if (isGraphError(error, ...REFUSALS, 'graph.resource-gone')) return false;
    throw error;
  }
}

/** Reads mailboxes, the first ones with a licence, for the roles that the token lacks; stops at one that opens. */
export async function probeExchange(caller: Caller, granted: readonly string[]): Promise<ReadonlySet<string>> {
  const closed = closeRoles(granted);
  const wanted = PROBED.filter((role) => !closed.has(role));
  const found = new Set<string>();
  if (wanted.length === 0) return found;
  try {
    for await (const userId of mailboxes(caller)) {
      for (const role of wanted) if (await opens(caller, userId, role)) found.add(role);
      if (found.size > 0) break;
    }
  } catch (error) {
    // Without the role that lists people nothing can be tried.
    if (!isGraphError(error, ...REFUSALS)) throw error;
  }
  return found;
}
