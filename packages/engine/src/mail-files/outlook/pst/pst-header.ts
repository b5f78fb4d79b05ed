import type { MailFile, MailFileFault } from '../../mail-file.ts';

/** The three ways in which Outlook writes a data file: of before 2003, since then, and with large pages. */
export type PstShape = 'ansi' | 'unicode' | 'unicode4k';

/** Where a page or a block is. */
export interface PstReference {
  readonly bid: number;
  readonly at: number;
}

export interface PstHeader {
  readonly shape: PstShape;
  readonly isPermuted: boolean;
  readonly nodes: PstReference;
  readonly blocks: PstReference;
}

const SHAPES: Readonly<Record<number, PstShape>> = { 14: 'ansi', 15: 'ansi', 23: 'unicode', 36: 'unicode4k' };
/** Protected by Windows Information Protection: nobody but its owner's device can read it. */
const PROTECTED = 37;
const HEADER_BYTES = 600;

export function isPst(head: Buffer): boolean {
  return head.toString('latin1', 0, 4) === '!BDN';
}

export function wide(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.NaN : Number(value);
}

/** What the header of a data file says; a fault where it cannot be read at all. */
export async function readPstHeader(file: MailFile): Promise<PstHeader | { readonly fault: MailFileFault }> {
  const head = await file.read(0, HEADER_BYTES);
  if (head.byteLength < HEADER_BYTES) return { fault: 'import.damaged' };
  const version = head.readUInt16LE(10);
  if (version === PROTECTED) return { fault: 'import.pst-protected' };
  const shape = SHAPES[version];
  if (!shape) return { fault: 'import.pst-version' };
  const method = head[shape === 'ansi' ? 461 : 513];
  if (method !== 0 && method !== 1) return { fault: 'import.pst-encrypted' };
  const reference = (at: number): PstReference =>
    shape === 'ansi' ? { bid: head.readUInt32LE(at), at: head.readUInt32LE(at + 4) } : { bid: wide(head, at), at: wide(head, at + 8) };
  const [nodes, blocks] = shape === 'ansi' ? [184, 192] : [216, 232];
  return { shape, isPermuted: method === 1, nodes: reference(nodes), blocks: reference(blocks) };
}
