import { listPage } from '../delta/list-page.ts';
import { positionsOf } from '../state/feed.ts';
import { listField, textField, timeField } from '../http/body-fields.ts';
import { Failure, badRequest } from '../http/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { type Reply, created, ok } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import type { Grant, ItemRecord } from './drive-record.ts';
import { requireUnlocked } from './find-item.ts';
import { type Located, locateItem } from './item-routes.ts';
import { effectiveGrants, renderPermission } from './sharing.ts';
import { contentKey } from './random-bytes.ts';

function listPermissions(context: Context): Reply {
  const { drive, item } = locateItem(context);
  return listPage(context, {
    items: positionsOf(effectiveGrants(drive, item)),
    context: `drives('${drive.library.driveId}')/items('${item.id}')/permissions`,
    defaultSize: 200,
    maxSize: 1000,
    render: (grant) => renderPermission(drive, grant),
  });
}

type Person = Grant['people'][number];

function readRecipient(context: Context, value: JsonValue): Person {
  const recipient = isJsonObject(value) ? value : undefined;
  const objectId = textField(recipient, 'objectId');
  const email = textField(recipient, 'email') ?? textField(recipient, 'alias');
  const known = context.tenant.directory.user(objectId ?? email ?? '');
  if (known) return { userId: known.id };
  if (email !== undefined && email.includes('@')) return { email };
  throw new Failure(400, 'invalidRequest', 'One or more users could not be resolved.', { inner: 'noResolvedUsers' });
}

function readRole(body: JsonObject): Grant['role'] {
  const [role] = listField(body, 'roles');
  if (role === 'read' || role === 'write' || role === 'owner') return role;
  throw badRequest('drives', 'The roles are neither read nor write.');
}

/** Writes the item with other rights; only sharing changed. */
function share(context: Context, { drive, item }: Located, change: Pick<ItemRecord, 'grants' | 'inherits'>): void {
  const { clock } = context.tenant;
  drive.put({
    ...item,
    ...change,
    modifiedMs: Math.max(item.modifiedMs, clock.nowMs()),
    revision: item.revision + 1,
    isSharingChange: true,
  });
}

function newGrantId({ drive, item }: Located, index: number): string {
  return Buffer.from(`${item.id}/${drive.state.log.ids.length}/${index}`).toString('base64url');
}

async function invite(context: Context): Promise<Reply> {
  const body = await context.json();
  const located = locateItem(context);
  const { drive, item } = located;
  requireUnlocked(context, item);
  const role = readRole(body);
  const expiresMs = timeField(body, 'expirationDateTime');
  const people = listField(body, 'recipients').map((value) => readRecipient(context, value));
  if (people.length === 0) throw badRequest('drives', 'At least one recipient is needed.');
  const grants = people.map((person, index): Grant => ({
    id: newGrantId(located, index),
    role,
    people: [person],
    ...(expiresMs === undefined ? {} : { expiresMs }),
  }));
  const isSame = (a: Grant, b: Grant): boolean =>
    !a.link && a.people[0]?.userId === b.people[0]?.userId && a.people[0]?.email === b.people[0]?.email;
  const kept = item.grants.filter((old) => !grants.some((grant) => isSame(old, grant)));
  share(context, located, { grants: [...kept, ...grants], inherits: body['retainInheritedPermissions'] === false ? false : item.inherits });
  if (body['sendInvitation'] === true) {
    for (const person of people) {
      const recipient = person.email ?? context.tenant.directory.user(person.userId ?? '')?.mail ?? '';
      context.tenant.outbox.add({ kind: 'sharingMail', recipient, cause: `invite ${item.name}` });
    }
  }
  const annotation = { '@odata.context': context.links.context('Collection(permission)') };
  return ok({ ...annotation, value: grants.map((grant) => renderPermission(drive, grant)) });
}

type Link = NonNullable<Grant['link']>;

function readLink(body: JsonObject): Pick<Link, 'type' | 'scope'> {
  const type = textField(body, 'type') ?? 'view';
  const scope = textField(body, 'scope') ?? 'organization';
  if (type !== 'view' && type !== 'edit') throw badRequest('drives', 'The link type is not supported.');
  if (scope !== 'anonymous' && scope !== 'organization' && scope !== 'users')
    throw badRequest('drives', 'The link scope is not supported.');
  return { type, scope };
}

async function createLink(context: Context): Promise<Reply> {
  const body = await context.json();
  const located = locateItem(context);
  const { drive, item } = located;
  requireUnlocked(context, item);
  const wanted = readLink(body);
  const annotation = { '@odata.context': context.links.context('permission') };
  const existing = item.grants.find(({ link }) => link?.type === wanted.type && link.scope === wanted.scope);
  if (existing) return ok({ ...annotation, ...renderPermission(drive, existing) });
  const id = newGrantId(located, 0);
  const expiresMs = timeField(body, 'expirationDateTime');
  const recipients = wanted.scope === 'users' ? listField(body, 'recipients') : [];
  const grant: Grant = {
    id,
    role: wanted.type === 'view' ? 'read' : 'write',
    people: recipients.map((value) => readRecipient(context, value)),
    link: {
      ...wanted,
      token: Buffer.from(`${contentKey(id)}${item.id}`)
        .toString('base64url')
        .slice(0, 24),
      hasPassword: textField(body, 'password') !== undefined,
    },
    ...(expiresMs === undefined ? {} : { expiresMs }),
  };
  share(context, located, { grants: [...item.grants, grant], inherits: item.inherits });
  if (body['sendNotification'] === true)
    context.tenant.outbox.add({ kind: 'sharingMail', recipient: '', cause: `createLink ${item.name}` });
  return created({ ...annotation, ...renderPermission(drive, grant) });
}

/** Rights on items: who has them, and how they are given. */
export const sharingRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/drives/{id}/items/{id}/permissions', service: 'drives', query: ['$select', '$top'], handler: listPermissions },
  { method: 'POST', path: '/drives/{id}/items/{id}/invite', service: 'drives', handler: invite },
  { method: 'POST', path: '/drives/{id}/items/{id}/createLink', service: 'drives', handler: createLink },
];
