import type { RequestInfo } from '../../http/context.ts';
import type { Caller } from './identity-parts.ts';

/** What services may know of a request. */
export function callerOf(request: RequestInfo): Caller {
  return { address: request.address, userAgent: request.userAgent, requestId: request.id, language: request.language };
}
