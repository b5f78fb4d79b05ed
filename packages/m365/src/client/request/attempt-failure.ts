import { graphError, type GraphError, type GraphErrorCode } from '../../errors/errors.ts';
import { closeRoles, rolesThatOpen } from '../../sign-in/permissions.ts';
import type { AccessToken } from '../../sign-in/token-source.ts';
import { interpretFailure } from '../failure/interpret.ts';
import { retryAfterMs } from '../../http/retry-after.ts';
import type { WireResponse } from '../../http/transport.ts';
import { costOf, isGraphRoute, methodOf, type RouteName } from '../routes/routes.ts';
import type { GraphCall } from './graph-call.ts';

/** One failed attempt, before it is decided what follows. */
export interface AttemptFailure {
  readonly error: GraphError;
  readonly tries: number;
  readonly status?: number;
  /** The least wait we were told. */
  readonly waitMs?: number;
  /** The service may have carried the request out. */
  readonly isUncertain: boolean;
  /** Where a delta query begins anew. */
  readonly location?: string;
}

const NETWORK_TRIES = 5;
const ERROR_LIMIT_BYTES = 1024 * 1024;

/** Locations of expired delta tokens, kept beside the error: addresses don't belong into its details. */
const locations = new WeakMap<GraphError, string>();

export function freshDeltaLink(error: GraphError): string | undefined {
  return locations.get(error);
}

function rolesOfRoute(route: RouteName): readonly string[] {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace('/root:/{path}', '/items/{id}:/{path}')
    .replace('/microsoft.graph.sitePage', '');
  return rolesThatOpen(methodOf(route), path);
}

/** Changes of a message that Microsoft refuses from 31 December 2026 when the message is no draft, unless this role is there. */
const ADVANCED_MAIL = 'Mail-Advanced.ReadWrite.All';
const CHANGES_OF_MESSAGES: ReadonlySet<RouteName> = new Set<RouteName>([
  'PATCH /users/{id}/messages/{id}',
  'POST /users/{id}/messages/{id}/attachments',
  'POST /users/{id}/messages/{id}/attachments/createUploadSession',
]);

/** Tells a missing role from a mailbox that was closed although the role is there. */
function explainRefusal(
  code: GraphErrorCode,
  call: GraphCall,
  token: AccessToken | undefined,
): { code: GraphErrorCode; roles?: readonly string[] } {
  if (code !== 'graph.access-denied' || !token) return { code };
  const roles = rolesOfRoute(call.route);
  const granted = closeRoles(token.roles);
  if (roles.length > 0 && !roles.some((role) => granted.has(role))) return { code: 'graph.permission-missing', roles: roles.slice(0, 3) };
  // The message itself was made or found with the same token, so its mailbox is open.
  if (CHANGES_OF_MESSAGES.has(call.route) && !granted.has(ADVANCED_MAIL)) return { code: 'graph.sent-mail-fixed', roles: [ADVANCED_MAIL] };
  return { code: costOf(call.route).service === 'outlook' ? 'graph.mailbox-closed' : code };
}

/** An address with its own permission that no longer works is fetched again; nothing is wrong with our token. */
function isExpiredAddress(call: GraphCall, status: number): boolean {
  return !isGraphRoute(call.route) && [401, 403, 404, 410].includes(status);
}

/** Reads an error answer and says what it means. */
export async function failureOfResponse(
  call: GraphCall,
  response: WireResponse,
  context: { readonly nowMs: number; readonly token: AccessToken | undefined },
): Promise<AttemptFailure> {
  const body = await response.read(ERROR_LIMIT_BYTES).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  );
  const { status, headers } = response;
  const read = interpretFailure({ route: call.route, status, headers, body, isPage: call.isPage === true });
  const expired = isExpiredAddress(call, status);
  const { code, roles } = expired
    ? { code: 'graph.address-expired' as const, roles: undefined }
    : explainRefusal(read.code, call, context.token);
  const waitMs = retryAfterMs(headers, context.nowMs);
  const error = graphError(code, {
    status,
    serviceCode: read.serviceCode,
    requestId: headers['request-id'],
    clientRequestId: headers['client-request-id'],
    request: call.route,
    ...(roles ? { roles } : {}),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
  if (read.location !== undefined) locations.set(error, read.location);
  return {
    error,
    tries: expired ? 1 : read.tries,
    status,
    ...(waitMs === undefined ? {} : { waitMs }),
    isUncertain: status >= 500 || status === 429,
  };
}

/** A failure without an answer: connection, time-out, short or unreadable body. */
export function failureWithoutAnswer(call: GraphCall, error: GraphError): AttemptFailure {
  const named = graphError(error.code, { ...error.details, request: call.route }, error.cause);
  return { error: named, tries: NETWORK_TRIES, isUncertain: error.details['neverSent'] !== true };
}
