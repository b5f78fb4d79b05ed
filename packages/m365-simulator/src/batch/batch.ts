import { badRequest } from '../http/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue, textOf } from '../values/json.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Context, InnerReply, InnerRequest, RouteEntry } from '../http/route.ts';

const MAX_REQUESTS = 20;
const OUTLOOK_AT_A_TIME = 4;

interface Step extends InnerRequest {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

function bodyOf(value: JsonValue | undefined, headers: Readonly<Record<string, string>>): Buffer {
  if (value === undefined || value === null) return Buffer.alloc(0);
  if (headers['content-type'] === undefined) throw badRequest('core', 'A request with a body needs a Content-Type header.');
  if (typeof value !== 'string') return Buffer.from(JSON.stringify(value));
  return headers['content-type'].startsWith('text/') ? Buffer.from(value) : Buffer.from(value, 'base64');
}

function readHeaders(value: JsonValue | undefined): Record<string, string> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), textOf(text)]));
}

function readStep(value: JsonValue): Step {
  if (!isJsonObject(value)) throw badRequest('core', 'Each request of a batch is an object.');
  const { id, method, url, dependsOn } = value;
  if (typeof id !== 'string' || id === '' || typeof method !== 'string' || typeof url !== 'string')
    throw badRequest('core', 'Each request of a batch needs id, method and url.');
  const headers = readHeaders(value['headers']);
  if (/^[a-z][a-z+.-]*:/iu.test(url)) throw badRequest('core', 'Invalid batch payload format.');
  const address = `/${url.replace(/^\/+/u, '')}`;
  if (/^\/\$batch/iu.test(address)) throw badRequest('core', 'A batch cannot contain a batch.');
  return {
    id,
    method: method.toUpperCase(),
    // The version of a part is that of the batch: one in the address would be a segment of the path.
    url: `/v1.0${address}`,
    headers,
    body: bodyOf(value['body'], headers),
    dependsOn: Array.isArray(dependsOn) ? dependsOn.map((entry: JsonValue) => textOf(entry)) : [],
  };
}

function readSteps(body: JsonObject): Step[] {
  const requests = body['requests'];
  if (!Array.isArray(requests) || requests.length === 0) throw badRequest('core', 'The batch has no requests.');
  if (requests.length > MAX_REQUESTS) throw badRequest('core', `A batch takes at most ${MAX_REQUESTS} requests.`);
  const steps = requests.map((entry: JsonValue) => readStep(entry));
  const ids = new Set(steps.map((step) => step.id.toLowerCase()));
  if (ids.size !== steps.length) throw badRequest('core', 'The ids of a batch must differ, without regard to case.');
  for (const step of steps) {
    const missing = step.dependsOn.find((id) => !ids.has(id.toLowerCase()));
    if (missing !== undefined) throw badRequest('core', `Request ${step.id} depends on ${missing}, which is not in the batch.`);
  }
  return steps;
}

function render(step: Step, reply: InnerReply): JsonObject {
  const { status, headers, body, isJson } = reply;
  if (body.byteLength === 0) return { id: step.id, status, headers };
  const value: JsonValue = isJson ? (JSON.parse(body.toString()) as JsonValue) : body.toString('base64');
  return { id: step.id, status, headers, body: value };
}

function failedDependency(step: Step): JsonObject {
  const error = { code: 'FailedDependency', message: 'A request that this one depends on has failed.' };
  return { id: step.id, status: 424, headers: { 'Content-Type': 'application/json' }, body: { error } };
}

/** Runs at most four at a time, as Graph sends them to Outlook; each waits for those it depends on. */
async function runAll(context: Context, steps: readonly Step[]): Promise<JsonObject[]> {
  const results = new Map<string, Promise<JsonObject>>();
  let active = 0;
  const waiting: (() => void)[] = [];
  async function slot(): Promise<void> {
    if (active >= OUTLOOK_AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve));
    active += 1;
  }
  async function run(step: Step): Promise<JsonObject> {
    const before = await Promise.all(step.dependsOn.map((id) => results.get(id.toLowerCase()) ?? Promise.resolve(undefined)));
    if (before.some((answer) => answer === undefined || Number(answer['status']) >= 400)) return failedDependency(step);
    await slot();
    try {
      return render(step, await context.send(step));
    } finally {
      active -= 1;
      waiting.shift()?.();
    }
  }
  for (const step of steps) results.set(step.id.toLowerCase(), run(step));
  return Promise.all(results.values());
}

async function batch(context: Context): Promise<Reply> {
  const steps = readSteps(await context.json());
  return ok({ responses: await runAll(context, steps) });
}

/** Up to twenty requests in one. */
export const batchRoute: RouteEntry = {
  method: 'POST',
  path: '/$batch',
  service: 'core',
  open: 'each inner request is checked by itself',
  handler: batch,
};
