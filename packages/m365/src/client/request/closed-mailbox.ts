import { graphError, isGraphError } from '../../errors/errors.ts';
import { costOf } from '../routes/routes.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { GraphCall } from './graph-call.ts';
import type { RequesterParts } from './requester-parts.ts';

/**
 * Exchange grants roles of its own for some mailboxes (RBAC for Applications): a mailbox outside that scope is closed,
 * although the token looks as if the role was missing. Ask only after the request has left its place, because finding
 * out sends requests.
 */
export async function tellClosedMailbox(parts: RequesterParts, call: GraphCall, failure: AttemptFailure): Promise<AttemptFailure> {
  const { error } = failure;
  const { roles } = error.details;
  if (call.isProbe || !isGraphError(error, 'graph.permission-missing') || !Array.isArray(roles)) return failure;
  if (costOf(call.route).service !== 'outlook') return failure;
  const scoped = await parts.exchangeRoles.read((await parts.tokens.current()).roles);
  if (!roles.some((role: string) => scoped.has(role))) return failure;
  return { ...failure, error: graphError('graph.mailbox-closed', error.details) };
}
