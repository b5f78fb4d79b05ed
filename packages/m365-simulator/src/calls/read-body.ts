import { Failure, badRequest } from '../http/failure.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import type { Service } from '../http/route.ts';

/** A body in memory, refused when it is too large. */
export async function readBody(stream: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.byteLength;
    if (size <= limitBytes) parts.push(part);
  }
  // Read to its end, and not kept: the connection serves what comes next.
  if (size > limitBytes) throw new Failure(413, 'RequestEntityTooLarge', 'The request is too large.');
  return Buffer.concat(parts, size);
}

/** A body as a JSON object. An empty one is an empty object, as actions without parameters send it. */
export function parseJson(body: Buffer, service: Service): JsonObject {
  if (body.byteLength === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw badRequest(
      service,
      'Unable to read JSON request payload. Please ensure Content-Type header is set and payload is of valid JSON format.',
    );
  }
  if (!isJsonObject(value)) throw badRequest(service, 'The request payload must be a JSON object.');
  return value;
}
