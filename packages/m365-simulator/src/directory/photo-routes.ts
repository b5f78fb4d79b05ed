import { createHash } from 'node:crypto';
import { badRequest, Failure } from '../http/failure.ts';
import { bytes, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { type Picture, pictureBytes } from '../state/picture.ts';
import type { ReceivedBytes } from '../state/received.ts';
import { requirePerson } from './directory-routes.ts';

function photos(context: Context): Map<string, ReceivedBytes> {
  return context.tenant.store.state('photos', () => new Map<string, ReceivedBytes>());
}

function getPhoto(context: Context): Reply {
  const person = requirePerson(context);
  const stored = photos(context).get(person.id);
  // Two thirds of the members have a picture from the beginning.
  const isGenerated = person.kind === 'member' && Number.parseInt(person.id.slice(0, 2), 16) % 3 !== 0;
  const picture: Picture | undefined = stored ?? (isGenerated ? 'generated' : undefined);
  if (!picture) throw new Failure(404, 'ImageNotFound', 'The photo was not found.');
  const photo = pictureBytes(context.tenant.received, picture);
  const etag = `"${createHash('sha256').update(photo).digest('hex').slice(0, 32)}"`;
  return bytes(photo, photo[0] === 0xff ? 'image/jpeg' : 'image/png', { ETag: etag });
}

async function putPhoto(context: Context): Promise<Reply> {
  const person = requirePerson(context);
  const photo = await context.body();
  if (photo.byteLength === 0) throw badRequest('outlook', 'The picture is empty.');
  photos(context).set(person.id, context.tenant.received.add(photo));
  return { status: 200 };
}

/** Pictures of people. */
export const photoRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/users/{id}/photo/$value', service: 'outlook', handler: getPhoto },
  { method: 'PUT', path: '/users/{id}/photo/$value', service: 'outlook', handler: putPhoto },
];
