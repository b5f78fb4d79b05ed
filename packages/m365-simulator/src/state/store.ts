import { deserialize, serialize } from 'node:v8';

/**
 * All that can change in a tenant, as plain data by name: objects, arrays, maps, sets, buffers; no functions, no classes.
 * What was never changed is not here: it is generated again from the seed. A workload asks by name in every request and
 * keeps no reference of its own, because `load` puts other objects in their place.
 */
export interface Store {
  /** The state called `name` (`mail/{userId}`), made by `create` when it is asked for the first time. */
  state<T extends object>(name: string, create: () => T): T;
  /** The state if it exists already. */
  peek(name: string): object | undefined;
  names(): IterableIterator<string>;
  save(): Buffer;
  load(saved: Uint8Array): void;
}

export function createStore(): Store {
  let states = new Map<string, object>();
  return Object.freeze({
    state<T extends object>(name: string, create: () => T): T {
      const found = states.get(name);
      if (found) return found as T;
      const made = create();
      states.set(name, made);
      return made;
    },
    peek: (name: string) => states.get(name),
    names: () => states.keys(),
    save: () => serialize(states),
    load(saved: Uint8Array) {
      states = deserialize(saved) as Map<string, object>;
    },
  });
}
