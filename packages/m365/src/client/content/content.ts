import { graphError, isGraphError } from '../../errors/errors.ts';
import type { Caller } from '../caller.ts';
import type { Content } from '../calls.ts';
import type { WireResponse } from '../../http/transport.ts';
import type { GraphCall } from '../request/graph-call.ts';
import { readResumable, type BodySource, type OpenedBody } from './resumable.ts';

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Where the body stands in the whole: from `Content-Range` on 206, else the whole. */
function place(response: WireResponse): { startsAt: number; totalBytes?: number } {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers['content-range'] ?? '');
  if (response.status === 206 && range) {
    const total = numberOf(range[2]);
    return { startsAt: Number(range[1]), ...(total === undefined ? {} : { totalBytes: total }) };
  }
  const total = response.headers['content-encoding'] === undefined ? numberOf(response.headers['content-length']) : undefined;
  return { startsAt: 0, ...(total === undefined ? {} : { totalBytes: total }) };
}

async function openCall(caller: Caller, call: GraphCall): Promise<{ opened: OpenedBody; response: WireResponse }> {
  return caller.requester.perform(call, (response, keep) => {
    const leave = keep();
    const type = response.headers['content-type'];
    const counters = caller.parts.counters;
    async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
      for await (const piece of response.body) {
        counters.received(piece.byteLength);
        yield piece;
      }
    }
    const opened: OpenedBody = {
      ...place(response),
      ...(type === undefined ? {} : { contentType: type }),
      body: counted(),
      close() {
        response.discard();
        leave();
      },
    };
    return Promise.resolve({ opened, response });
  });
}

function toContent(caller: Caller, source: () => BodySource): Content {
  let first: OpenedBody | undefined;
  const { clock, random } = caller.parts;
  const { signal } = caller.scope;
  return {
    get sizeBytes() {
      return first?.totalBytes;
    },
    get contentType() {
      return first?.contentType;
    },
    bytes: {
      [Symbol.asyncIterator]: () =>
        readResumable({
          source: source(),
          clock,
          random,
          ...(signal ? { signal } : {}),
          onOpen(opened) {
            first ??= opened;
          },
        }),
    },
  } as Content;
}

/** The body of one request. The service gives it whole each time, so a second connection skips what is known. */
export function readContent(caller: Caller, call: GraphCall): Content {
  return toContent(caller, () => ({
    async open() {
      const { opened } = await openCall(caller, call);
      return opened;
    },
  }));
}

export interface Download {
  /** The request that answers with the address of the content. */
  readonly locate: GraphCall;
  /** An address from before, tried first. */
  readonly downloadUrl?: string;
  readonly sizeBytes?: number;
}

const RENEWALS_IN_A_ROW = 3;

async function locate(caller: Caller, download: Download): Promise<string> {
  const { headers } = await caller.answer(download.locate);
  const address = headers['location'];
  if (address === undefined) throw graphError('graph.unexpected-response', { request: download.locate.route, reason: 'no Location' });
  return address;
}

/**
 * Content behind an address with its own permission. Continues by `Range` with `If-Match` on the entity tag; when the
 * address has expired a new one is asked for, and the content goes on at the byte reached.
 */
export function downloadContent(caller: Caller, download: Download): Content {
  return toContent(caller, () => {
    let address = download.downloadUrl;
    let tag: string | undefined;
    async function openAt(offset: number): Promise<OpenedBody> {
      address ??= await locate(caller, download);
      const { opened, response } = await openCall(caller, {
        route: 'GET spo:{downloadUrl}',
        link: address,
        headers: offset === 0 ? {} : { range: `bytes=${offset}-`, ...(tag === undefined ? {} : { 'if-match': tag }) },
        ...(download.sizeBytes === undefined ? {} : { bytesIn: Math.max(0, download.sizeBytes - offset) }),
      });
      tag ??= response.headers['etag'];
      return opened;
    }
    return {
      async open(offset) {
        for (let renewals = 0; ; renewals += 1) {
          try {
            return await openAt(offset);
          } catch (error) {
            if (isGraphError(error, 'graph.precondition-failed')) throw graphError('graph.changed-while-reading', error.details, error);
            if (!isGraphError(error, 'graph.address-expired') || renewals >= RENEWALS_IN_A_ROW) throw error;
            address = undefined;
          }
        }
      },
    };
  });
}
