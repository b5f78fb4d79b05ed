import { createCipheriv, createHash } from 'node:crypto';
import type { Random } from '@holdfast/foundation/random';
import type { Language } from '../state/directory.ts';
import { officeDocument } from './office-documents.ts';
import { documentName, paragraph } from './prose.ts';
import { between, logNormal, pick, type Place, randomOf } from '../values/seeded.ts';

/** A file as people have it: name, type and size now, bytes when they are asked for. */
export interface FileSketch {
  readonly name: string;
  readonly extension: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly bytes: () => Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  png: 'image/png',
  jpg: 'image/jpeg',
  zip: 'application/zip',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
};

const PACKED = ['pdf', 'pdf', 'docx', 'docx', 'xlsx', 'pptx', 'png', 'jpg', 'zip'];
const PLAIN = ['csv', 'txt', 'md'];

const MAGIC: Readonly<Record<string, Buffer>> = {
  pdf: Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1'),
  docx: Buffer.from('504b030414000600080000002100', 'hex'),
  xlsx: Buffer.from('504b030414000600080000002100', 'hex'),
  pptx: Buffer.from('504b030414000600080000002100', 'hex'),
  zip: Buffer.from('504b0304140000000800', 'hex'),
  png: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  jpg: Buffer.from('ffd8ffe000104a46494600010101', 'hex'),
};

/** The type of a file by its extension. */
export function contentTypeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}

/** Bytes that don't compress, as fast as the machine can; any range of them can be made alone (`offset` in blocks of 16). */
export function noise(key: string, sizeBytes: number): Buffer {
  const hash = createHash('sha256').update(key).digest();
  return createCipheriv('aes-128-ctr', hash.subarray(0, 16), hash.subarray(16)).update(Buffer.alloc(sizeBytes));
}

function plainBytes(place: Place, extension: string, sizeBytes: number, language: Language): Buffer {
  const random = randomOf({ ...place, kind: `${place.kind}/text` });
  const parts: string[] = [];
  for (let size = 0; size < sizeBytes;) {
    const line =
      extension === 'csv'
        ? `${Array.from({ length: 8 }, () => (random.below(1_000_000) / 100).toFixed(2)).join(';')}\r\n`
        : `${paragraph(random, language, between(random, 1, 4))}\r\n\r\n`;
    parts.push(line);
    size += Buffer.byteLength(line);
  }
  return Buffer.from(parts.join('')).subarray(0, sizeBytes);
}

function packedBytes(place: Place, extension: string, sizeBytes: number): Buffer {
  const data = noise(`${place.seed}/${place.kind}/${place.owner}/${place.index}`, sizeBytes);
  MAGIC[extension]?.copy(data);
  if (extension === 'pdf') data.write('\n%%EOF\n', Math.max(0, sizeBytes - 7), 'latin1');
  return data;
}

export interface SketchOptions {
  readonly language: Language;
  readonly medianBytes: number;
  readonly largestBytes: number;
  /** Whether the first numbers are documents with texts, where the others hold noise. */
  readonly hasDocuments: boolean;
}

/** The file at `place`: a pure function of it. */
export function sketchFile(place: Place, options: SketchOptions): FileSketch {
  const document = options.hasDocuments ? officeDocument(options.language, place.index) : undefined;
  if (document) {
    const { name, extension, bytes } = document;
    return { name, extension, contentType: contentTypeOf(name), sizeBytes: bytes.byteLength, bytes: () => bytes };
  }
  const random: Random = randomOf(place);
  const isPlain = random.next() < 0.25;
  const extension = pick(random, isPlain ? PLAIN : PACKED);
  const sizeBytes = Math.round(Math.min(options.largestBytes, Math.max(900, logNormal(random, options.medianBytes, 1.2))));
  return {
    name: `${documentName(random, options.language)}.${extension}`,
    extension,
    contentType: TYPES[extension] ?? 'application/octet-stream',
    sizeBytes,
    bytes: () => (isPlain ? plainBytes(place, extension, sizeBytes, options.language) : packedBytes(place, extension, sizeBytes)),
  };
}
