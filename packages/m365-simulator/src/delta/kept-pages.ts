/** Pages that were made lately, as they go over the wire. Bounded in size; the longest unused go first. */
const kept = new Map<string, Buffer>();
const KEPT_BYTES = 48 * 1024 * 1024;
/** A page that would crowd out all others is made anew each time. */
const LARGEST_BYTES = 4 * 1024 * 1024;
let keptBytes = 0;

function forget(name: string): void {
  keptBytes -= kept.get(name)?.byteLength ?? 0;
  kept.delete(name);
}

/** The page called `name`, made by `make` when it is not there. */
export function keptPage(name: string, make: () => Buffer): Buffer {
  const found = kept.get(name);
  if (found) {
    kept.delete(name);
    kept.set(name, found);
    return found;
  }
  const page = make();
  if (page.byteLength > LARGEST_BYTES) return page;
  kept.set(name, page);
  keptBytes += page.byteLength;
  for (const oldest of kept.keys()) {
    if (keptBytes <= KEPT_BYTES) break;
    forget(oldest);
  }
  return page;
}
