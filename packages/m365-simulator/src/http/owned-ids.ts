import { fail, type Failure, notFound } from './failure.ts';
import { idPrefix, readItemId, writeItemId } from '../state/item-ids.ts';

/** Kinds of ids in a mailbox besides mail. */
export const idKinds = {
  calendar: 0x10,
  event: 0x11,
  occurrence: 0x12,
  eventAttachment: 0x13,
  contactFolder: 0x18,
  contact: 0x19,
  taskList: 0x20,
  task: 0x21,
  taskPart: 0x22,
  mailboxFolder: 0x30,
} as const;
export type IdKind = keyof typeof idKinds;

export interface OwnedId {
  readonly number: number;
  /** Of an occurrence its day, of a part its number. */
  readonly part: number;
}

/** 404, or 400 when the text has not even the form of an id of Exchange. */
export function missingItem(id: string): Failure {
  return /^[\w+/=-]{40,}$/u.test(id) ? notFound('outlook') : fail(400, 'ErrorInvalidIdMalformed', 'Id is malformed.');
}

/** The id of something in a mailbox, in the form that the request asks for. Both forms stay valid for good. */
export function ownedId(owner: string, kind: IdKind, id: OwnedId, isImmutable: boolean): string {
  return writeItemId(idPrefix(owner, isImmutable ? 'AAkA' : 'AAMk'), { kind: idKinds[kind], a: id.number, b: id.part, folder: 0 });
}

/** Reads an id of this kind, in either form. */
export function readOwnedId(owner: string, kind: IdKind, text: string): OwnedId | undefined {
  const found = readItemId(idPrefix(owner, 'AAMk'), text) ?? readItemId(idPrefix(owner, 'AAkA'), text);
  return found?.kind === idKinds[kind] ? { number: found.a, part: found.b } : undefined;
}
