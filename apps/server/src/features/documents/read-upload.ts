import { uploadFields, type DocumentType } from '@holdfast/contract/documents';
import { pdfMaxBytes } from '@holdfast/contract/limits';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { UploadPart } from '../../http/context.ts';

/** An upload as it came: complete, no larger than it may be, and otherwise unchecked. */
export interface ReceivedUpload {
  readonly abbr: string;
  readonly documentType: DocumentType;
  readonly fileName: string;
  readonly bytes: Buffer;
}

type FilePart = Extract<UploadPart, { kind: 'file' }>;

async function readFile(part: FilePart): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of part.content) {
    size += piece.byteLength;
    if (size > pdfMaxBytes) throw new AppError('documents.too-large', { details: { field: 'file' } });
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function collect(
  parts: AsyncIterable<UploadPart>,
): Promise<{ fields: Map<string, string>; file: Omit<ReceivedUpload, 'abbr' | 'documentType'> | undefined }> {
  const fields = new Map<string, string>();
  let file: Omit<ReceivedUpload, 'abbr' | 'documentType'> | undefined;
  for await (const part of parts) {
    const isKnown = part.kind === 'file' ? part.field === 'file' && file === undefined : !fields.has(part.field);
    if (!isKnown) throw new AppError('request.invalid', { details: { field: part.field } });
    if (part.kind === 'field') fields.set(part.field, part.value);
    else file = { fileName: part.fileName ?? '', bytes: await readFile(part) };
  }
  return { fields, file };
}

/** Reads the parts of an upload, whichever order they come in. */
export async function readUpload(parts: AsyncIterable<UploadPart>): Promise<ReceivedUpload> {
  const { fields, file } = await collect(parts).catch((error: unknown) => {
    // The parser cuts the file at the same length; the sentence about it is ours.
    if (isAppError(error, 'request.too-large') && error.details['field'] === 'file')
      throw new AppError('documents.too-large', { details: { field: 'file' } });
    throw error;
  });
  if (file === undefined || file.fileName === '') throw new AppError('documents.file-required', { details: { field: 'file' } });
  const parsed = uploadFields.safeParse(Object.fromEntries(fields));
  if (!parsed.success) throw new AppError('request.invalid', { details: { field: String(parsed.error.issues[0]?.path[0] ?? 'abbr') } });
  return { ...parsed.data, ...file };
}
