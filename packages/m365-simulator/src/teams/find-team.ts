import type { Person } from '../state/directory.ts';
import { textField } from '../http/body-fields.ts';
import { badRequest, notFound } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { isGuid } from '../http/guid.ts';
import type { Context } from '../http/route.ts';
import { type ChannelRecord, findChannel, findTeam, type TeamRecord } from '../places/team-records.ts';

/** The team that the path names first; 404 also while it is still being made. */
export function requireTeam(context: Context, id = context.params[0] ?? ''): TeamRecord {
  const team = findTeam(context.tenant, id);
  if (team && team.visibleMs <= context.tenant.clock.nowMs()) return team;
  if (!isGuid(id)) throw badRequest('teams', 'teamId needs to be a valid GUID.');
  throw notFound('teams', `No team found with Group Id ${id}`);
}

/** The channel that the path names second, in the team that it names first. */
export function requireChannel(context: Context): ChannelRecord {
  const team = requireTeam(context);
  const channel = findChannel(context.tenant, context.params[1] ?? '');
  if (channel?.teamId === team.id) return channel;
  throw notFound('teams', 'The channel was not found.');
}

const KEYED = /\('([^']+)'\)\s*$/;

/** The key at the end of an `@odata.bind` address: `…/users('id')` or `…/users/id`. */
export function boundKey(body: JsonObject, name: string): string | undefined {
  const address = textField(body, `${name}@odata.bind`);
  return address && (KEYED.exec(address)?.[1] ?? address.split('/').at(-1));
}

/** The person that `user@odata.bind` names, or 400. */
export function boundPerson(context: Context, body: JsonObject): Person {
  const person = context.tenant.directory.user(boundKey(body, 'user') ?? '');
  if (person) return person;
  throw badRequest('teams', "The value of 'user@odata.bind' is not a user of this tenant.");
}
