const serials = new WeakMap<object, number>();
let last = 0;

/** A number for this very object, never used for another one in this process: names for what is kept in memory. */
export function serialOf(object: object): number {
  let serial = serials.get(object);
  if (serial === undefined) {
    last += 1;
    serial = last;
    serials.set(object, serial);
  }
  return serial;
}
