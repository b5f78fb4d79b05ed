import { isAppError } from '@holdfast/foundation/errors';
import type { MailFileFault } from '../../mail-file.ts';
import { MAPI, TYPE, type MapiAttachment, type MapiItem, type MapiProperties, type MapiProperty } from '../mapi-item.ts';
import { messageOfItem, type OutlookMessage } from '../outlook-message.ts';
import { readPropertyNames, type PropertyNames } from '../property-names.ts';
import { openCompoundFile, type CompoundFile } from './compound-file.ts';

const PROPERTIES = '__properties_version1.0';
const NAMES = '__nameid_version1.0';
/** What comes before the properties: of the message, of one that is attached, and of everything else. */
const HEAD = { message: 32, embedded: 24, part: 8 } as const;
const DEEPEST = 8;
const FIXED = new Set([0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x0007, 0x000a, 0x000b, 0x0014, 0x0040]);

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
const at = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

function propertiesOf(file: CompoundFile, folder: string, head: number): MapiProperties {
  const list = file.read(at(folder, PROPERTIES)) ?? Buffer.alloc(0);
  const found = new Map<number, MapiProperty>();
  for (let place = head; place + 16 <= list.byteLength; place += 16) {
    const type = list.readUInt16LE(place);
    const id = list.readUInt16LE(place + 2);
    if (FIXED.has(type)) {
      found.set(id, { id, type, bytes: list.subarray(place + 8, place + 16) });
      continue;
    }
    const bytes = file.read(at(folder, `__substg1.0_${hex(id, 4)}${hex(type, 4)}`));
    if (bytes) found.set(id, { id, type, bytes });
  }
  return found;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}

function attachmentOf(file: CompoundFile, folder: string, depth: number): MapiAttachment {
  const properties = new Map(propertiesOf(file, folder, HEAD.part));
  const inner = at(folder, `__substg1.0_${hex(MAPI.attachmentData, 4)}000D`);
  if (file.read(at(inner, PROPERTIES)) !== undefined) {
    return depth < DEEPEST ? { properties, item: itemOf(file, inner, depth + 1) } : { properties };
  }
  const bytes = properties.get(MAPI.attachmentData)?.bytes;
  if (!bytes) return { properties };
  // The file is in the message: beside it, its size is enough.
  properties.set(MAPI.attachmentData, {
    id: MAPI.attachmentData,
    type: TYPE.binary,
    bytes: Buffer.alloc(0),
    unreadBytes: bytes.byteLength,
  });
  return { properties, content: { sizeBytes: bytes.byteLength, bytes: () => once(bytes) } };
}

function itemOf(file: CompoundFile, folder: string, depth: number): MapiItem {
  const names = file.names(folder);
  const named = (prefix: string): string[] => names.filter((name) => name.startsWith(prefix)).map((name) => at(folder, name));
  return {
    properties: propertiesOf(file, folder, depth === 0 ? HEAD.message : HEAD.embedded),
    recipients: named('__recip_version1.0_#').map((recipient) => propertiesOf(file, recipient, HEAD.part)),
    attachments: named('__attach_version1.0_#').map((attachment) => attachmentOf(file, attachment, depth)),
  };
}

function namesOf(file: CompoundFile): PropertyNames {
  const stream = (id: number): Buffer => file.read(`${NAMES}/__substg1.0_${hex(id, 4)}0102`) ?? Buffer.alloc(0);
  return readPropertyNames(stream(2), stream(3), stream(4));
}

/** A message that Outlook has saved as a file; what other programs keep in files of this kind is no mail. */
export async function readMsg(bytes: Buffer, limit: number): Promise<OutlookMessage | { readonly fault: MailFileFault }> {
  try {
    const file = openCompoundFile(bytes);
    if (file.read(PROPERTIES) === undefined) return { fault: 'import.not-mail' };
    return (await messageOfItem(itemOf(file, '', 0), namesOf(file), limit)) ?? { fault: 'import.too-large' };
  } catch (error) {
    if (!isAppError(error, 'import.damaged') && !(error instanceof RangeError)) throw error;
    return { fault: 'import.damaged' };
  }
}
