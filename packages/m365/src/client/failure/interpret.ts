import type { GraphErrorCode } from '../../errors/errors.ts';
import { costOf, methodOf, type RouteName } from '../routes/routes.ts';
import { codeOfMessage, codeOfService, codeOfStatus } from './service-codes.ts';

/** An answer that is no success. */
export interface Failure {
  readonly route: RouteName;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** The request asked for a page of a collection. */
  readonly isPage: boolean;
}

export interface Interpretation {
  readonly code: GraphErrorCode;
  /** How often such a request is sent in all before the failure stands. Throttling has no such number. */
  readonly tries: number;
  /** The service's own code, the most specific one that is known, else the outermost. */
  readonly serviceCode: string;
  /** Where a delta query begins anew, when the service says so. */
  readonly location?: string;
}

const SERVICE_FAULT_TRIES = 5;
const CHANNEL_DELTA: RouteName = 'GET /teams/{id}/channels/{id}/messages/delta';

/** The codes of an error body from the outermost to the innermost, and its message. */
function readBody(body: string): { readonly codes: readonly string[]; readonly message: string } {
  const codes: string[] = [];
  let message = '';
  try {
    let level: unknown = (JSON.parse(body) as { error?: unknown }).error;
    for (let depth = 0; depth < 10 && typeof level === 'object' && level !== null; depth += 1) {
      const part = level as Record<string, unknown>;
      if (typeof part['code'] === 'string') codes.push(part['code']);
      if (typeof part['message'] === 'string' && message === '') message = part['message'];
      level = part['innerError'] ?? part['innererror'];
    }
  } catch {
    // Gateways answer with HTML or nothing: the status has to do.
  }
  return { codes, message };
}

/** Reads that name a whole resource: a 404 there is about the resource, not about an item in it. */
const RESOURCE_ROUTES: ReadonlySet<RouteName> = new Set<RouteName>([
  'GET /users/{id}',
  'GET /teams/{id}',
  'GET /sites/{id}',
  'GET /drives/{id}',
  'GET /drives/{id}/root',
  'GET /drives/{id}/root/delta',
  'GET /groups/{id}/owners',
  'GET /groups/{id}/transitiveMembers',
  'GET /teams/{id}/channels',
  'GET /teams/{id}/allChannels',
  'GET /sites/{id}/lists',
]);

/** Nobody edits a whole site or drive, so that it is locked means that it was archived. Groups and teams are never archived this way. */
function isWholeSite(route: RouteName): boolean {
  return RESOURCE_ROUTES.has(route) && (route.startsWith('GET /drives/') || route.startsWith('GET /sites/'));
}

function refine(code: GraphErrorCode, failure: Failure): GraphErrorCode {
  const isDelta = failure.route.endsWith('/delta');
  const isGet = methodOf(failure.route) === 'GET';
  // Change tracking writes to the mailbox, so a full one refuses even to be read this way.
  if (code === 'graph.quota-full' && isDelta && isGet) return 'graph.delta-refused';
  if (code === 'graph.item-gone' && RESOURCE_ROUTES.has(failure.route)) return 'graph.resource-gone';
  if (code === 'graph.delta-expired' && !isDelta) return 'graph.item-gone';
  if (code === 'graph.locked' && isWholeSite(failure.route)) return 'graph.site-archived';
  // Channel delta refuses now and then without a reason.
  if (code === 'graph.bad-request' && failure.route === CHANNEL_DELTA) return 'graph.delta-refused';
  return code;
}

function specificCode(failure: Failure, codes: readonly string[], message: string): { code?: GraphErrorCode; serviceCode: string } {
  const known = codes.findLast((candidate) => codeOfService(candidate) !== undefined);
  const serviceCode = known ?? codes[0] ?? '';
  const byMessage = codeOfMessage(message);
  if (byMessage) return { code: byMessage, serviceCode };
  if (failure.headers['x-virus-infected']?.toLowerCase() === 'true') return { code: 'graph.malware', serviceCode };
  if (failure.status === 423) return { code: 'graph.locked', serviceCode };
  const isDamaged = serviceCode.toLowerCase() === 'errorinvalidrecipients' && methodOf(failure.route) === 'GET';
  if (isDamaged) return { code: 'graph.corrupt-item', serviceCode };
  const code = known === undefined ? undefined : codeOfService(known);
  return code === undefined ? { serviceCode } : { code, serviceCode };
}

function codeWithoutHint(failure: Failure): GraphErrorCode {
  if (failure.status === 503) {
    if (failure.headers['retry-after'] !== undefined) return 'graph.throttled';
    if (failure.isPage && failure.body.trim() === '') return 'graph.page-too-large';
    return failure.body.toLowerCase().includes('servicenotavailable') ? 'graph.throttled' : 'graph.service-fault';
  }
  return codeOfStatus(failure.status);
}

function triesOf(code: GraphErrorCode, failure: Failure, serviceCode: string): number {
  if (serviceCode.toLowerCase() === 'errorinvalididmalformed') return 1;
  const isGet = methodOf(failure.route) === 'GET';
  if (failure.status === 404 && isGet && failure.body.trim() === '') return 4;
  if (failure.status === 400 && isGet && (code === 'graph.bad-request' || code === 'graph.delta-refused')) return 3;
  if (code === 'graph.page-too-large') return 2;
  return code === 'graph.service-fault' ? SERVICE_FAULT_TRIES : 1;
}

/** What an error answer means, in whichever dialect it is written. */
export function interpretFailure(failure: Failure): Interpretation {
  const { codes, message } = readBody(failure.body);
  const specific = specificCode(failure, codes, message);
  const isToldToWait = failure.status === 429 || (failure.status === 503 && failure.headers['retry-after'] !== undefined);
  const found = isToldToWait ? 'graph.throttled' : (specific.code ?? codeWithoutHint(failure));
  const code = refine(found, failure);
  const location = failure.headers['location'];
  const isDelta = code === 'graph.delta-expired' && location !== undefined && costOf(failure.route).service !== 'none';
  return { code, tries: triesOf(code, failure, specific.serviceCode), serviceCode: specific.serviceCode, ...(isDelta ? { location } : {}) };
}
