import type { JsonObject } from '../values/json.ts';
import { placesOf } from '../places/places.ts';
import { unwind } from '../state/change-log.ts';
import type { Received } from '../state/received.ts';
import type { Tenant } from '../state/tenant.ts';
import type { TruthProvider, TruthRecord } from '../state/truth.ts';
import type { Actor } from '../state/actor.ts';
import { type Grant, type ItemRecord, currentVersion } from './drive-record.ts';
import { contentHash, contentSha256 } from './file-content.ts';
import { pathOf } from './find-item.ts';
import { type OpenDrive, openDrive } from './open-drive.ts';

function open(tenant: Tenant, owner: string): OpenDrive | undefined {
  const places = placesOf(tenant);
  const library = places.drive(owner) ?? places.driveOfUser(tenant.directory.user(owner)?.id ?? '');
  return library && openDrive(tenant, library);
}

function actorText(actor: Actor): string {
  return 'appId' in actor ? `app:${actor.appId}` : actor.userId;
}

function grantFacts({ id, role, people, link, expiresMs }: Grant): JsonObject {
  return {
    id,
    role,
    people: people.map((person) => person.userId ?? person.email ?? ''),
    ...(link ? { link: { type: link.type, scope: link.scope, hasPassword: link.hasPassword } } : {}),
    ...(expiresMs === undefined ? {} : { expiresAt: new Date(expiresMs).toISOString() }),
  };
}

function facts(received: Received, item: ItemRecord): JsonObject {
  const version = currentVersion(item);
  return {
    name: item.name,
    parentId: item.parentId ?? null,
    createdAt: new Date(item.createdMs).toISOString(),
    modifiedAt: new Date(item.modifiedMs).toISOString(),
    fileCreatedAt: new Date(item.fileCreatedMs).toISOString(),
    fileModifiedAt: new Date(item.fileModifiedMs).toISOString(),
    createdBy: actorText(item.createdBy),
    modifiedBy: actorText(item.modifiedBy),
    revision: item.revision,
    inherits: item.inherits,
    permissions: item.grants.map((grant) => grantFacts(grant)),
    ...(version ? { quickXorHash: contentHash(version.content) } : {}),
    ...(item.versions.length === 0
      ? {}
      : {
          versions: item.versions.map(({ id, content, modifiedMs }) => ({
            id,
            sizeBytes: content.sizeBytes,
            sha256: contentSha256(received, content),
            modifiedAt: new Date(modifiedMs).toISOString(),
          })),
        }),
    ...(item.fields ? { fields: item.fields } : {}),
    ...(item.malware === undefined ? {} : { malware: item.malware }),
    ...(item.isLocked === true ? { isLocked: true } : {}),
    ...(item.packageType === undefined ? {} : { packageType: item.packageType }),
    ...(item.remote ? { remote: item.remote } : {}),
  };
}

function* recordsOf(drive: OpenDrive, at?: number): Generator<TruthRecord, void, undefined> {
  const then = at === undefined ? new Map<string, ItemRecord | null | undefined>() : unwind(drive.state.journal, at);
  const itemThen = (id: string): ItemRecord | undefined => {
    if (!then.has(id)) return drive.peek(id);
    const before = then.get(id);
    return before === null ? drive.seeded(id) : before;
  };
  const seen = new Set<string>();
  const ids = function* (): Generator<string, void, undefined> {
    for (let position = 0; position < drive.feed.size; position += 1) {
      const id = drive.feed.at(position)?.id;
      if (id !== undefined) yield id;
    }
    yield* then.keys();
  };
  for (const id of ids()) {
    if (seen.has(id)) continue;
    if (then.size > 0) seen.add(id);
    const item = itemThen(id);
    if (!item || item.deletedMs !== undefined || item.parentId === undefined) continue;
    const version = currentVersion(item);
    yield {
      path: pathOf({ peek: itemThen }, item),
      id,
      kind: item.kind,
      ...(version ? { sha256: contentSha256(drive.tenant.received, version.content), sizeBytes: version.content.sizeBytes } : {}),
      metadata: facts(drive.tenant.received, item),
    };
  }
}

/** What is really in a drive; the owner is a drive id, or a user for the OneDrive. */
export const driveTruth: TruthProvider = {
  kind: 'drives',
  owners: (tenant) => placesOf(tenant).libraries.map((library) => library.driveId),
  changeCount: (tenant, owner) => open(tenant, owner)?.state.journal.length ?? 0,
  records(tenant, owner, at) {
    const drive = open(tenant, owner);
    return drive ? recordsOf(drive, at) : [];
  },
};
