import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorReply } from '../http/error-reply.ts';
import { disturbLogin } from './disturb-login.ts';
import { handleLogin } from './login-host.ts';
import type { Call } from '../calls/create-context.ts';
import { readAddress } from '../calls/hosts.ts';
import type { Pipeline } from './pipeline.ts';
import type { Simulation } from './simulation.ts';
import type { Listener } from './listen.ts';
import { writeReply, writeSpoilt } from './write-reply.ts';
import { errorText } from '@holdfast/foundation/errors';
import type { Reply } from '../http/reply.ts';

const DIAGNOSTIC = '{"ServerInfo":{"DataCenter":"Holdfast Simulator","Slice":"E","Ring":"1","ScaleUnit":"001","RoleInstance":"SIM"}}';

/** Ids of requests: counted, so that the same requests get the same ids. */
function createRequestIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `5f000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
  };
}

/** `Date` changes once a second; the text is kept until then. */
function createDateHeader(simulation: Simulation): () => string {
  let second = -1;
  let text = '';
  return () => {
    const nowMs = simulation.clock.nowMs();
    const current = Math.floor(nowMs / 1000);
    if (current !== second) {
      second = current;
      text = new Date(nowMs).toUTCString();
    }
    return text;
  };
}

/** Headers of every answer, by host. */
function commonHeaders(call: Call, date: string): string[] {
  const clientRequestId = String(call.headers['client-request-id'] ?? call.requestId);
  const headers = [
    'Date',
    date,
    'request-id',
    call.requestId,
    'client-request-id',
    clientRequestId,
    'Strict-Transport-Security',
    'max-age=31536000',
  ];
  if (call.address.kind !== 'graph') {
    headers.push('Cache-Control', 'no-store, no-cache');
    return headers;
  }
  headers.push('Cache-Control', 'no-cache', 'x-ms-ags-diagnostic', DIAGNOSTIC, 'OData-Version', '4.0');
  return headers;
}

/** Reads what is left of a body and keeps none of it. */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  for await (const _part of request);
}

/** What the server does with a request: find the host, let it answer, write the answer. */
export function createFront(simulation: Simulation, pipeline: Pipeline): Listener {
  const nextId = createRequestIds();
  const dateHeader = createDateHeader(simulation);

  async function answer(call: Call): Promise<Reply> {
    if (call.address.kind !== 'login') return pipeline.handle(call);
    try {
      return await disturbLogin(simulation, call, () => handleLogin(simulation, call));
    } catch (error) {
      return errorReply(error, { clock: simulation.clock, requestId: call.requestId, clientRequestId: call.requestId });
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = readAddress(request.headers.host ?? 'localhost', request.url ?? '/');
    const call: Call = {
      method: request.method ?? 'GET',
      address,
      headers: request.headers,
      stream: request,
      requestId: nextId(),
      isBatched: false,
    };
    const reply = await answer(call);
    response.sendDate = false;
    if (reply.sent) response.once('close', reply.sent);
    // A client that is still sending would see a reset instead of the refusal.
    if (reply.status >= 400 && !reply.transport) await drain(request);
    const headers = commonHeaders(call, dateHeader());
    if (reply.transport) await writeSpoilt({ response, headers, reply, fault: reply.transport, clock: simulation.clock });
    else await writeReply({ request, response, headers, reply });
    if (!request.complete) request.resume();
  }

  return (request, response) => {
    serve(request, response).catch((error: unknown) => {
      simulation.logger.debug({ error: errorText(error) }, 'the answer could not be sent');
      response.destroy();
    });
  };
}
