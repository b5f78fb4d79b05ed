import { AppError } from '@holdfast/foundation/errors';
import type { FastifyRequest } from 'fastify';
import type { UploadPart } from './context.ts';

/** Caps of one multipart request; the content itself is cut while it streams. */
export interface UploadLimits {
  readonly fileMaxBytes: number;
  readonly files: number;
  readonly fields: number;
}

/** The parts of a multipart request in the client's order. A request of another type is `request.unsupported-type`. */
export async function* uploadParts(request: FastifyRequest, limits: UploadLimits): AsyncGenerator<UploadPart, void, undefined> {
  if (!request.isMultipart()) throw new AppError('request.unsupported-type');
  const parts = request.parts({
    limits: { fileSize: limits.fileMaxBytes, files: limits.files, fields: limits.fields, parts: limits.files + limits.fields },
  });
  for await (const part of parts) {
    if (part.type === 'file') {
      yield { kind: 'file', field: part.fieldname, fileName: part.filename, mediaType: part.mimetype, content: part.file };
      if (part.file.truncated) throw new AppError('request.too-large', { details: { field: part.fieldname } });
    } else {
      yield { kind: 'field', field: part.fieldname, value: String(part.value) };
    }
  }
}
