import type { z } from 'zod';

/** A value kept in the browser between visits. What can't be read back is as good as absent. */
export interface Kept<Value> {
  read(): Value | null;
  write(value: Value | null): void;
}

/** Keeps a value under a key of local or session storage, checked by its schema when read. */
export function createKept<Schema extends z.ZodType>(storage: Storage, key: string, schema: Schema): Kept<z.output<Schema>> {
  return {
    read() {
      const text = storage.getItem(key);
      if (text === null) return null;
      try {
        const parsed = schema.safeParse(JSON.parse(text));
        return parsed.success ? parsed.data : null;
      } catch {
        return null;
      }
    },
    write(value) {
      if (value === null) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(value));
    },
  };
}
