import { textField } from '../http/body-fields.ts';
import { Failure, notFound } from '../http/failure.ts';
import type { Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { contentTypeOf } from '../content/file-bytes.ts';
import { type ItemRecord, type VersionRecord, currentVersion } from './drive-record.ts';
import { contentStream } from './file-content.ts';
import { requireDrive, requireItem, siteOf } from './find-item.ts';
import type { OpenDrive } from './open-drive.ts';

const PATH = '/_layouts/15/download.aspx';

/** What a download link opens: the present content, or one version. */
export interface DownloadTarget {
  readonly itemId: string;
  readonly versionId?: string;
}

/** A pre-authenticated address of the bytes, which lives for a while. */
export function downloadUrl(context: Context, drive: OpenDrive, target: DownloadTarget): string {
  return context.links.signed({
    host: 'sharepoint',
    hostName: siteOf(drive.tenant, drive.library).hostName,
    path: PATH,
    query: `UniqueId=${drive.guid(target.itemId).toLowerCase()}&Translate=false`,
    claims: { drive: drive.library.driveId, item: target.itemId, ...(target.versionId === undefined ? {} : { version: target.versionId }) },
    livesSeconds: context.tenant.switches.downloadUrlSeconds,
    expiredStatus: 401,
  });
}

/** Refuses infected content, as SharePoint does, with its header. */
export function requireClean(context: Context, item: ItemRecord): void {
  if (item.malware === undefined && !context.hasEffect('malware')) return;
  throw new Failure(403, 'malwareDetected', 'Malware was found in the file.', { headers: { 'X-Virus-Infected': 'true' } });
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Reads `Range`; undefined when there is none or it is no single range of bytes. */
function readRange(header: string | undefined, sizeBytes: number): Span | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  const from = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const to = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  return from < sizeBytes && from < to ? { from, to } : 'unsatisfiable';
}

function versionOf(item: ItemRecord, versionId: string | undefined): VersionRecord {
  const version = versionId === undefined ? currentVersion(item) : item.versions.find(({ id }) => id === versionId);
  if (!version) throw notFound('drives');
  return version;
}

function download(context: Context): Reply {
  const drive = requireDrive(context, textField(context.claims, 'drive') ?? '');
  const item = requireItem(drive, textField(context.claims, 'item') ?? '');
  requireClean(context, item);
  const version = versionOf(item, textField(context.claims, 'version'));
  const { content } = version;
  const eTag = `"{${drive.guid(item.id)}},${version.id}"`;
  const ifMatch = context.headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== eTag) {
    throw new Failure(412, 'resourceModified', 'The content has changed since it was last read.');
  }
  const ifRange = context.headers['if-range'];
  const range = ifRange === undefined || ifRange === eTag ? readRange(context.headers.range, content.sizeBytes) : undefined;
  const headers = { ETag: eTag, 'Accept-Ranges': 'bytes', 'Last-Modified': new Date(version.modifiedMs).toUTCString() };
  if (range === 'unsatisfiable') {
    throw new Failure(416, 'invalidRange', 'The range is not within the file.', {
      headers: { 'Content-Range': `bytes */${content.sizeBytes}` },
    });
  }
  const { from, to } = range ?? { from: 0, to: content.sizeBytes };
  return {
    status: range ? 206 : 200,
    headers: range ? { ...headers, 'Content-Range': `bytes ${from}-${to - 1}/${content.sizeBytes}` } : headers,
    body: { bytes: contentStream(context.tenant.received, content, from, to), contentType: contentTypeOf(item.name), sizeBytes: to - from },
  };
}

/** What download links lead to. */
export const downloadRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: PATH, host: 'sharepoint', service: 'drives', handler: download },
];
