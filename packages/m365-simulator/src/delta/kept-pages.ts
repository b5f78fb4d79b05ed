/** A page as it goes over the wire. */
export interface LentPage {
  readonly bytes: Buffer;
  /** To be called when the bytes have gone out: what held them may then hold another page. Who never calls it does no harm. */
  readonly giveBack: () => void;
}

interface Page {
  readonly bytes: Buffer;
  /** What the bytes are in, when it came from `spare`. */
  readonly room: Buffer | undefined;
  /** Answers with this page that are on their way. */
  readers: number;
  isKept: boolean;
}

/** Gives room for so many bytes of a page that is being made. */
export type Room = (sizeBytes: number) => Buffer;

/** Pages that were made lately. Bounded in size; the longest unused go first. */
const kept = new Map<string, Page>();
const KEPT_BYTES = 48 * 1024 * 1024;
/** A page that would crowd out all others is made anew each time. */
const LARGEST_BYTES = 4 * 1024 * 1024;
let keptBytes = 0;

/** Room of pages that are gone, by size: fresh room for each page would keep the collector busier than the pages do. */
const spare = new Map<number, Buffer[]>();
const SPARE_OF_A_SIZE = 16;
const ROOM_STEP_BYTES = 64 * 1024;

function takeRoom(sizeBytes: number): Buffer {
  const wholeBytes = Math.ceil(sizeBytes / ROOM_STEP_BYTES) * ROOM_STEP_BYTES;
  return spare.get(wholeBytes)?.pop() ?? Buffer.allocUnsafeSlow(wholeBytes);
}

function leaveRoom({ room, readers, isKept }: Page): void {
  if (!room || isKept || readers > 0) return;
  const others = spare.get(room.byteLength) ?? [];
  spare.set(room.byteLength, others);
  if (others.length < SPARE_OF_A_SIZE) others.push(room);
}

function sizeOf({ room, bytes }: Page): number {
  return (room ?? bytes).byteLength;
}

function forget(name: string, page: Page): void {
  keptBytes -= sizeOf(page);
  kept.delete(name);
  page.isKept = false;
  leaveRoom(page);
}

function lend(page: Page): LentPage {
  let isOut = true;
  page.readers += 1;
  return {
    bytes: page.bytes,
    giveBack() {
      if (!isOut) return;
      isOut = false;
      page.readers -= 1;
      leaveRoom(page);
    },
  };
}

function makePage(make: (room: Room) => Buffer): Page {
  let room: Buffer | undefined;
  const bytes = make((sizeBytes) => (room = takeRoom(sizeBytes)).subarray(0, sizeBytes));
  return { bytes, room, readers: 0, isKept: false };
}

/** The page called `name`, made by `make` when it is not there. */
export function keptPage(name: string, make: (room: Room) => Buffer): LentPage {
  const found = kept.get(name);
  if (found) {
    kept.delete(name);
    kept.set(name, found);
    return lend(found);
  }
  const page = makePage(make);
  const lent = lend(page);
  if (sizeOf(page) > LARGEST_BYTES) return lent;
  page.isKept = true;
  kept.set(name, page);
  keptBytes += sizeOf(page);
  for (const [oldest, other] of kept) {
    if (keptBytes <= KEPT_BYTES) break;
    forget(oldest, other);
  }
  return lent;
}
