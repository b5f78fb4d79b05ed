import type { AccessToken } from '../../sign-in/token-source.ts';
import type { HostRules } from '../../http/hosts.ts';
import type { WireRequest } from '../../http/transport.ts';
import { costOf, isGraphRoute, methodOf, pathOf } from '../routes/routes.ts';
import type { GraphCall } from './graph-call.ts';

export interface RequestContext {
  readonly graphUrl: string;
  readonly hosts: HostRules;
  readonly userAgent: string;
  readonly clientRequestId: string;
  readonly token: AccessToken | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Members that Microsoft added after `unknownFutureValue` arrive only when asked for. */
const ALWAYS_PREFERRED = 'include-unknown-enum-members';
const IMMUTABLE_IDS = 'IdType="ImmutableId"';

function addressOf(call: GraphCall, context: RequestContext): URL {
  if (call.link !== undefined) {
    return isGraphRoute(call.route) ? context.hosts.checkGraphLink(call.link) : context.hosts.checkContentAddress(call.link);
  }
  const url = new URL(context.graphUrl + pathOf(call.route, call.params ?? []));
  const query = Object.entries(call.query ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (query.length > 0) url.search = `?${query.join('&')}`;
  return url;
}

function preferences(call: GraphCall): string {
  const outlook = costOf(call.route).service === 'outlook' ? [IMMUTABLE_IDS] : [];
  return [...(call.prefer ?? []), ...outlook, ALWAYS_PREFERRED].join(', ');
}

/** The call with its JSON written out once: its size is charged, and it may be sent more than once. */
export function writeOut({ json, ...call }: GraphCall): GraphCall {
  return json === undefined ? call : { ...call, raw: { bytes: JSON.stringify(json), contentType: 'application/json' } };
}

/** The request as it goes out. A token goes to Graph only, never to an address that carries its own permission. */
export function buildRequest(call: GraphCall, context: RequestContext): WireRequest {
  const { bytes: body, contentType } = call.raw ?? {};
  const isGraph = isGraphRoute(call.route);
  return {
    method: methodOf(call.route),
    url: addressOf(call, context),
    headers: {
      'user-agent': context.userAgent,
      'client-request-id': context.clientRequestId,
      accept: 'application/json',
      ...(isGraph && context.token ? { authorization: `Bearer ${context.token.value}`, prefer: preferences(call) } : {}),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(context.signal ? { signal: context.signal } : {}),
  };
}
