import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { bytes, type Reply } from '../http/reply.ts';
import type { RouteEntry } from '../http/route.ts';

let schema: Buffer | undefined;

/** The metadata of the service, from the package's own copy. */
export function metadata(): Reply {
  schema ??= gunzipSync(readFileSync(new URL('../../data/metadata-v1.0.xml.gz', import.meta.url)));
  return bytes(schema, 'application/xml');
}

export const metadataRoute: RouteEntry = {
  method: 'GET',
  path: '/$metadata',
  service: 'core',
  open: 'the schema needs no role, and no token',
  handler: metadata,
};
