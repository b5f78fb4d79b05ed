import { AppError } from '@holdfast/foundation/errors';
import { graphError, graphErrorCodes, graphOutcome } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { adviceFor, classifyFailure, isResourceExcluded } from './failure.ts';

const { signal } = new AbortController();

describe('a failure while one item was read', () => {
  it.each(graphErrorCodes)('never passes without an effect: %s', (code) => {
    const effects = { gone: 'gone', record: 'record', retry: 'record', reEnumerate: 'record', exclude: 'exclude' } as const;
    const outcome = graphOutcome(graphError(code)) ?? 'tenant';
    const isEnd = outcome === 'resource' || outcome === 'tenant';
    const effect = isEnd ? 'abort' : isResourceExcluded(graphError(code)) ? 'record' : effects[outcome];
    expect(classifyFailure(graphError(code), signal)).toMatchObject({ effect, code, tried: [] });
  });

  it('ends the run when nobody knows it, and says what was tried and which request it was', () => {
    expect(classifyFailure(new Error('broken'), signal)).toEqual({ effect: 'abort', code: 'internal', advice: 'retryNextRun', tried: [] });
    const error = new AppError('graph.corrupt-item', { details: { tried: ['mime', 'json'], requestId: 'r-1' } });
    expect(classifyFailure(error, signal)).toMatchObject({ tried: ['mime', 'json'], requestId: 'r-1', advice: 'checkSource' });
    expect(classifyFailure(graphError('graph.locked', { requestId: 7 }), signal)).not.toHaveProperty('requestId');
  });

  it('is none of the item once somebody has stopped the run', () => {
    expect(classifyFailure(graphError('graph.corrupt-item'), AbortSignal.abort())).toMatchObject({ effect: 'abort' });
  });
});

it('only what lasts excludes a whole resource, and unknown codes are tried again', () => {
  expect(graphErrorCodes.filter((code) => isResourceExcluded(graphError(code)))).toEqual([
    'graph.mailbox-missing',
    'graph.mailbox-closed',
    'graph.drive-missing',
    'graph.site-archived',
  ]);
  expect([adviceFor('graph.permission-missing'), adviceFor('vault.damaged')]).toEqual(['grantRole', 'retryNextRun']);
});
