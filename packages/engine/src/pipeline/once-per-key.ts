export interface OncePerKey<Value> {
  readonly of: (key: string) => Promise<Value>;
  readonly forget: (key: string) => void;
}

/** Asks for what belongs to a key once, whoever wants it and however many at a time; `forget` has it asked for again. */
export function oncePerKey<Value>(read: (key: string) => Promise<Value>): OncePerKey<Value> {
  const asked = new Map<string, Promise<Value>>();
  return {
    of(key) {
      const known = asked.get(key) ?? read(key);
      asked.set(key, known);
      return known;
    },
    forget: (key) => void asked.delete(key),
  };
}
