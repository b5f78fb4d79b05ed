import type { GraphClient } from '../src/graph-client.ts';
import { makeEveryCall } from './every-call.ts';

/** How one call of the client ended: `mail.messages` and what it threw, if anything. */
export interface CallEnd {
  readonly name: string;
  readonly error: unknown;
}

type Note = (name: string, error?: unknown) => void;

/** What a call that failed gives to the calls after it. */
const STAND_IN = Object.freeze({ id: 'x', teamId: 't', operationId: 'o' });

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

async function* watchedValues(values: AsyncIterable<unknown>, name: string, note: Note): AsyncGenerator<unknown, void, undefined> {
  try {
    yield* values;
    note(name);
  } catch (error) {
    note(name, error);
  }
}

/** The result of a call, whose failure is noted and goes no further. */
function watchedResult(result: unknown, name: string, note: Note): unknown {
  if (result instanceof Promise) {
    return result.then(
      (value: unknown) => {
        note(name);
        return value ?? STAND_IN;
      },
      (error: unknown) => {
        note(name, error);
        return STAND_IN;
      },
    );
  }
  if (isObject(result) && Symbol.asyncIterator in result) return watchedValues(result as AsyncIterable<unknown>, name, note);
  if (isObject(result) && 'bytes' in result) {
    return { ...result, bytes: watchedValues(result.bytes as AsyncIterable<unknown>, name, note) };
  }
  return isObject(result) ? watched(result, name, note) : result;
}

/** The same object with every function watched. */
function watched<T extends object>(part: T, path: string, note: Note): T {
  const entries = Object.entries(part).map(([key, value]: [string, unknown]) => {
    const name = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'function') return [key, (...args: unknown[]) => watchedResult(Reflect.apply(value, part, args), name, note)];
    return [key, isObject(value) ? watched(value, name, note) : value];
  });
  return Object.fromEntries(entries) as T;
}

/** Makes every call of a client once, each whatever came of those before it. */
export async function makeEachCall(client: GraphClient, onEnd?: (name: string) => void): Promise<readonly CallEnd[]> {
  const ends: CallEnd[] = [];
  const note: Note = (name, error) => {
    ends.push({ name, error });
    onEnd?.(name);
  };
  await makeEveryCall(watched(client, '', note));
  return ends;
}
