import { z } from 'zod';

/** A body whose member names may be in any letter case, as upstream reads JSON. Other members are ignored. */
export function anyCase<S extends z.ZodObject>(schema: S): z.ZodPreprocess<S> {
  const names = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]));
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const read: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
      const known = names.get(name.toLowerCase());
      if (known !== undefined) read[known] = member;
    }
    return read;
  }, schema);
}
