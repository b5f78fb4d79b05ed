import { sha256Hex } from '@holdfast/foundation/bytes';
import { canonicalJson } from '../../shared/canonical.ts';
import type { Json } from '../../ports/item.ts';
import { codepageOf, decodeText, TYPE, type MapiItem, type MapiProperties, type MapiProperty } from './mapi-item.ts';
import type { PropertyNames } from './property-names.ts';

/** Larger values are named by their hash: text and files are in the message. */
const LARGEST_VALUE = 16 * 1024;

function valueOf({ id, type, bytes, unreadBytes }: MapiProperty, encoding: string): Json {
  if (unreadBytes !== undefined) return { bytes: unreadBytes };
  if (bytes.byteLength > LARGEST_VALUE) return { bytes: bytes.byteLength, sha256: sha256Hex(bytes) };
  if (type === TYPE.text || type === TYPE.text8) return decodeText({ id, type, bytes }, encoding);
  if (type === TYPE.int32 && bytes.byteLength >= 4) return bytes.readInt32LE(0);
  if (type === TYPE.int16 && bytes.byteLength >= 2) return bytes.readInt16LE(0);
  if (type === TYPE.boolean) return bytes[0] === 1;
  return { base64: bytes.toString('base64') };
}

function listOf(properties: MapiProperties, names: PropertyNames): Json {
  const encoding = codepageOf(properties);
  return [...properties.values()]
    .sort((a, b) => a.id - b.id)
    .map((property) => {
      const name = names.get(property.id);
      const hex = (value: number): string => value.toString(16).padStart(4, '0');
      return {
        id: hex(property.id),
        type: hex(property.type),
        ...(name === undefined ? {} : { name }),
        value: valueOf(property, encoding),
      };
    });
}

function itemJson({ properties, recipients, attachments }: MapiItem, names: PropertyNames): Json {
  return {
    properties: listOf(properties, names),
    recipients: recipients.map((one) => listOf(one, names)),
    attachments: attachments.map(({ properties: of, item }) => ({
      properties: listOf(of, names),
      ...(item ? { item: itemJson(item, names) } : {}),
    })),
  };
}

/** Every property of an item, so that nothing is lost that a message has no place for. */
export function jsonOfItem(item: MapiItem, names: PropertyNames): Buffer {
  return Buffer.from(canonicalJson({ version: 1, ...(itemJson(item, names) as { readonly [name: string]: Json }) }));
}
