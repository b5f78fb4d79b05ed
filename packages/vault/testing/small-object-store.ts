import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Enough of S3 in memory for a vault: buckets, objects, ranges, conditional puts and lists. It can go away and come back. */
export interface SmallObjectStore {
  readonly endpoint: string;
  /** From now on every connection is cut, until `comeBack`. */
  goAway(): void;
  comeBack(): void;
  /** From now on nobody finds this bucket. */
  dropBucket(name: string): void;
  close(): Promise<void>;
}

const PAGE_KEYS = 1_000;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function listed(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('start-after') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, Number(query.get('max-keys') ?? PAGE_KEYS));
  const entry = (key: string): string => {
    const size = objects.get(key)?.byteLength ?? 0;
    return `<Contents><Key>${escaped(key)}</Key><Size>${size}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`;
  };
  return `<ListBucketResult><IsTruncated>${page.length < keys.length}</IsTruncated>${page.map(entry).join('')}</ListBucketResult>`;
}

/** The bytes that a range header asks for. */
function cut(data: Buffer, range: string | undefined): Buffer | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (range === undefined) return data;
  const start = from === '' ? Math.max(0, data.byteLength - Number(to)) : Number(from);
  const end = from === '' || to === '' ? data.byteLength : Math.min(data.byteLength, Number(to) + 1);
  return start >= data.byteLength ? undefined : data.subarray(start, end);
}

function read(response: ServerResponse, data: Buffer | undefined, request: IncomingMessage): void {
  if (!data) return fail(response, 404, 'NoSuchKey');
  const { range } = request.headers;
  const part = cut(data, range);
  if (!part) return fail(response, 416, 'InvalidRange');
  const headers = { 'content-length': part.byteLength, 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT', etag: '"one"' };
  const at = data.indexOf(part);
  response.writeHead(range === undefined ? 200 : 206, {
    ...headers,
    ...(range === undefined ? {} : { 'content-range': `bytes ${at}-${at + part.byteLength - 1}/${data.byteLength}` }),
  });
  response.end(request.method === 'HEAD' ? undefined : part);
}

async function write(objects: Map<string, Buffer>, key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const data = await bodyOf(request);
  const wanted = request.headers['content-md5'];
  if (wanted !== undefined && createHash('md5').update(data).digest('base64') !== wanted) return fail(response, 400, 'BadDigest');
  if (request.headers['if-none-match'] === '*' && objects.has(key)) return fail(response, 412, 'PreconditionFailed');
  objects.set(key, data);
  response.writeHead(200, { etag: '"one"' }).end();
}

/** Every bucket is there until it is dropped. */
interface Buckets {
  readonly objects: Map<string, Map<string, Buffer>>;
  readonly dropped: Set<string>;
}

function objectsOf({ objects, dropped }: Buckets, name: string): Map<string, Buffer> | undefined {
  if (dropped.has(name)) return undefined;
  const known = objects.get(name) ?? new Map<string, Buffer>();
  objects.set(name, known);
  return known;
}

async function serve(buckets: Buckets, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, bucket = '', ...path] = url.pathname.split('/');
  const key = decodeURIComponent(path.join('/'));
  const objects = objectsOf(buckets, bucket);
  if (!objects) return fail(response, 404, 'NoSuchBucket');
  const { method } = request;
  if (url.searchParams.has('list-type')) return void response.end(listed(objects, url.searchParams));
  if (url.searchParams.has('uploads') && method === 'GET')
    return void response.end('<ListMultipartUploadsResult></ListMultipartUploadsResult>');
  const isPlain = ['uploads', 'uploadId', 'retention'].every((name) => !url.searchParams.has(name));
  const isLocked = request.headers['x-amz-object-lock-mode'] !== undefined;
  if (!isPlain || isLocked) return fail(response, 501, 'NotImplemented');
  if (method === 'PUT') return write(objects, key, request, response);
  if (method === 'DELETE') {
    objects.delete(key);
    return void response.writeHead(204).end();
  }
  return read(response, objects.get(key), request);
}

/** Starts one on loopback. Signatures are not checked. */
export async function startSmallObjectStore(): Promise<SmallObjectStore> {
  const buckets: Buckets = { objects: new Map(), dropped: new Set() };
  let isAway = false;
  const server = createServer((request, response) => {
    serve(buckets, request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    if (isAway) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    goAway() {
      isAway = true;
      server.closeAllConnections();
    },
    comeBack() {
      isAway = false;
    },
    dropBucket: (name) => void buckets.dropped.add(name),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
