import type { TeamsAsyncOperation } from '@microsoft/microsoft-graph-types';
import { graphError } from '../errors/errors.ts';
import { asKnown, isObject, textOf } from '../client/checks.ts';
import type { Answer, Caller } from '../client/caller.ts';
import type { Body, Known } from '../client/calls.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import type { MemberResult, OperationRef, TeamRef } from './teams-api.ts';

const POLL_MS = 10_000;
const LONGEST_OPERATION_MS = 60 * 60 * 1000;
const MEMBERS_PER_REQUEST = 200;

/** `/teams('…')/operations('…')`, as the answer to a creation names it. */
export function readOperation(answer: Answer): OperationRef {
  if (isObject(answer.value)) return answer.value as unknown as OperationRef;
  const found = /\/teams\('([^']+)'\)\/operations\('([^']+)'\)/.exec(answer.headers['location'] ?? '');
  const [, teamId, operationId] = found ?? [];
  if (teamId === undefined || operationId === undefined) throw graphError('graph.unexpected-response', { reason: 'no operation' });
  return { teamId, operationId };
}

function operationCall({ teamId, operationId }: OperationRef): GraphCall {
  return { route: 'GET /teams/{id}/operations/{id}', params: [teamId, operationId] };
}

export function readOperationState(caller: Caller, operation: OperationRef): Promise<Known<TeamsAsyncOperation>> {
  return caller.known(operationCall(operation));
}

/** Waits for an operation's end; it may not be found for a while after it was started. */
export async function waitForOperation(caller: Caller, operation: OperationRef): Promise<void> {
  const { clock } = caller.parts;
  const until = clock.monotonicMs() + LONGEST_OPERATION_MS;
  for (;;) {
    const state = await caller.find<Known<TeamsAsyncOperation>>(operationCall(operation), asKnown);
    if (state?.status === 'succeeded') return;
    if (state?.status === 'failed' || clock.monotonicMs() >= until) {
      throw graphError('graph.service-fault', {
        request: 'POST /teams',
        status: undefined,
        serviceCode: state?.error?.code ?? state?.status ?? 'notFound',
      });
    }
    await clock.sleep(POLL_MS, caller.scope.signal);
  }
}

function asMemberResult(value: unknown): MemberResult {
  const userId = textOf(value, 'userId');
  const error = isObject(value) && isObject(value['error']) ? value['error'] : undefined;
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(error ? { error: { code: textOf(error, 'code') ?? '', message: textOf(error, 'message') ?? '' } } : {}),
  };
}

/** Adds members in groups. Some may fail while others succeed, so each has its own result. */
export async function addMembers(caller: Caller, { teamId }: TeamRef, members: readonly Body[]): Promise<readonly MemberResult[]> {
  const results: MemberResult[] = [];
  for (let at = 0; at < members.length; at += MEMBERS_PER_REQUEST) {
    const values = await caller.get(
      {
        route: 'POST /teams/{id}/members/add',
        params: [teamId],
        json: { values: members.slice(at, at + MEMBERS_PER_REQUEST) },
        // Adding who is a member already changes nothing.
        isRepeatable: true,
      },
      (value) => (isObject(value) && Array.isArray(value['value']) ? (value['value'] as unknown[]) : []),
    );
    results.push(...values.map(asMemberResult));
  }
  return results;
}
