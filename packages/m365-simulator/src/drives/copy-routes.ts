import { objectField, textField } from '../http/body-fields.ts';
import { badRequest, notFound } from '../http/failure.ts';
import { type Reply, accepted, ok } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import type { ItemRecord } from './drive-record.ts';
import { requireDrive, requireItem, siteOf } from './find-item.ts';
import { locateItem } from './item-routes.ts';
import type { OpenDrive } from './open-drive.ts';
import { readConflict, requireSpace, settleName } from './write-file.ts';

interface CopyTarget {
  readonly drive: OpenDrive;
  readonly parentId: string;
  readonly name: string;
}

/** Copies an item with all that is in it: the present contents alone, without versions and rights. */
function copyInto(context: Context, from: OpenDrive, source: ItemRecord, target: CopyTarget): ItemRecord {
  const nowMs = context.tenant.clock.nowMs();
  const actor = { appId: context.caller.appId };
  const { grants: _grants, fields: _fields, isSharingChange: _sharing, ...kept } = source;
  const [last] = source.versions.slice(-1);
  const copy: ItemRecord = {
    ...kept,
    id: target.drive.newId(),
    parentId: target.parentId,
    name: target.name,
    createdMs: nowMs,
    modifiedMs: nowMs,
    createdBy: actor,
    modifiedBy: actor,
    revision: 1,
    contentRevision: 1,
    versions: last ? [{ ...last, id: '1.0', modifiedMs: nowMs, modifiedBy: actor }] : [],
    grants: [],
    inherits: true,
  };
  target.drive.put(copy);
  const children = from.childrenOf(source.id);
  for (let position = 0; position < children.size; position += 1) {
    const child = children.at(position);
    if (child) copyInto(context, from, child, { drive: target.drive, parentId: copy.id, name: child.name });
  }
  return copy;
}

async function copyItem(context: Context): Promise<Reply> {
  const body = await context.json();
  const { drive, item } = locateItem(context);
  const reference = objectField(body, 'parentReference');
  const targetDrive = requireDrive(context, textField(reference, 'driveId') ?? drive.library.driveId);
  const parent = requireItem(targetDrive, textField(reference, 'id') ?? item.parentId ?? 'root');
  if (parent.kind !== 'folder') throw badRequest('drives', 'The target is not a folder.');
  requireSpace(context, targetDrive, item.versions.at(-1)?.content.sizeBytes ?? 0);
  const behavior = readConflict({ '@microsoft.graph.conflictBehavior': context.query.get('@microsoft.graph.conflictBehavior') }, 'fail');
  const { name, existing } = settleName(targetDrive, { parent, name: textField(body, 'name') ?? item.name }, behavior);
  if (existing) targetDrive.remove(existing.id, false);
  const copy = copyInto(context, drive, item, { drive: targetDrive, parentId: parent.id, name });
  const job = { id: `copy-${copy.id}`, itemId: copy.id, driveId: targetDrive.library.driveId };
  targetDrive.state.copies.set(job.id, job);
  const location = context.links.signed({
    host: 'sharepoint',
    hostName: siteOf(context.tenant, targetDrive.library).hostName,
    path: `/_api/v2.0/monitor/${job.id}`,
    claims: { drive: job.driveId, job: job.id },
    livesSeconds: 3600,
  });
  return accepted({ Location: location });
}

function monitor(context: Context): Reply {
  const drive = requireDrive(context, textField(context.claims, 'drive') ?? '');
  const job = drive.state.copies.get(textField(context.claims, 'job') ?? '');
  if (!job) throw notFound('drives', 'The operation is unknown.');
  return ok({ id: job.id, operation: 'ItemCopy', percentageComplete: 100, status: 'completed', resourceId: job.itemId });
}

/** Copies within the service, and the monitor that tells when one is done. */
export const copyRoutes: readonly RouteEntry[] = [
  { method: 'POST', path: '/drives/{id}/items/{id}/copy', service: 'drives', handler: copyItem },
  { method: 'GET', path: '/_api/v2.0/monitor/{id}', host: 'sharepoint', service: 'drives', handler: monitor },
];
